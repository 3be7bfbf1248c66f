"""Where sound comes from and where it goes: the two interfaces, a file to play to, and a microphone for programs.

The devices are in microphone.py and loudspeaker.py.
"""

import logging
import queue
import time
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import numpy as np
import soxr
from numpy.typing import NDArray

from daemon.speech.vad import BLOCK, RATE

log = logging.getLogger(__name__)

Samples = NDArray[np.int16]
"""Mono, 16 bits."""


class AudioUnavailable(RuntimeError):
    """A sound device that is not there, or went away; the message says what to do next."""


class AudioSource(Protocol):
    name: str
    """As an utterance's `source`: "microphone" or "wav"."""
    hears: bool
    """False while there is no device, and only silence comes."""

    def blocks(self) -> Iterator[Samples]:
        """`BLOCK` samples at `RATE` at a time, until the end or close(); an empty block stands for a gap.

        Raises AudioUnavailable when it dies.
        """
        ...

    def close(self) -> None:
        """End blocks(), from any thread."""
        ...


class AudioSink(Protocol):
    def play(self, samples: Samples, rate: int) -> None:
        """Add sound behind what is still to be played; returns before it was heard."""
        ...

    def drain(self) -> None:
        """Wait until all was played or cancelled. Raises AudioUnavailable when the device dies."""
        ...

    def soften(self, gain: float) -> None:
        """Play on with this loudness, 1 being full; with 0 hold still, and go on from the same sample afterwards."""
        ...

    def cancel(self) -> float:
        """Fall silent at once, from any thread; returns the seconds of sound that were not played, now forgotten."""
        ...

    def close(self) -> None: ...


class Reblocker:
    """Cuts sound of any rate and length into blocks of `BLOCK` samples at `RATE`; keeps what does not fill one."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._resampler = soxr.ResampleStream(rate, RATE, 1, dtype="int16") if rate != RATE else None
        self._rest = np.zeros(0, np.int16)

    def feed(self, samples: Samples, last: bool = False) -> Iterator[Samples]:
        """The blocks that are full now; after the `last` samples the rest, filled up with silence."""
        if self._resampler is not None:
            samples = self._resampler.resample_chunk(samples, last=last)
        self._rest = np.concatenate([self._rest, samples])
        if last:
            self._rest = np.pad(self._rest, (0, -len(self._rest) % BLOCK))
        while len(self._rest) >= BLOCK:
            block, self._rest = self._rest[:BLOCK], self._rest[BLOCK:]
            yield block


class VirtualMicrophone:
    """A microphone into which a program speaks, for demonstrations: speak() as often as you like, then close().

    Sound comes in real time: an answer must not seem to have begun before its question.
    """

    name = "wav"
    hears = True

    def __init__(self) -> None:
        self._spoken: queue.SimpleQueue[Samples | None] = queue.SimpleQueue()

    def speak(self, samples: Samples, rate: int) -> None:
        """Let the ears hear this, with a second of room before and after it."""
        room = np.zeros(RATE, np.int16)
        self._spoken.put(np.concatenate([room, resample(samples, rate, RATE), room]))

    def blocks(self) -> Iterator[Samples]:
        while True:
            try:
                samples = self._spoken.get(timeout=BLOCK / RATE)
            except queue.Empty:
                yield np.zeros(BLOCK, np.int16)
                continue
            if samples is None:
                return
            for block in Reblocker(RATE).feed(samples, last=True):
                time.sleep(BLOCK / RATE)
                yield block

    def close(self) -> None:
        """End it; what was spoken before is still heard."""
        self._spoken.put(None)


def resample(samples: Samples, rate: int, to: int) -> Samples:
    """The same sound at another rate."""
    return samples if rate == to else np.asarray(soxr.resample(samples, rate, to), np.int16)


class WavSink:
    """Everything that is played, one after the other, in a WAV file that can be read at any moment."""

    def __init__(self, file: Path, rate: int = 22050) -> None:
        self._file = file.open("wb")
        self._wav = wave.open(self._file, "wb")  # noqa: SIM115 - stays open until close()
        self._wav.setnchannels(1)
        self._wav.setsampwidth(2)
        self._wav.setframerate(rate)
        self._rate = rate

    def play(self, samples: Samples, rate: int) -> None:
        self._wav.writeframes(resample(samples, rate, self._rate).tobytes())
        self._file.flush()

    def drain(self) -> None:
        """A file takes everything at once."""

    def soften(self, gain: float) -> None:
        """Do nothing: what was written stays."""

    def cancel(self) -> float:
        """Return 0 seconds: what was written stays."""
        return 0.0

    def close(self) -> None:
        self._wav.close()
        self._file.close()
