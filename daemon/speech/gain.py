"""A microphone that is too quiet: turned up from the first soft sentence on, and told of after the second.

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
"""So many in a row are told of: one may have been whispered, or said from the next room."""


class GainControl(Protocol):
    """WebRTC's AGC2."""

    gain_db: float
    """By so much it raises now."""

    def process(self, audio: Samples, speech_probability: float | None = None) -> Samples:
        """Return whole frames at `RATE`, louder; without a given probability of speech it finds out itself."""
        ...


def open_gain() -> GainControl:
    """Return WebRTC's automatic gain; its package is optional. Raises what loading it raises."""
    import pywebrtc_audio

    return pywebrtc_audio.GainController(sample_rate=RATE)


class AutomaticGain:
    """Lets sound through as it is, until a sentence was too soft."""

    def __init__(self, opener: Callable[[], GainControl] = open_gain) -> None:
        self.too_quiet = False
        self._opener = opener
        self._softly = 0
        self._begun = False
        self._control: GainControl | None = None
        self._framed = Framed(self._raise)
        self._ours = False

    def __call__(self, block: Samples, ours: bool) -> Samples:
        """Return the block as it shall be heard; what `ours` is, the robot's own voice, teaches nothing."""
        self._ours = ours
        return block if self._control is None else self._framed(block)

    def learn(self, sentence: Samples) -> bool:
        """Take a sentence of a person, as it was heard just now; return whether it shows a microphone too quiet."""
        if len(sentence):  # else it was understood so late that its sound is gone
            self._softly = self._softly + 1 if decibels(sentence) - self._raised < QUIET else 0
        if self._softly == 1:
            self._begin()
        if self.too_quiet or self._softly < SENTENCES:
            return False
        self.too_quiet = True
        return True

    @property
    def _raised(self) -> float:
        return self._control.gain_db if self._control is not None else 0.0

    def _begin(self) -> None:
        if self._begun:
            return
        self._begun = True
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


def turned_up(recording: Samples) -> Samples:
    """Return a finished recording as loud as people mostly are, where its loudest stretch is too soft; else as it is.

    Of what is finished the loudness is known, so that nothing has to be learned first.
    """
    stretches = [recording[begin : begin + _STRETCH] for begin in range(0, max(1, len(recording) - _STRETCH), _STRETCH)]
    loudest = max(map(decibels, stretches))
    if loudest >= QUIET:
        return recording
    raised = recording * 10 ** (min(_SPOKEN - loudest, _MOST) / 20)
    return np.asarray(np.clip(raised, -32768, 32767), np.int16)


_STRETCH = round(0.3 * RATE)
_SPOKEN, _MOST = -25.0, 40.0
"""dB of full scale of the loudest stretch of a voice, and by how many it is raised at most: 16 bits hold no more."""


def decibels(samples: Samples) -> float:
    """Return the loudness of some sound in dB of full scale; digital silence has -120."""
    return 20 * math.log10(max(root_mean_square(samples.astype(np.float32)) / 32768, 1e-6))
