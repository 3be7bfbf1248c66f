"""What wakes the console: utterances, and the queue on which speech and console meet."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

TIMER = "timer"
"""The source of what a person has asked for earlier, and is due now; no answer to any question."""


@dataclass(frozen=True)
class Utterance:
    """One thing that one person said, or typed."""

    text: str
    confidence: float = 1.0
    """0 to 1; typed text is 1."""
    source: str = "typed"
    """Where it came from: "microphone", "wav", "typed", "socket", "page", "satellite", "fleet" or "timer"."""
    speaker: str = ""
    """The person's name where known, else empty."""
    started_at: float = field(default_factory=time.monotonic)
    """Monotonic seconds at which the speech began."""
    heard_at: float = field(default_factory=time.monotonic)
    """Monotonic seconds at which the text was ready."""
    ended_at: float | None = None
    """Monotonic seconds at which the speech ended; None where nobody spoke, so that it ended with the text."""

    @property
    def surely_heard(self) -> bool:
        """Tell whether the words are those that were said: they were typed, or the recogniser was sure."""
        return self.confidence >= SURE


SURE = 0.9
"""Confidence from which the words are those that were said."""


class TriggerQueue:
    """Hands utterances from the ears to the console, in order, across threads."""

    def __init__(self) -> None:
        self._waiting: deque[Utterance] = deque()
        self._errands: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, utterance: Utterance) -> None:
        """Add an utterance; one that comes after close() is dropped."""
        with self._changed:
            if not self._closed:
                self._waiting.append(utterance)
                self._changed.notify_all()

    def put_first(self, utterance: Utterance) -> None:
        """Put back what was taken out and not used, before all that waits."""
        with self._changed:
            self._waiting.appendleft(utterance)
            self._changed.notify_all()

    def get(self, timeout: float | None = None, since: float = -math.inf) -> Utterance | None:
        """Wait for the next utterance that began at `since` or later; what began before stays where it is.

        None after `timeout` seconds, or once closed with nothing of that kind left.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._next(since) or self._closed, timeout)
            utterance = self._next(since)
            if utterance is not None:
                self._waiting.remove(utterance)
            return utterance

    def waits(self, utterance: Utterance) -> bool:
        """Return whether this very utterance was put and not taken out."""
        with self._changed:
            return any(one is utterance for one in self._waiting)

    def take_back(self, utterance: Utterance) -> bool:
        """Take this very utterance out again; False where it does not wait any more."""
        with self._changed:
            kept = [one for one in self._waiting if one is not utterance]
            found = len(kept) < len(self._waiting)
            self._waiting = deque(kept)
            return found

    def put_errand(self, errand: Callable[[], None]) -> None:
        """Add something to be done in the console's turn, but not before what people said."""
        with self._changed:
            self._errands.append(errand)
            self._changed.notify_all()

    def next_errand(self) -> Callable[[], None] | None:
        """Wait for the next errand; None as soon as somebody has spoken, or once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._errands or self._closed)
            return None if self._waiting or self._closed else self._errands.popleft()

    def close(self) -> None:
        """Close it: no more utterances will come; what is queued can still be taken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def clear(self) -> list[Utterance]:
        """Take out all that waits, for example what was said before a stop."""
        with self._changed:
            waiting = list(self._waiting)
            self._waiting.clear()
            return waiting

    @property
    def finished(self) -> bool:
        """Return whether it is closed and empty."""
        with self._changed:
            return self._closed and not self._waiting

    def _next(self, since: float) -> Utterance | None:
        return next((utterance for utterance in self._waiting if utterance.started_at >= since), None)

    def __len__(self) -> int:
        return len(self._waiting)
