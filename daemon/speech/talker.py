"""The mouth: text in, sound out, sentence by sentence."""

import logging
import threading
import time
from collections import deque

from daemon.speech.audio import AudioSink
from daemon.speech.tts import Synthesizer, sentences
from daemon.speech.worker import Worker

log = logging.getLogger(__name__)


class Talker:
    """Speaks what it is told, in order, in a thread of its own. The next sentence is made while one is heard.

    Closes neither synthesizer nor sink: whoever opened them does.
    """

    def __init__(self, synthesizer: Synthesizer, sink: AudioSink) -> None:
        self._synthesizer, self._sink = synthesizer, sink
        self._waiting: deque[str] = deque()
        self._sounding: list[str] = []
        self._turn = 0
        self._closed = False
        self._changed = threading.Condition()
        self._mouth = Worker("mouth", self._talk)

    def start(self) -> None:
        self._mouth.start()

    def say(self, text: str) -> None:
        """Speak `text` after all that was said before; returns at once. Raises RuntimeError when it cannot."""
        if self.failure is not None:
            raise RuntimeError(f"the mouth has stopped: {self.failure}") from self.failure
        with self._changed:
            if not self._closed:
                self._waiting.extend(sentences(text))
                self._changed.notify_all()

    @property
    def speaking(self) -> bool:
        """True from say() until all of it was heard or cancelled."""
        with self._changed:
            return self._busy

    @property
    def own_words(self) -> str:
        """What is being said and will be said next; empty in silence."""
        with self._changed:
            return " ".join([*self._sounding, *self._waiting])

    def wait_silent(self, timeout: float | None = None) -> bool:
        """Wait until all was said; False when it takes longer, or when the mouth is broken."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while self._busy and self._mouth.is_alive():
                left = (
                    _ALIVE_CHECK_SECONDS if deadline is None else min(_ALIVE_CHECK_SECONDS, deadline - time.monotonic())
                )
                if left <= 0:
                    return False
                self._changed.wait(left)
            return not self._busy

    def cancel(self) -> None:
        """Fall silent at once and forget the rest."""
        with self._changed:
            self._turn += 1
            self._waiting.clear()
            self._sink.cancel()
            self._changed.notify_all()

    def close(self) -> None:
        """Fall silent and end the thread."""
        with self._changed:
            self._closed = True
        self.cancel()
        if self._mouth.ident is not None:
            self._mouth.join(timeout=5)

    @property
    def alive(self) -> bool:
        """True while it can speak; if not, `failure` says why."""
        return self._mouth.is_alive()

    @property
    def failure(self) -> Exception | None:
        return self._mouth.failure

    @property
    def _busy(self) -> bool:
        return bool(self._waiting or self._sounding)

    def _talk(self) -> None:
        while not self._closed:
            if order := self._next():
                self._speak(*order)
            else:
                self._sink.drain()
                self._fell_silent()

    def _next(self) -> tuple[str, int] | None:
        """The next sentence and the turn in which it was ordered; None when what sounds now is the last."""
        with self._changed:
            self._changed.wait_for(lambda: self._busy or self._closed)
            if not self._waiting:
                return None
            self._sounding.append(self._waiting.popleft())
            return self._sounding[-1], self._turn

    def _speak(self, sentence: str, turn: int) -> None:
        samples, rate = self._synthesizer.synthesize(sentence)
        with self._changed:
            if turn == self._turn and len(samples):
                self._sink.play(samples, rate)

    def _fell_silent(self) -> None:
        with self._changed:
            self._sounding.clear()
            self._changed.notify_all()


_ALIVE_CHECK_SECONDS = 0.5
"""How long a waiter does not look whether the mouth still lives."""
