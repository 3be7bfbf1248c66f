"""Yes or no: what a person's answer to a question of consent means. Unanswered, or unclear, is not yes."""

import re
from enum import Enum


class Consent(Enum):
    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


YES = re.compile(
    r"\b(yes|yeah|yep|yup|sure|ok|okay|please do|do that|do it|of course|right|correct|exactly|fine|good|certainly|"
    r"absolutely|go ahead|remember that|remember it)\b",
    re.IGNORECASE,
)
NO = re.compile(
    r"\b(no|nope|not|don't|dont|do not|never|wrong|forget it|forget that|leave it|wait|stop|"
    r"but|instead|only|just|except)\b",
    re.IGNORECASE,
)


def consent_in(answer: str) -> Consent:
    """Read an answer. "No" outweighs "yes": "yes, but not on Sundays" is not a plain yes."""
    text = answer.replace("’", "'")
    if NO.search(text):
        plain_no = re.fullmatch(r"\W*(no|nope)\b.*", text, re.IGNORECASE) or not YES.search(text)
        return Consent.NO if plain_no else Consent.UNCLEAR
    return Consent.YES if YES.search(text) else Consent.UNCLEAR
