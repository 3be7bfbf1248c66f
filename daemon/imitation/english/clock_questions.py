"""What time it is, and what day: told by the machine's clock, which needs no model."""

import re
from datetime import datetime

from daemon.imitation.english.clauses import polite


def told_by_clock(text: str, now: datetime | None = None) -> str:
    """The answer in words; "" for every other sentence."""
    asked = text.strip(" ,;.!?")
    now = now or datetime.now()
    if any(_TIME.fullmatch(one) for one in (asked, polite(text))):
        return f"It is {now.hour}:{now.minute:02}."
    if any(_DAY.fullmatch(one) for one in (asked, polite(text))):
        return f"Today is {now:%A}, {now.day} {now:%B} {now.year}."
    return ""


_ASKS = r"(?:(?:do|would) you know |(?:can|could) you tell (?:me|us) |tell (?:me|us) )?"
_NOW = r"(?: (?:right )?now| today)?"
_TIME = re.compile(
    rf"{_ASKS}(?:what(?:'s| is)? (?:the )?(?:exact |current )?time(?: is it| do (?:we|you) have| it is)?"
    rf"|what time (?:is it|it is|do (?:we|you) have)|(?:have you got|do you have) the time|how late is it"
    rf"|(?<=tell me )the time|(?<=tell us )the time){_NOW}",
    re.IGNORECASE,
)
_DAY = re.compile(
    rf"{_ASKS}(?:what(?:'s| is)? (?:the )?(?:date|day)(?: is it| it is| of the week)?(?: is it)?"
    rf"|(?:what|which) (?:day|date) (?:is it|it is|is today|do we have)|what(?:'s| is) today(?:'s date)?){_NOW}",
    re.IGNORECASE,
)
