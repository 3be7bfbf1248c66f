"""Yes or no: what a person's answer to a question of consent means. Unanswered, or unclear, is not yes."""

import re
from dataclasses import dataclass
from enum import Enum

from daemon.phrasebook import any_of, of_language, phrasebook, plain


class Consent(Enum):
    """What an answer means."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


def consent_in(answer: str) -> Consent:
    """Read an answer. "No" outweighs "yes": "yes, but not on Sundays" is not a plain yes.

    A yes may have a "no" in it ("no problem, go ahead", "sure, why not"): the longest phrases are found first.
    """
    text, said = plain(answer), _said()
    agreed = bool(said.yes.search(text))
    rest = " ".join(said.yes.sub(" ", text).split())
    if said.no.search(rest):
        return Consent.NO if said.plainly_no.match(rest) or not agreed else Consent.UNCLEAR
    return Consent.YES if agreed else Consent.UNCLEAR


@dataclass(frozen=True)
class _Said:
    yes: re.Pattern[str]
    no: re.Pattern[str]
    plainly_no: re.Pattern[str]


@of_language
def _said() -> _Said:
    phrases = phrasebook()["consent"]
    return _Said(any_of(phrases["yes"]), any_of(phrases["no"]), any_of(phrases["plainly_no"]))
