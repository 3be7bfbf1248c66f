"""When something is to be done: a time, or something that happens. Clock arithmetic, and times as clocks write them."""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from daemon.phrasebook import any_of, of_language, phrasebook, plain


@dataclass(frozen=True)
class When:
    """A time, or something that happens."""

    words: str
    after: timedelta | None = None
    """From when it was said."""
    moment: datetime | None = None
    """A day and a time, once."""
    at: time | None = None
    """On the clock of the house."""
    either_half: bool = False
    """Nobody said whether in the morning or in the evening."""
    days_ahead: int = 0
    days: frozenset[int] = frozenset()
    """Of the week, Monday is 0, on which it is to be done again and again; empty for once."""
    event: str = ""
    """What is waited for: "return", the person is back, or "leave", the person has left; "" for a time."""
    each_time: bool = False
    """Whether it is to be done each time that the event happens."""

    def next(self, now: datetime) -> datetime | None:
        """Return the next time after now, in the same time zone; None where it waits for an event."""
        if self.after is not None:
            return now + self.after
        if self.moment is not None:
            return self.moment if self.moment.tzinfo else self.moment.replace(tzinfo=now.tzinfo)
        if self.at is None:
            return None
        day = now.date() + timedelta(days=self.days_ahead)
        times = [self.at, self.at.replace(hour=(self.at.hour + 12) % 24)] if self.either_half else [self.at]
        ahead = [
            moment
            for days in range(8)
            for clock in times
            if (moment := datetime.combine(day + timedelta(days=days), clock, now.tzinfo)) > now
            and (not self.days or moment.weekday() in self.days)
        ]
        return min(ahead)


def written(words: str) -> When | None:
    """Read a time as clocks and calendars write it: "18:30", "2026-11-27 10:00"; None for anything else."""
    text = words.strip().removeprefix("at ").removeprefix("on ")
    with suppress(ValueError):
        return (
            When(words, at=time.fromisoformat(text))
            if ":" in text[:3]
            else When(words, moment=datetime.fromisoformat(text))
        )
    return None


def is_a_time(words: str) -> bool:
    """Return whether words tell a time ("next monday"), and not what happens ("when Anna is back at night")."""
    return _said().time.search(plain(words)) is not None and not begins_an_event(words)


def begins_an_event(words: str) -> bool:
    """Return whether words begin with what has to happen first: "when Anna is back", "if there is any left"."""
    return _said().event.match(plain(words)) is not None


def names_a_time(words: str) -> bool:
    """Return whether a request names a time at which it is to be done; "good morning" does not."""
    return is_a_time(_said().no_time.sub(" ", plain(words)))


def is_by_the_clock(words: str) -> bool:
    """Return whether a request names a time as clocks do: "at nine tonight", "in an hour", and not "in a second"."""
    return names_a_time(words) and _said().clock.search(plain(words)) is not None


@dataclass(frozen=True)
class _Said:
    time: re.Pattern[str]
    no_time: re.Pattern[str]
    clock: re.Pattern[str]
    event: re.Pattern[str]


@of_language
def _said() -> _Said:
    phrases = phrasebook()["time"]
    clock = rf"{any_of(phrases['clock']).pattern}|\d+(?:\s?(?:h|am|pm)|\s\d\d)\b|\bat \d"
    words = any_of(phrases["words"]).pattern
    times = re.compile(rf"{words}|{clock}")
    event = re.compile(rf"(?:{any_of(phrases['before_event']).pattern} )*{any_of(phrases['event']).pattern}")
    return _Said(times, any_of(phrases["no_time"]), re.compile(clock), event)
