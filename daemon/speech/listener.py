"""The ear: sound in, utterances and stops out.

Two threads, so that "stop" is heard while a sentence is being recognised. Time is counted in samples; the clock is
read only to tell when an utterance began.
"""

import logging
import queue
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from daemon.reflex import Reflex, reflex_in
from daemon.speech.asr import Recognizer
from daemon.speech.audio import AudioSource
from daemon.speech.keywords import StopWord
from daemon.speech.vad import RATE, Segment, Segmenter, SpeechProbability
from daemon.speech.worker import Worker
from daemon.trigger import Utterance

log = logging.getLogger(__name__)

_ECHO_TAIL = round(0.3 * RATE)
"""Samples that a room still sounds after we fell silent."""
_VOICE_BEFORE_STOP = round(0.4 * RATE)
"""Samples between a voice and the detection of the stop word in it; without a voice it was noise."""


class Listener:
    """Follows one source to its end, or to close(). While the robot speaks it hears nothing but the stop word."""

    def __init__(
        self,
        source: AudioSource,
        recognizer: Recognizer,
        on_utterance: Callable[[Utterance], None],
        on_stop: Callable[[str], None],
        is_speaking: Callable[[], bool] = lambda: False,
        own_words: Callable[[], str] = lambda: "",
    ) -> None:
        """`is_speaking()` and `own_words()` tell whether, and what, the robot itself says into this source's room."""
        self.last_block_at: float | None = None
        """Monotonic seconds at which the last sound came; None before the first. For the watchdog."""
        self._source, self._recognizer = source, recognizer
        self._on_utterance, self._on_stop, self._is_speaking = on_utterance, on_stop, is_speaking
        self._stop_word = StopWord(own_words)
        self._probability, self._segmenter = SpeechProbability(), Segmenter()
        self._recent = RecentSound(self._segmenter.longest + self._segmenter.pre_roll + 2 * RATE)
        self._deaf_until = 0
        self._voice_at = -RATE
        self._stopped_at = -1
        self._spoken: queue.SimpleQueue[_Spoken | None] = queue.SimpleQueue()
        self._ear = Worker("ear", self._listen)
        self._understanding = Worker("recogniser", self._understand)

    def start(self) -> None:
        self._understanding.start()
        self._ear.start()

    def close(self) -> None:
        """Stop listening; what was already spoken is still recognised."""
        self._source.close()
        for thread in (self._ear, self._understanding):
            if thread.ident is not None:
                thread.join(timeout=5)

    @property
    def alive(self) -> bool:
        """True while both threads run. Afterwards either `drained`, or `failure` says why not."""
        return self._ear.is_alive() and self._understanding.is_alive()

    @property
    def failure(self) -> Exception | None:
        return self._ear.failure or self._understanding.failure

    @property
    def drained(self) -> bool:
        """True once the source has ended and all that was said in it was delivered."""
        return self._ear.ended_well and self._understanding.ended_well

    def wait_drained(self, timeout: float | None = None) -> bool:
        """Wait for the end, a good one or a bad one; returns `drained`."""
        self._ear.join(timeout)
        self._understanding.join(timeout)
        return self.drained

    def _listen(self) -> None:
        try:
            for block in self._source.blocks():
                self.last_block_at = time.monotonic()
                self._hear(block)
            self._hand_over(self._segmenter.finish())
        finally:
            self._spoken.put(None)

    def _hear(self, block: NDArray[np.int16]) -> None:
        self._recent.add(block)
        probability = self._probability(block)
        if probability >= self._segmenter.on:
            self._voice_at = self._recent.end
        word = self._stop_word.heard(block)
        if word and self._recent.end - self._voice_at <= _VOICE_BEFORE_STOP:
            log.info("stop word: %s", word)
            self._stopped_at = self._recent.end
            self._on_stop(word)
        self._hand_over(self._segmenter.feed(0.0 if self._deaf() else probability, len(block)))

    def _deaf(self) -> bool:
        if self._is_speaking():
            if self._segmenter.speaking:
                log.info("not listening any more: the robot speaks")
            self._segmenter.drop()
            self._deaf_until = self._recent.end + _ECHO_TAIL
        return self._recent.end <= self._deaf_until and self._deaf_until > 0

    def _hand_over(self, segment: Segment | None) -> None:
        if segment is None or not self._understanding.is_alive():
            return
        begin, end = segment.around(self._recognizer.lead, self._recognizer.trail)
        now, heard = time.monotonic(), self._recent.end
        self._spoken.put(
            _Spoken(
                samples=self._recent.cut(begin, end),
                started_at=now - (heard - segment.speech_start) / RATE,
                ended_at=now - (heard - segment.speech_end) / RATE,
                stopped=self._stopped_at > segment.start,
            )
        )

    def _understand(self) -> None:
        while (spoken := self._spoken.get()) is not None:
            recognition = self._recognizer.recognize(spoken.samples)
            now = time.monotonic()
            log.info("heard %r (%.2f), %.2f s after the end of speech", recognition.text, recognition.confidence,
                     now - spoken.ended_at)  # fmt: skip
            if reflex_in(recognition.text) is Reflex.STOP:
                if not spoken.stopped:
                    self._on_stop(recognition.text)
            elif recognition.text:
                self._on_utterance(
                    Utterance(
                        recognition.text, recognition.confidence, self._source.name,
                        started_at=spoken.started_at, heard_at=now,
                    )
                )  # fmt: skip


@dataclass(frozen=True)
class _Spoken:
    """One stretch of speech on its way to the recogniser."""

    samples: NDArray[np.int16]
    started_at: float
    ended_at: float
    stopped: bool
    """The stop word was found in it already."""


class RecentSound:
    """The last so many samples of a stream, addressed by their number since its beginning."""

    def __init__(self, kept: int) -> None:
        self._blocks: deque[NDArray[np.int16]] = deque()
        self._kept = kept
        self._begin = 0
        self.end = 0
        """Number of the next sample."""

    def add(self, block: NDArray[np.int16]) -> None:
        self._blocks.append(block)
        self.end += len(block)
        while self.end - self._begin - len(self._blocks[0]) >= self._kept:
            self._begin += len(self._blocks.popleft())

    def cut(self, begin: int, end: int) -> NDArray[np.int16]:
        """Samples from `begin` to before `end`, as far as they are still there."""
        sound = np.concatenate([np.zeros(0, np.int16), *self._blocks])
        return sound[max(0, begin - self._begin) : max(0, end - self._begin)]
