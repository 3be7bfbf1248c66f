"""The microphone: one that is opened, and one that comes back whenever it was lost."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from daemon.speech.audio import AudioSource, AudioUnavailable, Reblocker, Samples
from daemon.speech.echo import EchoPath, Part
from daemon.speech.sound_devices import (
    AudioDevice,
    close_stream,
    find_device,
    lock,
    look_again,
    open_stream,
    portaudio,
)
from daemon.speech.sound_server import RecordingWatch
from daemon.speech.vad import BLOCK, RATE

log = logging.getLogger(__name__)


class AudioStuck(AudioUnavailable):
    """A device that may only be silent: worth opening it again, not worth telling anybody."""


class MicrophoneSource:
    """Sound from a recording device. The callback only copies; a reader that sleeps loses the oldest sound first."""

    name = "microphone"
    hears = True

    def __init__(self, pattern: str = "", echo: EchoPath | None = None) -> None:
        """Take `echo` out of the sound, where that can be done. Raises AudioUnavailable where there is no microphone,
        or where it is a loudspeaker's monitor."""
        self._canceller = echo.canceller() if echo is not None else None
        device = find_device(pattern, recording=True)
        self.device = device.name
        self._waiting: deque[tuple[Samples, list[Part]]] = deque(maxlen=_KEPT_BLOCKS)
        self._arrived = threading.Semaphore(0)
        self._open = True
        rate = _accepted_rate(device)
        self._reblocker = Reblocker(rate)
        self._watch = RecordingWatch(echo.source if echo is not None else "")
        self._stream: Any = None
        try:
            self._stream = open_stream(
                "InputStream", device, needed=lambda: self._open, samplerate=rate, blocksize=round(BLOCK / RATE * rate),
                callback=self._copy, finished_callback=self._arrived.release,
            )  # fmt: skip
            self._watch.look()
            self._refuse_monitor()
        except AudioUnavailable:
            self.close()
            raise

    def blocks(self) -> Iterator[Samples]:
        silence = SilenceWatch()
        patience = _FIRST_SECONDS
        while self._open:
            if not self._arrived.acquire(timeout=patience) or not (self._waiting or self._runs):
                if self._open:
                    raise AudioUnavailable(f"the microphone {self.device!r} gives no sound any more; is it plugged in?")
                return
            self._refuse_monitor()
            if self._waiting:
                patience = _NEXT_SECONDS
                samples, played = self._waiting.popleft()
                if silence.too_long(samples, self._reblocker.rate):
                    raise AudioStuck(f"the microphone {self.device!r} gives only zeros; is it switched off?")
                yield from self._without_echo(self._reblocker.feed(samples), played)

    def close(self) -> None:
        self._open = False
        self._arrived.release()
        self._watch.close()
        close_stream(self._stream)

    def _without_echo(self, blocks: Iterator[Samples], played: list[Part]) -> Iterator[Samples]:
        if self._canceller is None:
            return blocks
        self._canceller.play(played)
        return map(self._canceller.clean, blocks)

    @property
    def _runs(self) -> bool:
        """Whether it is open and goes on; PortAudio fails where it is asked about a stream that is closed just then."""
        with lock:
            return self._open and bool(self._stream.active)

    def _refuse_monitor(self) -> None:
        if self._watch.monitor:
            raise AudioUnavailable(
                f"the sound system gives {self._watch.monitor!r}, the robot's own voice, for a microphone; plug one in"
            )
        if self._watch.gone:
            raise AudioStuck(f"the sound server's echo canceller {self._watch.gone!r} was unloaded")

    def _copy(self, samples: Any, frames: int, when: Any, status: Any) -> None:
        played = self._canceller.played.take() if self._canceller is not None else []
        self._waiting.append((samples[:, 0].copy(), played))
        self._arrived.release()


_FIRST_SECONDS = 3.0
"""Without a callback for so long a microphone is dead; the first one may take 1.8 s through PulseAudio."""
_NEXT_SECONDS = 1.0
"""The same once it has sounded."""
_KEPT_BLOCKS = 1000
"""32 s of sound in callbacks of a `BLOCK` each, for a reader that is late."""


class SilenceWatch:
    """Notices a device that once sounded and now gives nothing but zeros, as drivers do that are stuck.

    Filters against noise give zeros, too; so it is patient, and one that is silent from the beginning is left in peace.
    """

    def __init__(self, seconds: float = 60.0) -> None:
        self._limit = seconds
        self._zeros = 0.0
        self._sounded = False

    def too_long(self, samples: Samples, rate: float) -> bool:
        if samples.any():
            self._zeros, self._sounded = 0.0, True
        else:
            self._zeros += len(samples) / rate
        return self._sounded and self._zeros >= self._limit


def _accepted_rate(device: AudioDevice) -> float:
    """`RATE` where the device takes it, else what it likes best, to be resampled by us."""
    try:
        portaudio().check_input_settings(device=device.index, channels=1, dtype="int16", samplerate=RATE)
    except Exception as refusal:  # PortAudioError, or ValueError from some host interfaces
        log.info("%s does not take %d Hz (%s): resampling from %.0f Hz", device.name, RATE, refusal, device.rate)
        return device.rate
    return RATE


class EnduringSource:
    """A source that is opened again and again until it is back; meanwhile silence, for time must not stand still."""

    name = "microphone"

    def __init__(self, opened: Callable[[], AudioSource], first: AudioSource | None = None) -> None:
        """`opened()` opens it, or raises AudioUnavailable; `first` is open already."""
        self.hears = first is not None
        self.lent = False
        """Whether another program has the device now; then `hears` tells what was so before."""
        self._opened, self._source = opened, first
        self._changing = threading.Lock()
        self._closed = threading.Event()

    def blocks(self) -> Iterator[Samples]:
        while not self._closed.is_set():
            try:
                if (source := self._there()) is None:
                    yield from self._pause()
                    continue
                for block in source.blocks():
                    self.hears = True
                    yield block
                if source is self._source:
                    return
                yield _GAP  # it was taken away
            except AudioUnavailable as error:
                if self.lent:
                    yield _GAP
                    continue
                log.log(logging.WARNING if self.hears else logging.DEBUG, "%s", error)
                self.hears = self.hears and isinstance(error, AudioStuck)
                yield from self._part()
                if not self.hears:
                    yield from self._pause()

    def close(self) -> None:
        self._closed.set()
        with self._changing:
            source = self._source
        if source is not None:
            source.close()

    def lend(self) -> None:
        """Let another program have the device until take_back(), from any thread: it is closed when this returns."""
        self.lent = True
        if source := self._taken_away():
            source.close()

    def take_back(self) -> None:
        """Open it again soon; where that cannot be done, it is lost as one that was unplugged."""
        self.lent = False

    def _there(self) -> AudioSource | None:
        """Return what is open, or opened now; None while it may not be."""
        with self._changing:
            if self._source is None and not self.lent and not self._closed.is_set():
                self._source = self._opened()
            return self._source

    def _taken_away(self) -> AudioSource | None:
        with self._changing:
            source, self._source = self._source, None
        return source

    def _part(self) -> Iterator[Samples]:
        """Close what is open; an empty block stands for the gap."""
        if source := self._taken_away():
            source.close()
            yield _GAP

    def _pause(self) -> Iterator[Samples]:
        """Silence until it is time for another try."""
        for _ in range(_BLOCKS_BETWEEN):
            if self._closed.wait(BLOCK / RATE):
                return
            yield np.zeros(BLOCK, np.int16)


_GAP: Samples = np.zeros(0, np.int16)
_BLOCKS_BETWEEN = 16
"""Blocks (0.5 s) between two tries to open a microphone; each costs some 20 ms of a core."""


def enduring_microphone(pattern: str, wait: bool, echo: EchoPath | None = None) -> EnduringSource:
    """The microphone of that name, for life. Raises AudioUnavailable without one, unless it shall `wait` for it."""
    try:
        first = MicrophoneSource(pattern, echo)
    except AudioUnavailable:
        if not wait:
            raise
        first = None

    def opened() -> MicrophoneSource:
        look_again()  # not while the robot speaks; then one that was there at the last look will do
        return MicrophoneSource(pattern, echo)

    return EnduringSource(opened, first)
