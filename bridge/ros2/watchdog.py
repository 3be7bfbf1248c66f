"""Ends this process when it hangs: systemd starts it anew, and heed brakes what only hung on it."""

import faulthandler
import sys
from collections.abc import Callable
from functools import partial

SECONDS = 5.0
"""Without a sign of life after which the process is ended."""


class Watchdog:
    """Counts down in C, without Python's lock: what holds that lock for good is noticed, too."""

    def __init__(self, threads: int, seconds: float = SECONDS) -> None:
        """Each of so many threads shall call its own of `beats` at least every `seconds`; counting begins now."""
        self._seconds = seconds
        self._waiting = set(range(threads))
        self._threads = threads
        self.beats: list[Callable[[], None]] = [partial(self._beat, number) for number in range(threads)]
        self._wind_up()

    def _beat(self, thread: int) -> None:
        """Only when every thread has beaten the count begins anew."""
        self._waiting.discard(thread)
        if not self._waiting:
            self._waiting = set(range(self._threads))
            self._wind_up()

    def _wind_up(self) -> None:
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=sys.stderr)

    def close(self) -> None:
        """Stop counting."""
        faulthandler.cancel_dump_traceback_later()
