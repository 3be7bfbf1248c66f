"""Sound files, read at once or heard as from a microphone."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from daemon.speech.audio import Reblocker, Samples
from daemon.speech.vad import BLOCK, RATE


class WavSource:
    """A sound file, or samples at `RATE`, as if someone spoke them; in real time or as fast as they are taken."""

    name = "wav"
    hears = True

    def __init__(self, sound: Path | Samples, realtime: bool = False) -> None:
        self._samples = read_sound(sound) if isinstance(sound, Path) else sound
        self._realtime = realtime
        self._closed = threading.Event()

    def blocks(self) -> Iterator[Samples]:
        started = time.monotonic()
        for count, block in enumerate(Reblocker(RATE).feed(self._samples, last=True), start=1):
            due = started + count * BLOCK / RATE if self._realtime else 0.0
            if self._closed.wait(max(0.0, due - time.monotonic())):
                return
            yield block

    def close(self) -> None:
        self._closed.set()


def read_sound(file: Path) -> Samples:
    """Return all of a sound file (WAV, FLAC, MP3 ...) as mono samples at `RATE`. Raises OSError or ValueError."""
    import av  # comes with faster-whisper

    try:
        with av.open(str(file)) as container:
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            frames = [*container.decode(audio=0), None]
            parts = [part.to_ndarray()[0] for frame in frames for part in resampler.resample(frame)]
    except (av.error.InvalidDataError, IndexError) as error:
        raise ValueError(f"{file} is not a sound file that can be read: {error}") from error
    return np.concatenate(parts) if parts else np.zeros(0, np.int16)
