"""A yes to what heed itself has offered: to go on with what was cut short, or to do what is due."""

from collections.abc import Sequence

from daemon.console.history import Turn
from daemon.console.learning.consent import Consent, consent_in
from daemon.console.reading import Understood
from daemon.console.reminders import Reminders
from daemon.console.tasks import Tasks


class Offers:
    """The Understanding of a model that leads: words stay as they were said, but for a yes to an open offer."""

    def __init__(self, reminders: Reminders, tasks: Tasks | None = None) -> None:
        """Both may have asked something that the model does not know of."""
        self._reminders = reminders
        self._tasks = tasks

    def understand(self, said: str, past: Sequence[Turn], speaker: str) -> Understood:
        """Return the words; after a yes, what was offered as what they mean."""
        agreed = self._reminders.answered(said)
        if agreed is None and self._tasks:
            offered = self._tasks.take_offered_request()
            agreed = offered if offered and consent_in(said) is Consent.YES else None
        if agreed == "":
            return Understood(said, said, statements=("pass",))
        return Understood(said, agreed or said)
