"""Why nothing is learned."""


class NoLesson(Exception):
    """Reason to learn nothing; the message says so to the person."""


class Unclear(NoLesson):
    """Reason to ask what to learn; the message asks the person."""


class Interrupted(NoLesson):
    """Instead of an answer came another request, which is still to be heard."""

    def __init__(self, request: str) -> None:
        super().__init__("All right, I will not remember it.")
        self.request = request
