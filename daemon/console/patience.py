"""A word to the person while a model takes its time: silence must not look like a robot that has not heard."""

import threading
from collections.abc import Callable

FIRST, AGAIN = 4.0, 20.0
"""Seconds until the first word, and between the others."""
ONE_MOMENT, STILL = "One moment.", "I am still thinking."


class Patience:
    """Counts from begin() to end(); both may come in any order, from one thread."""

    def __init__(self, tell: Callable[[str], None], first: float = FIRST, again: float = AGAIN) -> None:
        """`tell` says a sentence; it is called from a thread of its own."""
        self._tell = tell
        self._first, self._again = first, again
        self._ended = threading.Event()
        self._ended.set()

    def begin(self) -> None:
        """A model was asked."""
        self.end()
        self._ended = threading.Event()
        threading.Thread(target=self._wait, args=(self._ended,), name="patience", daemon=True).start()

    def end(self) -> None:
        """It has begun to answer, or will not."""
        self._ended.set()

    def _wait(self, ended: threading.Event) -> None:
        if ended.wait(self._first):
            return
        self._tell(ONE_MOMENT)
        while not ended.wait(self._again):
            self._tell(STILL)
