"""Sound for WebRTC, which works on 10 ms at a time, while heed goes by blocks."""

import math
from collections.abc import Callable

import numpy as np

from daemon.speech.audio import Samples
from daemon.speech.vad import BLOCK, RATE

FRAME = RATE // 100
"""What is no multiple of it WebRTC fills up with zeros, and hears little afterwards."""
DELAY = FRAME - math.gcd(FRAME, BLOCK)
"""Samples that a block may lack of whole frames."""


class Framed:
    """Takes blocks to what works on whole frames; what comes out is `DELAY` samples later."""

    def __init__(self, process: Callable[..., Samples], channels: int = 1) -> None:
        """`process` is given whole frames, as many of each channel, and returns as many samples."""
        self._process = process
        self._waiting = [np.zeros(0, np.int16)] * channels
        self._done = np.zeros(DELAY, np.int16)

    def __call__(self, *block: Samples) -> Samples:
        """Return `BLOCK` samples for `BLOCK` of each channel."""
        waiting = [np.concatenate(both) for both in zip(self._waiting, block, strict=True)]
        count = len(waiting[0]) // FRAME * FRAME
        self._waiting = [samples[count:] for samples in waiting]
        self._done = np.concatenate([self._done, self._process(*(samples[:count] for samples in waiting))])
        done, self._done = self._done[:BLOCK], self._done[BLOCK:]
        return done
