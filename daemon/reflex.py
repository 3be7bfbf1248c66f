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
    """Return the reflex that a whole sentence is, if it is one; reasons and apologies may stand beside it."""
    words = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
    return _reflexes().of(f"{words} ")


def begins_with_no(text: str) -> bool:
    """Return whether the first word says no to something: "no, the other one", "not that", "don't"."""
    first = " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split()[:1])
    return first in phrasebook()["negation"]["first"]


class _Reflexes:
    """The whole sentences that are reflexes."""

    def __init__(self, phrases: Phrases) -> None:
        self._reason = phrases["reason"]
        self._unless = any_of(self._reason["unless"])
        self._sentences = {reflex: self._sentence(reflex, phrases["reflex"][reflex.value]) for reflex in Reflex}

    def of(self, words: str) -> Reflex | None:
        return next((reflex for reflex, sentence in self._sentences.items() if self._is(sentence, words)), None)

    def _is(self, sentence: re.Pattern[str], words: str) -> bool:
        match = sentence.fullmatch(words)
        return match is not None and not self._unless.search(match.groupdict().get("between") or "")

    def _sentence(self, reflex: Reflex, phrases: Mapping[str, Iterable[str]]) -> re.Pattern[str]:
        """The whole sentences that are made of these phrases."""
        before, act, of_it, after = (_either(phrases.get(part, ())) for part in ("before", "is", "of_it", "after"))
        acts = rf"{before}*(?:{act}{of_it}*)+{after}*"
        if reflex.value not in self._reason["of"]:
            return re.compile(acts)
        reason, sorry = _either(self._reason["first"]), _either(self._reason["sorry"])
        return re.compile(rf"(?:{acts}(?:{reason}.*)?|{sorry}(?P<between>.*){acts})")


def _either(phrases: Iterable[str]) -> str:
    """Any one of the phrases, with the space behind it."""
    longest_first = sorted(map(re.escape, phrases), key=len, reverse=True)
    return rf"(?:(?:{'|'.join(longest_first)}) )" if longest_first else "(?:)"


@of_language
def _reflexes() -> _Reflexes:
    return _Reflexes(phrasebook())
