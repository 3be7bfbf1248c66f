"""A word to the person while a model takes its time: silence must not look like a robot that has not heard."""

import math
import threading
from collections.abc import Callable

FIRST, AGAIN = 4.0, 20.0
"""Seconds until the first word, and between the others."""
ONE_MOMENT, STILL = "One moment.", "I am still thinking."


class Patience:
    """Counts from begin() to end(); both may come in any order, from one thread."""

    def __init__(
        self,
        tell: Callable[[str], None],
        silence: Callable[[], float] = lambda: math.inf,
        first: float = FIRST,
        again: float = AGAIN,
    ) -> None:
        """`tell` says a sentence, where `silence()` seconds are long enough; both from a thread of its own."""
        self._tell, self._silence = tell, silence
        self._first, self._again = first, again
        self._ended = threading.Event()
        self._ended.set()

    def begin(self) -> None:
        """A model was asked."""
        self.end()
        self._ended = threading.Event()
        threading.Thread(target=self._wait, args=(self._ended,), name="patience", daemon=True).start()

    def end(self) -> None:
        """End it: it has begun to answer, or will not."""
        self._ended.set()

    def _wait(self, ended: threading.Event) -> None:
        if ended.wait(self._first):
            return
        self._tell_unless_told(ONE_MOMENT, self._first)
        while not ended.wait(self._again):
            self._tell_unless_told(STILL, self._again)

    def _tell_unless_told(self, words: str, after: float) -> None:
        if self._silence() >= after:
            self._tell(words)
