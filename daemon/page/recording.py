"""Push to talk from the page: a finished recording becomes an utterance, with a recogniser of its own."""

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from daemon.service.control import CommandError
from daemon.speech.recognition import RecognitionError, Recognizer
from daemon.speech.vad import RATE
from daemon.trigger import Utterance

TOO_SHORT = RATE // 5
"""Samples; a fifth of a second is a slip of the finger."""


class Recordings:
    """Understands one recording after the other. The recogniser is opened when the first comes."""

    def __init__(
        self,
        open_recognizer: Callable[[], Recognizer],
        on_utterance: Callable[[Utterance], None],
        source: str = "page",
    ) -> None:
        self._source = source
        self._open = open_recognizer
        self._on_utterance = on_utterance
        self._recognizer: Recognizer | None = None
        self._lock = threading.Lock()

    def hear(self, samples: NDArray[np.int16]) -> str:
        """Returns what was understood and hands it on; "" for nothing. Raises CommandError without a recogniser."""
        if len(samples) < TOO_SHORT:
            return ""
        try:
            with self._lock:
                self._recognizer = self._recognizer or self._open()
                heard = self._recognizer.recognize(samples)
        except RecognitionError as error:
            raise CommandError(str(error), "see `heed doctor`") from error
        if heard.text:
            self._on_utterance(Utterance(heard.text, heard.confidence, source=self._source))
        return heard.text
