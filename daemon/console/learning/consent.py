"""Yes or no: what a person's answer to a question of consent means. Unanswered, or unclear, is not yes."""

from enum import Enum

from daemon.phrasebook import any_of, phrasebook, plain


class Consent(Enum):
    """What an answer means."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


def consent_in(answer: str) -> Consent:
    """Read an answer. "No" outweighs "yes": "yes, but not on Sundays" is not a plain yes.

    A yes may have a "no" in it ("no problem, go ahead", "sure, why not"): the longest phrases are found first.
    """
    text = plain(answer)
    agreed = bool(_YES.search(text))
    rest = " ".join(_YES.sub(" ", text).split())
    if _NO.search(rest):
        return Consent.NO if _PLAINLY_NO.match(rest) or not agreed else Consent.UNCLEAR
    return Consent.YES if agreed else Consent.UNCLEAR


_SAID = phrasebook()["consent"]
_YES, _NO, _PLAINLY_NO = any_of(_SAID["yes"]), any_of(_SAID["no"]), any_of(_SAID["plainly_no"])
