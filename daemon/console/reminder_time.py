"""When something is to be done: a time, or something that happens. Clock arithmetic alone."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

EVENTS = {"return": "when the person is back", "leave": "when the person has left"}
"""What can be waited for."""


@dataclass(frozen=True)
class When:
    """A time, or something that happens."""

    words: str
    after: timedelta | None = None
    """From when it was said."""
    at: time | None = None
    """On the clock of the house."""
    either_half: bool = False
    """Nobody said whether in the morning or in the evening."""
    days_ahead: int = 0
    days: frozenset[int] = frozenset()
    """Of the week, Monday is 0, on which it is to be done again and again; empty for once."""
    event: str = ""
    """One of EVENTS."""
    each_time: bool = False
    """Whether it is to be done each time that the event happens."""

    def next(self, now: datetime) -> datetime | None:
        """Return the next time after now, in the same time zone; None where it waits for an event."""
        if self.after is not None:
            return now + self.after
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
