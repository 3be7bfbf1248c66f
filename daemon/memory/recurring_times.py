"""Times at which a rule holds, as people say them: "in the evening", "on Sundays", "after dinner".

Pure text and clock arithmetic. What is to be done once, at a time to come, is daemon/imitation/english/time_phrases.py.
"""

import re
from datetime import datetime

HOURS = {
    "in the morning": range(5, 12),
    "in the afternoon": range(12, 18),
    "in the evening": range(18, 23),
    "at night": range(23, 29),
}
"""Hours past midnight belong to the night before."""
DAYTIME = "in the daytime"
DAYS = {
    f"on {name}s": frozenset([day])
    for day, name in enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
} | {"on weekdays": frozenset(range(5)), "at the weekend": frozenset((5, 6))}
MEALS = tuple(
    f"{when} {meal}" for meal in ("breakfast", "lunch", "dinner", "supper") for when in ("before", "at", "after")
)
"""No clock tells when people eat: these times are there when somebody says so."""
TIME = rf"(?:(?:{'|'.join(DAYS)})(?: (?:{'|'.join(HOURS)}))?|{'|'.join((*HOURS, DAYTIME, *MEALS))})"


def recurs(time: str) -> bool:
    """Return whether a time is of a known form, so that code tells when it is there."""
    return bool(re.fullmatch(TIME, time, re.IGNORECASE))


def holds(time: str, now: datetime, said: str = "") -> bool:
    """Return whether it is that time, by what somebody says just now ("good evening") or else by the clock.

    A time of unknown form never is: too narrow is safer than too wide.
    """
    if not recurs(time):
        return not time
    wanted = time.lower()
    if wanted in MEALS:
        return bool(re.search(rf"\b{wanted}\b", said, re.IGNORECASE))
    if wanted == DAYTIME:
        return (_part_said(said) or _part_of(now)) in (DAYTIME, "in the morning", "in the afternoon")
    hours = next((part for part in HOURS if wanted.endswith(part)), "")
    days = next((DAYS[day] for day in DAYS if wanted.startswith(day.lower())), None)
    part = _part_said(said) or _part_of(now)
    late = now.hour < HOURS["at night"].stop - 24 and part == "at night"
    weekday = (now.weekday() - late) % 7
    return (not hours or hours == part) and (days is None or weekday in days)


def _part_of(now: datetime) -> str:
    return next(part for part, hours in HOURS.items() if now.hour in hours or now.hour + 24 in hours)


def _part_said(text: str) -> str:
    """Return what part of the day it is by somebody's words; "" where nobody says."""
    match = _SAID.search(text)
    said = (match["greeted"] or match["told"] or "night").lower() if match else ""
    return next((part for part in (*HOURS, DAYTIME) if said and part.endswith(said)), "")


_PARTS = "|".join(part.split()[-1] for part in HOURS)
_ROUGHLY = "|".join(["already", "now", "only", "still", "just", "late", "early", "the middle of the"])
_SAID = re.compile(
    rf"\bgood (?P<greeted>{_PARTS})\b"
    rf"|\b(?:it is|it's|now that it(?:'s| is)) (?:(?:{_ROUGHLY}) )*(?P<told>{_PARTS}|daytime)\b|\btonight\b",
    re.IGNORECASE,
)
