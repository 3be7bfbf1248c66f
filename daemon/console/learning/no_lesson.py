"""Why nothing is learned."""


class NoLesson(Exception):
    """There is nothing to learn here; the message says so to the person."""


class Unclear(NoLesson):
    """It is not clear what to learn; the message asks the person."""


class Interrupted(NoLesson):
    """Instead of an answer came another request, which is still to be heard."""

    def __init__(self, request: str) -> None:
        super().__init__("All right, I will not remember it.")
        self.request = request
