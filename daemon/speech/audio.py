"""Where sound comes from and where it goes: microphone, loudspeaker, WAV files, and programs that pretend to be either.

The sound library is imported when a device is opened, not before: without libportaudio2 its import fails.
"""

import logging
import queue
import re
import threading
import time
import wave
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import soxr
from numpy.typing import NDArray

from daemon.speech.vad import BLOCK, RATE

log = logging.getLogger(__name__)

Samples = NDArray[np.int16]
"""Mono, 16 bits."""


class AudioUnavailable(RuntimeError):
    """There is no such sound device, or it went away; the message says what to do next."""


class AudioSource(Protocol):
    name: str
    """As an utterance's `source`: "microphone" or "wav"."""

    def blocks(self) -> Iterator[Samples]:
        """`BLOCK` samples at `RATE` at a time, until the end or close(). Raises AudioUnavailable when it dies."""
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


@dataclass(frozen=True)
class AudioDevice:
    index: int
    name: str
    inputs: int
    """Channels that it can record."""
    outputs: int
    """Channels that it can play."""
    rate: float
    """Hertz that it likes best."""


def audio_devices() -> list[AudioDevice]:
    """All devices there are now; empty on a machine without any. Raises AudioUnavailable without libportaudio2."""
    return [
        AudioDevice(i, d["name"], d["max_input_channels"], d["max_output_channels"], d["default_samplerate"])
        for i, d in enumerate(_portaudio().query_devices())
    ]


def is_monitor(name: str) -> bool:
    """True for a recording device that only repeats what a loudspeaker plays: the robot would listen to itself."""
    return re.search(r"\bmonitor\b", name, re.IGNORECASE) is not None


def choose_device(devices: list[AudioDevice], pattern: str, recording: bool) -> AudioDevice:
    """The first device with all words of `pattern` in its name, in any case. Never a monitor for recording."""
    kind = "microphone" if recording else "loudspeaker"
    usable = [d for d in devices if (d.inputs if recording else d.outputs) and not (recording and is_monitor(d.name))]
    words = pattern.lower().split()
    for device in usable:
        if all(word in device.name.lower() for word in words):
            return device
    if not usable:
        raise AudioUnavailable(f"no {kind} is connected; plug one in, or type to the robot instead")
    names = ", ".join(repr(d.name) for d in usable)
    raise AudioUnavailable(f"no {kind} is called {pattern!r}; change {kind} in [speech] to part of one of: {names}")


def _device(pattern: str, recording: bool) -> AudioDevice:
    devices = audio_devices()
    if not pattern:
        default = _portaudio().default.device[0 if recording else 1]
        devices = sorted(devices, key=lambda d: d.index != default)
    return choose_device(devices, pattern, recording)


def _portaudio() -> Any:
    try:
        import sounddevice
    except OSError as error:
        raise AudioUnavailable("the sound library is missing: apt install libportaudio2") from error
    return sounddevice


class Reblocker:
    """Cuts sound of any rate and length into blocks of `BLOCK` samples at `RATE`; keeps what does not fill one."""

    def __init__(self, rate: float) -> None:
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


class MicrophoneSource:
    """Sound from a recording device. The callback only copies; a reader that sleeps loses the oldest sound first."""

    name = "microphone"

    def __init__(self, pattern: str = "") -> None:
        sounddevice = _portaudio()
        device = _device(pattern, recording=True)
        self.device = device.name
        self._waiting: deque[Samples] = deque(maxlen=_KEPT_BLOCKS)
        self._arrived = threading.Semaphore(0)
        self._open = True
        rate = _accepted_rate(sounddevice.check_input_settings, device)
        self._reblocker = Reblocker(rate)
        try:
            self._stream = sounddevice.InputStream(
                device=device.index, samplerate=rate, channels=1, dtype="int16", latency=0.05,
                blocksize=round(0.02 * rate), callback=self._copy, finished_callback=self._arrived.release,
            )  # fmt: skip
            self._stream.start()
        except sounddevice.PortAudioError as error:
            raise AudioUnavailable(f"the microphone {device.name!r} does not open: {error}; see heed doctor") from error

    def blocks(self) -> Iterator[Samples]:
        while self._open:
            if not self._arrived.acquire(timeout=_SILENT_SECONDS) or not (self._waiting or self._stream.active):
                if self._open:
                    raise AudioUnavailable(f"the microphone {self.device!r} gives no sound any more; is it plugged in?")
                return
            if self._waiting:
                yield from self._reblocker.feed(self._waiting.popleft())

    def close(self) -> None:
        self._open = False
        self._arrived.release()
        self._stream.close()

    def _copy(self, samples: Any, frames: int, when: Any, status: Any) -> None:
        self._waiting.append(samples[:, 0].copy())
        self._arrived.release()


_SILENT_SECONDS = 3.0
"""Without a callback for so long a microphone is dead; the first one may take 1.4 s through PulseAudio."""
_KEPT_BLOCKS = 1500
"""30 s of sound in callbacks of 20 ms, for a reader that is late."""


def _accepted_rate(check: Any, device: AudioDevice) -> float:
    """`RATE` where the device takes it, else what it likes best, to be resampled by us."""
    try:
        check(device=device.index, channels=1, dtype="int16", samplerate=RATE)
    except Exception as refusal:  # PortAudioError, or ValueError from some host interfaces
        log.info("%s does not take %d Hz (%s): resampling from %.0f Hz", device.name, RATE, refusal, device.rate)
        return device.rate
    return RATE


class WavSource:
    """A sound file, or samples at `RATE`, as if someone spoke them; in real time or as fast as they are taken."""

    name = "wav"

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


class VirtualMicrophone:
    """A microphone into which a program speaks, for demonstrations: speak() as often as you like, then close().

    Speech comes as fast as it is taken, the silence between in real time: for an ear time must never stand still.
    """

    name = "wav"

    def __init__(self) -> None:
        self._spoken: queue.SimpleQueue[Samples | None] = queue.SimpleQueue()

    def speak(self, samples: Samples, rate: int) -> None:
        """Let the ears hear this, with half a second of room before and one second after it."""
        room = np.zeros(RATE, np.int16)
        self._spoken.put(np.concatenate([room[: RATE // 2], resample(samples, rate, RATE), room]))

    def blocks(self) -> Iterator[Samples]:
        while True:
            try:
                samples = self._spoken.get(timeout=BLOCK / RATE)
            except queue.Empty:
                yield np.zeros(BLOCK, np.int16)
                continue
            if samples is None:
                return
            yield from Reblocker(RATE).feed(samples, last=True)

    def close(self) -> None:
        """What was spoken before is still heard."""
        self._spoken.put(None)


def read_sound(file: Path) -> Samples:
    """All of a sound file (WAV, FLAC, MP3 ...) as mono samples at `RATE`. Raises OSError or ValueError."""
    import av  # comes with faster-whisper

    try:
        with av.open(str(file)) as container:
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            frames = [*container.decode(audio=0), None]
            parts = [part.to_ndarray()[0] for frame in frames for part in resampler.resample(frame)]
    except (av.error.InvalidDataError, IndexError) as error:
        raise ValueError(f"{file} is not a sound file that can be read: {error}") from error
    return np.concatenate(parts) if parts else np.zeros(0, np.int16)


def resample(samples: Samples, rate: int, to: int) -> Samples:
    """The same sound at another rate."""
    return samples if rate == to else np.asarray(soxr.resample(samples, rate, to), np.int16)


class LoudspeakerSink:
    """Sound to a playing device: one stream that stays open, since a sound system cuts the first word of a new one."""

    def __init__(self, pattern: str = "") -> None:
        sounddevice = _portaudio()
        device = _device(pattern, recording=False)
        self.device = device.name
        self._rate = round(device.rate)
        self._buffer = PlayBuffer(fade=self._rate // 100)
        try:
            self._stream = sounddevice.OutputStream(
                device=device.index, samplerate=self._rate, channels=1, dtype="int16", latency=0.05,
                blocksize=self._rate // 50, callback=self._copy, finished_callback=self._buffer.close,
            )  # fmt: skip
            self._stream.start()
        except sounddevice.PortAudioError as error:
            raise AudioUnavailable(
                f"the loudspeaker {device.name!r} does not open: {error}; see heed doctor"
            ) from error

    def play(self, samples: Samples, rate: int) -> None:
        self._buffer.add(resample(samples, rate, self._rate))

    def drain(self) -> None:
        if not self._buffer.wait_empty(_SILENT_SECONDS):
            raise AudioUnavailable(f"the loudspeaker {self.device!r} takes no sound any more; is it plugged in?")

    def soften(self, gain: float) -> None:
        self._buffer.gain = gain

    def cancel(self) -> float:
        return self._buffer.cancel() / self._rate

    def close(self) -> None:
        self._stream.close()

    def _copy(self, out: Any, frames: int, when: Any, status: Any) -> None:
        out[:, 0] = self._buffer.take(frames)


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

    def add(self, samples: Samples) -> None:
        with self._changed:
            self._waiting.append(samples)

    def take(self, count: int) -> Samples:
        """The next `count` samples; silence where there are none."""
        out = np.zeros(count, np.int16)
        gain, before = self.gain, self._gain_before
        if gain == before == 0.0:
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
            return lost

    def close(self) -> None:
        """Nothing will be taken any more: the stream has ended."""
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
        """What was written stays."""

    def cancel(self) -> float:
        """What was written stays."""
        return 0.0

    def close(self) -> None:
        self._wav.close()
        self._file.close()


class NullSink:
    """Plays to no one; counts the samples, as fast as they come."""

    def __init__(self) -> None:
        self.played = 0

    def play(self, samples: Samples, rate: int) -> None:
        self.played += len(samples)

    def drain(self) -> None:
        """Nothing is ever waiting."""

    def soften(self, gain: float) -> None:
        """Nothing is ever waiting."""

    def cancel(self) -> float:
        """Nothing is ever waiting."""
        return 0.0

    def close(self) -> None:
        """Nothing is open."""
