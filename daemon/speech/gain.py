"""A microphone that is too quiet: noticed by the first sentences, and turned up from then on.

Of a voice that is much softer than -30 dB of full scale, what is noticed is mostly understood; but more and more is not
noticed at all.
"""

import logging
import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from daemon.speech.attention import root_mean_square
from daemon.speech.audio import Samples
from daemon.speech.frames import Framed
from daemon.speech.vad import RATE

log = logging.getLogger(__name__)

QUIET = -45.0
"""dB of full scale. The softest of 20 recorded people reaches -38; 20 dB below them no word is lost."""
SENTENCES = 2
"""So many in a row: one may have been whispered, or said from the next room."""


class GainControl(Protocol):
    """WebRTC's AGC2."""

    def process(self, audio: Samples, speech_probability: float | None = None) -> Samples:
        """Return whole frames at `RATE`, louder; without a given probability of speech it finds out itself."""
        ...


def open_gain() -> GainControl:
    """Return WebRTC's automatic gain; its package is optional. Raises what loading it raises."""
    import pywebrtc_audio

    return pywebrtc_audio.GainController(sample_rate=RATE)


class AutomaticGain:
    """Lets sound through as it is, until sentences have shown that the microphone is too quiet."""

    def __init__(self, opener: Callable[[], GainControl] = open_gain) -> None:
        self.too_quiet = False
        self._opener = opener
        self._softly = 0
        self._control: GainControl | None = None
        self._framed = Framed(self._raise)
        self._ours = False

    def __call__(self, block: Samples, ours: bool) -> Samples:
        """Return the block as it shall be heard; what `ours` is, the robot's own voice, teaches nothing."""
        self._ours = ours
        return block if self._control is None else self._framed(block)

    def learn(self, sentence: Samples) -> bool:
        """Take a sentence that a person said; return whether it is the one that shows a microphone too quiet."""
        if len(sentence):  # else it was understood so late that its sound is gone
            self._softly = self._softly + 1 if decibels(sentence) < QUIET else 0
        if self.too_quiet or self._softly < SENTENCES:
            return False
        self.too_quiet = True
        self._begin()
        return True

    def _begin(self) -> None:
        try:
            self._control = self._opener()
        except Exception as error:  # other people's native code: without it the microphone stays as quiet as it is
            log.warning("no automatic gain: %s", error)

    def _raise(self, frames: Samples) -> Samples:
        assert self._control is not None
        try:
            return self._control.process(frames, 0.0 if self._ours else None)
        except Exception as error:
            log.warning("no automatic gain any more: %s", error)
            self._control = None
            return frames


def decibels(samples: Samples) -> float:
    """Return the loudness of some sound in dB of full scale; digital silence has -120."""
    return 20 * math.log10(max(root_mean_square(samples.astype(np.float32)) / 32768, 1e-6))
