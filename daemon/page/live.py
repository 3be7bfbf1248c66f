"""What watchers of the conversation are told: the last steps, numbered, so that who was away can catch up."""

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from daemon.trigger import Utterance

KEPT = 300
"""Steps that who comes later still gets: some ten minutes of work."""
TEXT_LIMIT = 4000
"""Characters of one step that are shown."""

Step = dict[str, Any]
"""{"number": 7, "kind": "heard", "text": "bring me the juice", ...}; kinds are the methods of Live."""


class Live:
    """An Observer that remembers and wakes who watches. Any thread may call."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(4)
        """Another one after each start: numbers of an earlier run mean nothing."""
        self._steps: deque[Step] = deque(maxlen=KEPT)
        self._number = 0
        self._watchers: set[Callable[[], None]] = set()
        self.hearing: dict[str, Any] = {"text": "", "confidence": 0.0}
        """What somebody has said so far, while they speak."""
        self._lock = threading.Lock()

    def heard(self, utterance: Utterance) -> None:
        self.add("heard", utterance.text, speaker=utterance.speaker, source=utterance.source)

    def statement(self, statement: str) -> None:
        self.add("statement", statement)

    def result(self, result: str) -> None:
        if result:
            self.add("result", result)

    def said(self, text: str) -> None:
        self.add("said", text)

    def words(self, text: str, confidence: float) -> None:
        """Show what somebody has said so far; "" once that is over."""
        self.hearing = {"text": text[:TEXT_LIMIT], "confidence": round(confidence, 2)}
        self._wake()

    def add(self, kind: str, text: str, **more: Any) -> None:
        """Remember a step and wake everybody."""
        with self._lock:
            self._number += 1
            self._steps.append({"number": self._number, "kind": kind, "text": text[:TEXT_LIMIT], **more})
        self._wake()

    def since(self, number: int) -> list[Step]:
        """The steps after that one, as far as they are still known."""
        with self._lock:
            return [step for step in self._steps if step["number"] > number]

    @contextmanager
    def watched(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake`, from any thread, whenever there is a new step."""
        with self._lock:
            self._watchers.add(wake)
        try:
            yield
        finally:
            with self._lock:
                self._watchers.discard(wake)

    @property
    def watchers(self) -> int:
        return len(self._watchers)

    @property
    def is_watched(self) -> bool:
        return self.watchers > 0

    def _wake(self) -> None:
        with self._lock:
            watchers = list(self._watchers)
        for wake in watchers:
            wake()
