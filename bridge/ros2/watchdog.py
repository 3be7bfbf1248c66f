"""Ends this process when it hangs: systemd starts it anew, and heed brakes what only hung on it."""

import faulthandler
import os
import sys
import time
from collections.abc import Callable
from functools import partial

from hw.notify import ALIVE, notify

SECONDS = 5.0
"""Without a sign of life after which the process is ended."""


class Watchdog:
    """Counts down in C, without Python's lock: what holds that lock for good is noticed, too.

    A process that was frozen for so long ends as well, once it goes on: the others of its network have given it up.
    """

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
        if time.monotonic() > self._ends:
            print("watchdog: this process was frozen, and ends", file=sys.stderr, flush=True)
            os._exit(1)
        if not self._waiting:
            self._waiting = set(range(self._threads))
            self._wind_up()

    def _wind_up(self) -> None:
        self._ends = time.monotonic() + self._seconds
        notify(ALIVE)
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=sys.stderr)

    def close(self) -> None:
        """Stop counting."""
        faulthandler.cancel_dump_traceback_later()
