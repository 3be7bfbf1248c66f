"""Looking for voices and keywords only while there is something to hear: that is most of what an idle ear costs."""

from collections import deque
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from daemon.speech.keywords import Keywords
from daemon.speech.vad import SpeechProbability

LOUDER = 1.4
"""Times the quiet of the room (3 dB). Of 43 commands in the noise of a room, 0 to 20 dB above it, as many are noticed
as by looking all the time."""
RISE = 1.005
"""So much the quiet of the room may grow in a block (1.4 dB in a second): a fan that starts is quiet after a while, and
a sentence is over before it is."""
NOTHING = 1.0
"""Digital silence tells nothing of a room."""
LINGER = 16
"""Quiet blocks (512 ms) after which attention goes."""
MISSED = 8
"""Blocks (256 ms) before the first loud one that are looked at with it: a soft beginning is among them."""


class Attention:
    """A voice detector and a keyword spotter over one stream of sound, which rest in the quiet."""

    def __init__(self, keywords: Keywords) -> None:
        self._keywords = keywords
        self._probability = SpeechProbability()
        self._missed: deque[NDArray[np.int16]] = deque(maxlen=MISSED)
        self._quiet = [0.0, 0.0]
        self._calm = 0

    def __call__(self, block: NDArray[np.int16], nobody: bool = True) -> tuple[float, str | None]:
        """The probability that someone speaks in these `BLOCK` samples, and the phrase that has just been spoken.

        It never rests unless `nobody` is being listened to. At rest the probability is 0.
        """
        if self._is_calm(block) and nobody:
            self._missed.append(block)
            return 0.0, None
        if self._missed:
            self._probability.reset()
        probability, found = 0.0, None
        for one in (*self._missed, block):
            probability = self._probability(one)
            found = self._keywords.heard(one) or found
        self._missed.clear()
        return probability, found

    def reset(self) -> None:
        """Forget what was heard, for example after a gap in the sound."""
        self._probability.reset()
        self._missed.clear()
        self._calm = 0

    def _is_calm(self, block: NDArray[np.int16]) -> bool:
        self._calm += 1
        for band, level in enumerate(levels(block)):
            if level > NOTHING:
                quiet = self._quiet[band]
                self._quiet[band] = min(level, quiet * RISE) if quiet > NOTHING else level
            if level > max(NOTHING, LOUDER * self._quiet[band]):
                self._calm = 0
        return self._calm > LINGER


def levels(block: NDArray[np.int16]) -> tuple[float, float]:
    """Return how loud vowels (0.3 to 2 kHz, roughly) and hisses (above) are, as root mean squares of differences.

    The rumble of a room hardly counts, and hiss does not hide a vowel.
    """
    samples = block.astype(np.float32)
    coarse = samples[: len(samples) // 4 * 4].reshape(-1, 4).sum(axis=1)
    return root_mean_square(coarse[1:] - coarse[:-1]), root_mean_square(samples[1:] - samples[:-1])


def root_mean_square(values: NDArray[np.float32]) -> float:
    return sqrt(float(values @ values) / len(values))
