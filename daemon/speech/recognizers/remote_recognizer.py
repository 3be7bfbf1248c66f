"""A recogniser on another machine, and one here for when that is out of reach.

A stop never waits for a network: short sounds are understood here first.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from daemon.reflex import reflex_in
from daemon.speech.recognition import Limits, Recognition, Recognizer
from daemon.speech.vad import RATE
from daemon.speech.wyoming_client import Server, audio_events

SHORT = 2 * RATE
"""Samples in which a stop may be: understood here first."""
CONFIDENCE = 0.6
"""The protocol tells none: enough for what makes sense, too little for what nobody expects."""
LIMITS = Limits(possible=0.15, stop=0.3, sentence=0.3, word=0.4, anything=0.7, worth_asking=0.35)


class RemoteRecognizer:
    """Lets a server understand, and `local` whatever it does not answer."""

    def __init__(self, server: Server, local: Recognizer, language: str = "en") -> None:
        self.name = f"a Wyoming server, else {local.name}"
        self.lead, self.trail = local.lead, local.trail
        self.limits = LIMITS
        self.server = server
        self._local, self._language = local, language

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        if len(samples) <= SHORT and reflex_in((heard := self._local.recognize(samples)).text):
            return self._here(heard)
        answers = self.server.ask(_transcribe(samples, self._language), until="transcript")
        if answers is None:
            return self._here(self._local.recognize(samples))
        self.limits = LIMITS
        text = str(answers[-1].data.get("text", "")).strip()
        return Recognition(text, CONFIDENCE if text else 0.0)

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        self._local.set_vocabulary(sentences, names)

    def _here(self, heard: Recognition) -> Recognition:
        self.limits = self._local.limits
        return heard


def _transcribe(samples: NDArray[np.int16], language: str) -> Iterator[Any]:
    from wyoming.asr import Transcribe

    yield Transcribe(language=language).event()
    yield from audio_events(samples, RATE)
