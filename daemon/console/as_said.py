"""Words go to a model that leads as they were said; code answers what takes no model."""

from collections.abc import Sequence

from daemon.console.history import Turn
from daemon.console.reading import Reader, Understood, Verbatim, greeting
from daemon.console.recounting import IDLE
from daemon.console.turn_end import interrupted
from daemon.reflex import Reflex, reflex_in

_NOTHING_DONE = {Reflex.CANCEL: "All right.", Reflex.PAUSE: "All right.", Reflex.RESUME: IDLE}
"""What heed says to words that act on what is under way, where nothing is."""
_KEEPING = ("remember", "begin_later", "call_it")
"""In a statement that keeps something."""


class AsSaid:
    """The Understanding of a model that reads for itself.

    Code answers who tells their name and nothing else, and "never mind" where there is nothing to end.
    """

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader or Verbatim()

    def understand(self, said: str, past: Sequence[Turn], speaker: str) -> Understood:
        return Understood(said, said, statements=greeting(*self._reader.introduced(said)) or nothing_to_end(said, past))


def nothing_to_end(said: str, past: Sequence[Turn]) -> tuple[str, ...]:
    """Return the statement that answers a "never mind", "wait" or "go on" with nothing under way; none for other words.

    Such words act by themselves while something is done (daemon/heed.py). After a turn that was cut short, or kept
    something, they may be about that: no statement.
    """
    last = past[-1] if past else None
    kept = last is not None and any(word in step.statement for step in last.steps for word in _KEEPING)
    reflex = reflex_in(said)
    return () if reflex not in _NOTHING_DONE or kept or interrupted(last) else (f"say({_NOTHING_DONE[reflex]!r})",)
