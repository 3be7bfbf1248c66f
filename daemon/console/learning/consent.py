"""Yes or no: what a person's answer to a question of consent means. Unanswered, or unclear, is not yes.

An answer is read as a whole. A firm yes may be followed by a remark ("yes, he forgets"), other words of agreement stand
alone ("right", but not "the right cup"); a no anywhere takes the yes away, and one that comes first is a no. What adds
something ("yes, and a spoon") is neither: whoever asked has to understand it. The words are data: phrasebooks/.

Few people say yes in so many words. So a network that was taught how strangers answer (daemon/llm/answers.py) reads
what the table does not: in English, and where whoever asks allows it. Where it is not sure, the table stands. It never
makes a yes of an answer with a no in it, or with a question mark. (docs/decisions/consent.md)
"""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

from daemon.llm.answers import Answers, Meaning
from daemon.llm.model import ModelError
from daemon.phrasebook import english_alone, of_language, phrasebook, plain

log = logging.getLogger(__name__)


class Consent(Enum):
    """What an answer means."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


SURE = 0.9
"""How likely a meaning must be for the network to be believed."""
FEWEST = 2
"""Words that an answer must have at least for the network to read it: one word is in the table, or is none."""


def consent_in(answer: str, to_forget: bool = False, freely: bool = False) -> Consent:
    """Read an answer. "No" outweighs "yes": "yes, but not on Sundays" is not a plain yes, nor is "are you sure?".

    "Keep it" agrees and "forget it" is a no; the other way round where the question is whether `to_forget` something.
    `freely`: the network reads what the table does not.
    """
    means = {"keep": "no", "forget": "agreed"} if to_forget else {"keep": "agreed", "forget": "no"}
    parts = [replace(part, kind=means.get(part.kind, part.kind)) for part in _said().parts(plain(answer))]
    kinds = {part.kind for part in parts}
    read = _by_the_table(answer, parts)
    if read is Consent.YES or "other" not in kinds:
        return read
    meant = _meant(answer, freely)
    if meant is Consent.YES and ("no" in kinds or "?" in answer):
        return Consent.UNCLEAR
    return meant or read


def declines(answer: str, to_forget: bool = False, freely: bool = False, most: int = 3) -> bool:
    """Return whether an answer is a no and nothing else; "no, the milk please" asks for something.

    A no of at most so many words is nothing else, and so is what the network takes for one.
    """
    if consent_in(answer, to_forget, freely) is not Consent.NO:
        return False
    return len(answer.split()) <= most or _meant(answer, freely) is Consent.NO


def is_answer(text: str) -> bool:
    """Return whether a text is a yes or a mere no, however it is put."""
    return consent_in(text, freely=True) is Consent.YES or declines(text, freely=True)


def _by_the_table(answer: str, parts: "list[_Part]") -> Consent:
    kinds = [part.kind for part in parts if part.kind != "beside"]
    agreed = next((place for place, kind in enumerate(kinds) if kind in ("yes", "agreed")), None)
    if "no" in kinds:
        return Consent.UNCLEAR if agreed is not None and agreed < kinds.index("no") else Consent.NO
    if agreed != 0 or ("?" in answer and "other" in kinds):
        return Consent.UNCLEAR
    return Consent.YES if _adds_nothing(parts) else Consent.UNCLEAR


def _meant(answer: str, freely: bool) -> Consent | None:
    """What the network is sure of; None for anything else, and where there is none."""
    words = plain(answer)
    if not freely or len(words.split()) < FEWEST or (network := _network()) is None:
        return None
    meaning, sure = network.means(words)
    return _MEANT.get(meaning) if sure >= SURE else None


_MEANT = {Meaning.YES: Consent.YES, Meaning.NO: Consent.NO}


def _network() -> Answers | None:
    return _opened() if english_alone() else None


@cache
def _opened() -> Answers | None:
    try:
        return Answers()
    except ModelError as error:
        log.warning("only plain words are taken for a yes: %s", error)
        return None


@dataclass(frozen=True)
class _Part:
    """A phrase of the table, or a word that is in none of its lists."""

    kind: str
    """"yes", "agreed", "no", "keep", "forget", "beside" or "other"."""
    words: str


def _adds_nothing(parts: list[_Part]) -> bool:
    """Return whether an answer that begins with a yes only says it again, or remarks on it."""
    others = [part.kind == "other" for part in parts]
    if not any(others):
        return True
    firm = next((place for place, part in enumerate(parts) if part.kind == "yes"), None)
    if firm is None or any(others[:firm]):
        return False
    behind, phrases = [part.words for part in parts[firm + 1 :]], phrasebook()["consent"]
    first = next(word for word in behind if word not in phrases["beside"] or word in phrases["remark"])
    return first in phrases["remark"] or (sum(others) <= SHORT_REMARK and not set(behind) & set(phrases["adds"]))


SHORT_REMARK = 3
"""Words behind a firm yes that change nothing: "yes, my dear robot"."""


class _Table:
    """Cuts an answer into the phrases of the table, the longest first."""

    def __init__(self, kinds: Iterable[str]) -> None:
        phrases = phrasebook()["consent"]
        self._kinds = {phrase: kind for kind in kinds for phrase in phrases[kind]}
        longest_first = sorted(self._kinds, key=len, reverse=True)
        known = "|".join(map(re.escape, longest_first))
        self._part = re.compile(
            rf"(?<![\w'])(?:(?P<known>{known})(?![\w'])|(?P<negated>\w+n't|cannot)|(?P<other>[\w']+))"
        )

    def parts(self, text: str) -> list[_Part]:
        return [self._of(match) for match in self._part.finditer(text)]

    def _of(self, match: re.Match[str]) -> _Part:
        known = match["known"]
        return _Part(self._kinds[known] if known else "no" if match["negated"] else "other", match[0])


@of_language
def _said() -> _Table:
    return _Table(("beside", "agreed", "yes", "no", "keep", "forget"))
