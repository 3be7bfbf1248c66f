"""Push to talk: a finished recording becomes an utterance, judged as the ear judges what it hears itself."""

import logging
import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from daemon.service.control import CommandError
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_events import Recognize
from daemon.speech.gain import turned_up
from daemon.speech.judgement import Evidence, Verdict
from daemon.speech.recognition import RecognitionError, Recognizer
from daemon.speech.recognition_queue import Order, understood
from daemon.speech.vad import BLOCK, RATE, Segment, SpeechProbability
from daemon.trigger import Utterance

log = logging.getLogger(__name__)

TOO_SHORT = RATE // 5
"""Samples; a fifth of a second is a slip of the finger."""
VOICE = 0.5
"""Probability from which a block is a voice, as for the ear."""


class Recordings:
    """Understands one recording after the other. The recogniser is opened when the first comes."""

    def __init__(
        self,
        open_recognizer: Callable[[], Recognizer],
        sense: Callable[[], Sense],
        on_utterance: Callable[[Utterance], None],
        on_doubt: Callable[[Utterance], None],
        asking: Callable[[], bool] = lambda: False,
        source: str = "page",
    ) -> None:
        """`sense()` is what one may say at this moment; what was only perhaps said goes to `on_doubt`.

        `asking` tells whether heed waits for an answer.
        """
        self._source = source
        self._open = open_recognizer
        self._sense = sense
        self._on_utterance = on_utterance
        self._on_doubt = on_doubt
        self._asking = asking
        self._recognizer: Recognizer | None = None
        self._voice: SpeechProbability | None = None
        self._lock = threading.Lock()

    def hear(self, samples: NDArray[np.int16]) -> str:
        """Hand on what was understood and return it; "" for nothing. Raises CommandError without a recogniser."""
        if len(samples) < TOO_SHORT:
            return ""
        samples = turned_up(samples)
        try:
            with self._lock:
                sense = self._sense()
                judgement = understood(self._expecting(sense), self._order(samples), sense)
        except RecognitionError as error:
            raise CommandError(str(error), "see `heed doctor`") from error
        if judgement.verdict is Verdict.DROP:
            log.info("heard %r over %s: %s", judgement.heard, self._source, judgement.reason)
            return ""
        react = self._on_utterance if judgement.verdict is Verdict.ACCEPT else self._on_doubt
        react(Utterance(judgement.text, judgement.confidence, source=self._source))
        return judgement.text

    def _expecting(self, sense: Sense) -> Recognizer:
        """Return the recogniser, which expects what makes sense now."""
        self._recognizer = self._recognizer or self._open()
        self._recognizer.set_vocabulary(sense.expected, sense.named)
        return self._recognizer

    def _order(self, samples: NDArray[np.int16]) -> Order:
        seconds = self._voice_seconds(samples)
        everything = Segment(0, 0, len(samples), len(samples))
        return Order(
            Recognize(0, everything, final=True), samples, Evidence(seconds, asked=self._asking(), addressed=True)
        )

    def _voice_seconds(self, samples: NDArray[np.int16]) -> float:
        """Return how much of it is a voice."""
        self._voice = self._voice or SpeechProbability()
        self._voice.reset()
        blocks = [samples[begin : begin + BLOCK] for begin in range(0, len(samples) - BLOCK + 1, BLOCK)]
        return sum(self._voice(block) >= VOICE for block in blocks) * BLOCK / RATE
