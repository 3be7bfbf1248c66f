"""Words go to a model that leads as they were said; code answers what takes no model."""

from collections.abc import Callable, Sequence

from daemon.console.history import Turn
from daemon.console.learning.memory_calls import TEACHING
from daemon.console.reading import Reader, Understood, Verbatim, greeting
from daemon.console.recounting import IDLE
from daemon.console.reminders import REMINDERS
from daemon.reflex import Reflex, reflex_in
from daemon.transcript import functions_in

_NOTHING_DONE = {Reflex.CANCEL: "All right.", Reflex.PAUSE: "All right.", Reflex.RESUME: IDLE}
"""What heed says to words that act on what is under way, where nothing is."""
_KEEPING = frozenset(function.name for function in (*TEACHING, *REMINDERS))
"""Functions after which such words may be about what they kept."""


class AsSaid:
    """The Understanding of a model that reads for itself.

    Code answers who tells their name and nothing else, and "never mind" where there is nothing to end.
    """

    def __init__(self, reader: Reader | None = None, waits: Callable[[], bool] = lambda: False) -> None:
        """`waits` tells whether anything is to be done later."""
        self._reader = reader or Verbatim()
        self._waits = waits

    def understand(self, said: str, past: Sequence[Turn], speaker: str) -> Understood:
        told = greeting(*self._reader.introduced(said)) or (() if self._waits() else nothing_to_end(said, past))
        return Understood(said, said, statements=told)


def nothing_to_end(said: str, past: Sequence[Turn]) -> tuple[str, ...]:
    """Return the statement that answers a "never mind" or "wait" with nothing under way, or a "go on" behind that.

    Such words act by themselves while something is done (daemon/heed.py). After a turn that failed, was cut short, kept
    something, or left something in a hand, they may be about that: no statement.
    """
    reflex, last = reflex_in(said), past[-1] if past else None
    if reflex not in _NOTHING_DONE or (last and _is_about(last)):
        return ()
    if reflex is Reflex.RESUME and not (last and reflex_in(last.utterance)):
        return ()
    return (f"say({_NOTHING_DONE[reflex]!r})",)


def _is_about(turn: Turn) -> bool:
    """Return whether a turn did what "never mind" may be about, though it is over."""
    kept = any(functions_in(step.statement) & _KEEPING for step in turn.steps)
    held = any(thing.get("held_by") for thing in (turn.left or {}).get("objects", ()))
    return kept or held or any(step.error for step in turn.steps)
