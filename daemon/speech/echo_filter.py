"""The echo as the room makes it, learned and subtracted: what is left of a person is whole, even while both speak.

WebRTC's canceller also suppresses what its own filter leaves, and with it much of who speaks at the same time. So,
once this filter has learned the room, what it leaves goes to the ear instead, while there is more of it than the echo
can explain.

A Kalman filter in the frequency domain, in blocks: F. Kuech, E. Mabande, G. Enzner, "State-space architecture of the
partitioned-block-based acoustic echo controller", ICASSP 2014, sections 2 and 3.
"""

import numpy as np
from numpy.typing import NDArray

from daemon.speech.audio import Samples
from daemon.speech.vad import BLOCK, RATE

Spectrum = NDArray[np.complex128]
Powers = NDArray[np.float64]

BLOCKS = 22
"""Of the past (704 ms) from which an echo may come: two devices' delays, and the room."""
STEADY = 0.9998
"""How much of what was learned still holds a block later (A in the paper)."""
FRESH = 1.0
"""Uncertainty of a filter that has learned nothing: no echo is louder than what is played."""
NEARBY = 0.5
"""Weight of the past in the power of what is no echo."""
UNEXPLAINED = 4.0
"""Times the power that is still expected of the echo (6 dB): more is somebody."""
DISTORTION = 0.03
"""Part of the echo's power (-15 dB) that a loudspeaker may distort, and no linear filter explains."""
LEARNED = 0.1
"""Part of what is recorded that is left (-10 dB) when the filter counts as one that knows the room."""
MOVED = 1.1
"""What is left of so much, by what is subtracted, is more than was recorded: the way is another one now."""
SLOWLY, SOON = 1 / 32, 1 / 6
"""Weights of a block (1 s, 0.2 s) in these two."""
AUDIBLE = 100.0
"""Root mean square from which what is played tells anything."""
LINGERS = 8
"""Blocks (256 ms) for which somebody is let through after the last that was louder than the echo."""
_VOICE = slice(round(300 * 2 * BLOCK / RATE), round(4000 * 2 * BLOCK / RATE))
"""Where voices are, in the spectrum."""


class EchoFilter:
    """Learns the way from loudspeaker to microphone from what is played and recorded, block by block."""

    def __init__(self) -> None:
        self._far: Powers = np.zeros(2 * BLOCK)
        self._played: Spectrum = np.zeros((BLOCKS, BLOCK + 1), np.complex128)
        self._way: Spectrum = np.zeros((BLOCKS, BLOCK + 1), np.complex128)
        self._doubt: Powers = np.full((BLOCKS, BLOCK + 1), FRESH)
        self._others: Powers = np.ones(BLOCK + 1)
        self._energy, self._energy_now = np.ones(2), np.ones(2)
        """Of what is left, and of what was recorded, while something is played: for long, and just now."""
        self._knows = False
        self._open = 0

    def __call__(self, near: Samples, far: Samples) -> Samples | None:
        """Return `near` without the echo of `far`, `BLOCK` samples each.

        None while nobody else seems to speak, and while the room is not known.
        """
        self._far = np.concatenate([self._far[BLOCK:], far])
        self._played = np.concatenate([np.fft.rfft(self._far)[None], self._played[:-1]])
        echo = np.sum(self._played * self._way, axis=0)
        left = near - np.fft.irfft(echo)[BLOCK:]
        spectrum = np.fft.rfft(np.concatenate([np.zeros(BLOCK), left]))
        somebody = self._somebody(np.abs(spectrum) ** 2, self._expected(), np.abs(echo) ** 2)
        if float(np.std(far)) >= AUDIBLE:
            self._judge(np.array([np.sum(left**2), np.sum(near.astype(np.float64) ** 2)]))
        self._learn(spectrum)
        return self._let_through(left, somebody) if self._knows else None

    def _somebody(self, power: Powers, expected: Powers, echo: Powers) -> bool:
        """Return whether there is more than the echo explains."""
        explained = UNEXPLAINED * expected[_VOICE] + DISTORTION * np.mean(echo[_VOICE])
        return bool(np.sum(np.maximum(power[_VOICE] - explained, 0.0)) > 0.5 * np.sum(power[_VOICE]))

    def _judge(self, energy: Powers) -> None:
        """Find out whether the room is known. Somebody who speaks adds to both, what is recorded and what is left."""
        self._energy += SLOWLY * (energy - self._energy)
        self._energy_now += SOON * (energy - self._energy_now)
        if self._knows and self._energy_now[0] > MOVED * self._energy_now[1]:
            self._energy[0], self._knows = self._energy[1], False
            self._doubt[:] = FRESH
        self._knows = self._knows or bool(self._energy[0] < LEARNED * self._energy[1])

    def _expected(self) -> Powers:
        """Return the power of the echo that is still to be expected after what was learned is subtracted."""
        return np.asarray(np.sum(np.abs(self._played) ** 2 * self._doubt, axis=0))

    def _learn(self, left: Spectrum) -> None:
        self._others += (1 - NEARBY) * (np.abs(left) ** 2 - self._others)
        step = self._doubt / (self._expected() + 2 * self._others + 1e-3)
        change = np.fft.irfft(step * np.conj(self._played) * left, axis=1)
        change[:, BLOCK:] = 0.0
        self._way = STEADY * (self._way + np.fft.rfft(change, axis=1))
        self._doubt *= STEADY**2 * (1 - 0.5 * step * np.abs(self._played) ** 2)
        self._doubt += (1 - STEADY**2) * np.abs(self._way) ** 2

    def _let_through(self, left: Powers, somebody: bool) -> Samples | None:
        self._open = LINGERS if somebody else max(0, self._open - 1)
        return np.asarray(np.clip(left, -32768, 32767), np.int16) if self._open else None
