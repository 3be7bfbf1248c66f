"""The loudspeaker: one stream that stays open, since a sound system cuts the first word of a new one."""

import logging
import threading
from collections import deque
from typing import Any

import numpy as np

from daemon.speech import sound_devices
from daemon.speech.audio import AudioUnavailable, Samples, resample
from daemon.speech.echo import PlayedSound

log = logging.getLogger(__name__)


class LoudspeakerSink:
    """Sound to a playing device. One that went away is looked for whenever something is to be said."""

    def __init__(self, pattern: str = "", wait: bool = False, played: PlayedSound | None = None) -> None:
        """Raises AudioUnavailable where there is none, unless it shall `wait` for it; `played` is given all that
        sounds."""
        self.device = ""
        self.played = played or PlayedSound()
        self._pattern = pattern
        self._stream: Any = None
        self._buffer, self._rate = PlayBuffer(fade=0), 48000
        try:
            self._open()
        except AudioUnavailable:
            if not wait:
                raise

    def play(self, samples: Samples, rate: int) -> None:
        with sound_devices.lock:
            if not (self._stream and self._stream.active) and not self._came_back():
                return
            self._buffer.add(resample(samples, rate, self._rate))

    def drain(self) -> None:
        """Wait until all was played or cancelled. What a loudspeaker that went away did not play is forgotten."""
        if not self._buffer.wait_empty(_SILENT_SECONDS):
            log.warning("the loudspeaker %r takes no sound any more; is it plugged in?", self.device)
            self._buffer.cancel()
            sound_devices.close_stream(self._stream)

    def soften(self, gain: float) -> None:
        self._buffer.gain = gain

    def cancel(self) -> float:
        return self._buffer.cancel() / self._rate

    def close(self) -> None:
        sound_devices.close_stream(self._stream)

    def _came_back(self) -> bool:
        sound_devices.close_stream(self._stream)
        try:
            try:
                self._open()
            except AudioUnavailable:
                sound_devices.look_again()
                self._open()
        except AudioUnavailable as error:
            log.warning("not said aloud: %s", error)
            return False
        return True

    def _open(self) -> None:
        device = sound_devices.find_device(self._pattern, recording=False)
        self.device = device.name
        self._rate = round(device.rate)
        self._buffer = buffer = PlayBuffer(fade=self._rate // 100)
        self._stream = sound_devices.open_stream(
            "OutputStream", device, needed=lambda: not buffer.empty, samplerate=self._rate,
            blocksize=round(_BLOCK_SECONDS * self._rate), callback=self._copy, finished_callback=buffer.close,
        )  # fmt: skip

    def _copy(self, out: Any, frames: int, when: Any, status: Any) -> None:
        samples = self._buffer.take(frames)
        out[:, 0] = samples
        self.played.add(samples, self._rate)


_BLOCK_SECONDS = 0.03
"""Of sound in each callback; of two such blocks PortAudio makes the 60 ms that it would make of three of 20 ms, too."""
_SILENT_SECONDS = 3.0
"""A loudspeaker that takes nothing for so long is dead; the first callback may take 1.8 s through PulseAudio."""


class PlayBuffer:
    """Samples on their way from the mouth to a sound callback."""

    def __init__(self, fade: int) -> None:
        self._waiting: deque[Samples] = deque()
        self._changed = threading.Condition()
        self._fade = fade
        self._taken = 0
        self.gain = 1.0
        """Loudness of what is taken next; with 0 nothing is taken, and the rest waits."""
        self._gain_before = 1.0
        self._closed = False

    @property
    def taken(self) -> int:
        """Samples that were really played since the beginning."""
        return self._taken

    @property
    def empty(self) -> bool:
        """Return whether nothing is to be played, or nobody is there to play it."""
        return not self._waiting or self._closed

    def add(self, samples: Samples) -> None:
        with self._changed:
            self._waiting.append(samples)

    def take(self, count: int) -> Samples:
        """The next `count` samples; silence where there are none."""
        out = np.zeros(count, np.int16)
        gain, before = self.gain, self._gain_before
        if gain == before == 0.0:
            return out
        if not self._waiting:  # most of a robot's life
            self._gain_before = gain
            return out
        with self._changed:
            filled = 0
            while self._waiting and filled < count:
                part = self._waiting.popleft()
                used = part[: count - filled]
                out[filled : filled + len(used)] = used
                filled += len(used)
                if len(used) < len(part):
                    self._waiting.appendleft(part[len(used) :])
            self._taken += filled
            self._gain_before = gain
            self._changed.notify_all()
        if gain == before == 1.0:
            return out
        return (out * np.linspace(before, gain, count)).astype(np.int16)  # a step would click

    def cancel(self) -> int:
        """Keep only a short fade, against a click; returns how many samples are not played now."""
        with self._changed:
            lost = sum(map(len, self._waiting))
            self.gain = 1.0
            rest = self._waiting.popleft()[: self._fade] if self._waiting else np.zeros(0, np.int16)
            self._waiting.clear()
            if len(rest):
                self._waiting.append((rest * np.linspace(1, 0, len(rest))).astype(np.int16))
            self._changed.notify_all()
            return lost

    def close(self) -> None:
        """Close the stream: nothing will be taken any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def wait_empty(self, stalled_seconds: float) -> bool:
        """Wait until all was taken; False when nobody takes any more."""
        with self._changed:
            while self._waiting and not self._closed:
                if not self._changed.wait(stalled_seconds) and self.gain:
                    return False
            return not self._waiting
