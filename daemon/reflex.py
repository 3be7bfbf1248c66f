"""Words that act at once, without the model: stop, cancel, pause, go on.

Only a sentence that is nothing but such words is a reflex: "stop", "heed, please stop now"; not "stop the timer" or
"go to the stop sign". Stop is heard earlier still, on raw sound (daemon/speech/keywords.py). The words are data:
phrasebooks/.
"""

import re
from collections.abc import Iterable, Mapping
from enum import Enum

from daemon.phrasebook import Phrases, any_of, of_language, phrasebook


class Reflex(Enum):
    """What is done at once."""

    MUTE = "mute"
    """Nothing but a stop is heard, until a key or a command says otherwise."""
    STOP = "stop"
    """Protective stop, latched until a person says RESUME."""
    CANCEL = "cancel"
    """What is being done ends; the robot stays ready."""
    PAUSE = "pause"
    """Motion holds until RESUME."""
    RESUME = "resume"
    """The robot may move again."""


def reflex_in(text: str) -> Reflex | None:
    """Return the reflex that a whole sentence is, if it is one.

    A reason may follow a stop, a pause and a never mind, and stand between a warning and a stop: "look out, there's a
    child, stop". A release takes none: "go on, it's not safe" is no release.
    """
    words = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    return _reflexes().of(f"{words} ")


def begins_with_no(text: str) -> bool:
    """Return whether the first word says no to something: "no, the other one", "not that", "don't"."""
    first = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split()[:1])
    return first in phrasebook()["negation"]["first"]


class _Reflexes:
    """The whole sentences that are reflexes."""

    def __init__(self, phrases: Phrases) -> None:
        reason = phrases["reason"]
        self._wish, self._over, self._doubt = (any_of(reason[part]) for part in ("wish", "over", "doubt"))
        self._binds = frozenset(reason["binds"])
        self._longest = int(reason["longest"])
        self._reason = _either(reason["first"])
        self._acts = {reflex: self._act(phrases["reflex"][reflex.value]) for reflex in Reflex}
        self._warned_stop = self._warned(phrases["reflex"][Reflex.STOP.value])

    def of(self, words: str) -> Reflex | None:
        return next((reflex for reflex in self._acts if self._is(reflex, words)), None)

    def _is(self, reflex: Reflex, words: str) -> bool:
        act = self._acts[reflex]
        match reflex:
            case Reflex.MUTE:
                return bool(re.fullmatch(act, words))
            case Reflex.RESUME:
                released = re.fullmatch(rf"(?P<before>.*?){act}", words)
                return released is not None and self._lets_go_on(released["before"])
            case Reflex.STOP if self._is_warned(words):
                return True
        because = re.fullmatch(rf"{act}(?P<reason>{self._reason}.*)?", words)
        return because is not None and (reflex is Reflex.STOP or not self._wish.search(because["reason"] or ""))

    def _lets_go_on(self, before: str) -> bool:
        """Return whether what stands before "go on" takes nothing back: nothing, or that something is over."""
        short = len(before.split()) <= self._longest
        return not before or (short and bool(self._over.search(before)) and not self._doubt.search(before))

    def _is_warned(self, words: str) -> bool:
        """Return whether a sentence is a warning with its reason, and a stop behind that which is no part of it."""
        warned = re.fullmatch(self._warned_stop, words)
        reason = warned["reason"] if warned else ""
        return bool(reason) and reason.split()[-1] not in self._binds and not self._wish.search(reason)

    def _warned(self, phrases: Mapping[str, Iterable[str]]) -> str:
        """A pattern of a warning, a reason, and nothing but the act behind it."""
        before, warning = _either(phrases["before"]), _either(phrases["warning"])
        act = self._act({**phrases, "before": ()})
        return rf"{before}*{warning}+(?P<reason>{self._reason}(?:\w+ )+?){act}"

    def _act(self, phrases: Mapping[str, Iterable[str]]) -> str:
        """A pattern of the words that are this act, and of what may stand around them."""
        before, act, of_it, after = (_either(phrases.get(part, ())) for part in ("before", "is", "of_it", "after"))
        return rf"(?:{before}*{act}{of_it}*)+{after}*"


def _either(phrases: Iterable[str]) -> str:
    """Any one of the phrases, with the space behind it."""
    longest_first = sorted(map(re.escape, phrases), key=len, reverse=True)
    return rf"(?:(?:{'|'.join(longest_first)}) )" if longest_first else "(?:)"


@of_language
def _reflexes() -> _Reflexes:
    return _Reflexes(phrasebook())
