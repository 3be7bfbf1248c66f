"""At what times a lesson is meant to hold: "of an evening", "on Sundays", "mornings", "after dinner". Pure text.

A time that only happens to be named is none: "good evening", "this morning", or one in a reason ("because ...").
"""

import re

from daemon.imitation.english.remarks import REASON
from daemon.memory.recurring_times import DAYS, DAYTIME, HOURS


def habitual_time(sentence: str) -> tuple[str, str]:
    """Return the time at which what a sentence says is to hold, as rules say it, and the sentence without it.

    ("", the sentence) for one that says no such time. Where the time itself speaks of a habit ("on Sundays", not
    "in the evening"), "from now on" stands in its place.
    """
    reasons = [match.span() for match in REASON.finditer(sentence)]
    for form, is_habit in _FORMS:
        for match in form.finditer(sentence):
            if not any(start <= match.start() < end for start, end in reasons):
                rest = f"{sentence[: match.start()].rstrip(' ,')} {sentence[match.end() :].lstrip(' ,')}".strip()
                return _named(match), f"from now on, {rest}" if is_habit else rest
    return "", sentence


def narrowed_to(answer: str) -> str:
    """Return the time to which an answer keeps a rule: "only in the morning"; "" for any other answer."""
    return habitual_time(answer)[0] if NARROWS.search(answer) else ""


def _named(match: re.Match[str]) -> str:
    said = {name: (text or "").lower() for name, text in match.groupdict().items()}
    if meal := said.get("meal"):
        return meal
    if said.get("daytime"):
        return DAYTIME
    day, part = said.get("day"), said.get("part")
    days = [name for name in DAYS if day and day in name.lower()]
    parts = [name for name in HOURS if part and name.endswith(part)]
    return " ".join([*days, *parts])


NARROWS = re.compile(r"\b(?:only|just|solely)\b", re.IGNORECASE)
_DAY = r"(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_PART = r"(?P<part>morning|afternoon|evening|night)"
_FORMS: tuple[tuple[re.Pattern[str], bool], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), is_habit)
    for pattern, is_habit in (
        (rf"\b(?:on )?{_DAY} {_PART}s\b", True),
        (rf"\b(?:on )?{_DAY}s (?:in the|at) {_PART}\b", True),
        (rf"\b(?:on )?{_DAY}s\b", True),
        (rf"\b(?:on |during )?(?:the )?(?P<day>weekday)s (?:in the|at) {_PART}\b", True),
        (r"\b(?:on |during )?(?:the )?(?P<day>weekday)s\b", True),
        (r"\b(?:at|on) (?:the )?(?P<day>weekend)s?\b", True),
        (rf"\bof an? {_PART}s?\b", True),
        (rf"\b(?:in the |at )?{_PART}s\b", True),
        (rf"\b(?:in the|at) {_PART}\b", False),
        (r"\b(?P<daytime>in the daytime|during the day|by day)\b", False),
        (r"\b(?P<meal>(?:before|at|after) (?:breakfast|lunch|dinner|supper))\b", False),
    )
)
"""How a time is said, and whether saying it so speaks of a habit; the most particular first."""
