"""Never silence: whoever spoke to heed hears within a second that it works, and then what at, until it has answered."""

import threading
import time
from collections.abc import Callable

FIRST, AGAIN = 1.2, 5.0
"""Seconds of silence until the first word, and between the others."""
TICK = 0.1
GAP = 0.5
"""Seconds without work after which it is over."""
ONE_MOMENT, STILL_THINKING = "One moment.", "I am still thinking."


class SignOfLife:
    """A sign that heed works while it is silent; what was asked aloud begins it."""

    def __init__(
        self,
        tell: Callable[[str], None],
        silence: Callable[[], float],
        doing: Callable[[], str],
        busy: Callable[[], bool],
        first: float = FIRST,
        again: float = AGAIN,
    ) -> None:
        """`silence()` is for how many seconds nothing was said; `doing()` the end of "I am ...", "" while it thinks.

        `busy()` tells whether there is still something to answer. All are called from a thread of its own.
        """
        self._tell, self._silence, self._doing, self._busy = tell, silence, doing, busy
        self._first, self._again = first, again
        self._lock = threading.Lock()
        self._begun = 0.0
        self._running = False

    def begin(self) -> None:
        """Begin: somebody has spoken, and waits."""
        with self._lock:
            self._begun = time.monotonic()
            if self._running:
                return
            self._running = True
        threading.Thread(target=self._watch, name="sign of life", daemon=True).start()

    def _watch(self) -> None:
        told = ""
        begun = idle = 0.0
        while self._goes_on(idle):
            idle = 0.0 if self._busy() else idle + TICK
            if begun != self._begun:
                begun, told = self._begun, ""
            time.sleep(TICK)
            since = min(self._silence(), time.monotonic() - begun)
            if since >= (self._again if told else self._first) and self._busy():
                told = self._words(told)
                self._tell(told)

    def _goes_on(self, idle: float) -> bool:
        """Return whether there was something to do a moment ago: between a sentence and the work on it there is a
        gap.
        """
        with self._lock:
            self._running = idle < GAP
            return self._running

    def _words(self, told: str) -> str:
        doing = self._doing()
        if not doing:
            return STILL_THINKING if told else ONE_MOMENT
        return f"I am still {doing}." if told in (f"I am {doing}.", f"I am still {doing}.") else f"I am {doing}."
