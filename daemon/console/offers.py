"""A yes to what heed itself has offered: to go on with what was cut short, or to do what is due."""

from collections.abc import Sequence

from daemon.console.history import Turn
from daemon.console.learning.consent import Consent, consent_in
from daemon.console.reading import Understanding, Understood
from daemon.console.reminders import Reminders
from daemon.console.tasks import Tasks


class Offers:
    """The Understanding of a model that leads: words stay as they were said, but for a yes to an open offer."""

    def __init__(self, reminders: Reminders, otherwise: Understanding, tasks: Tasks | None = None) -> None:
        """Reminders and tasks may have asked something that the model does not know of; `otherwise` reads the rest."""
        self._reminders = reminders
        self._otherwise = otherwise
        self._tasks = tasks

    def understand(self, said: str, past: Sequence[Turn], speaker: str) -> Understood:
        """Return the words; after a yes, what was offered as what they mean."""
        agreed = self._reminders.answered(said)
        if agreed is None and self._tasks:
            offered = self._tasks.take_offered_request()
            agreed = offered if offered and consent_in(said) is Consent.YES else None
        if agreed == "":
            return Understood(said, said, statements=("pass",))
        return Understood(said, agreed) if agreed else self._otherwise.understand(said, past, speaker)
