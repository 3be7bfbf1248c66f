"""The sound devices of this machine, through PortAudio.

PortAudio looks for devices only when it starts, and starts anew only when all its streams are closed: so whoever opens
a stream does it here. The library is imported when a device is wanted, not before: without libportaudio2 it fails.
"""

import math
import os
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daemon.speech.audio import AudioUnavailable
from daemon.speech.sound_server import listed_devices


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
    """All devices there were when it was last looked; empty on a machine without any.

    Raises AudioUnavailable without libportaudio2.
    """
    with lock:
        found = portaudio().query_devices()
    return [
        AudioDevice(i, d["name"], d["max_input_channels"], d["max_output_channels"], d["default_samplerate"])
        for i, d in enumerate(found)
    ]


def is_monitor(name: str) -> bool:
    """Return whether a device only repeats what a loudspeaker plays: the robot would listen to itself."""
    return re.search(r"\bmonitor\b", name, re.IGNORECASE) is not None


def choose_device(devices: list[AudioDevice], pattern: str, recording: bool) -> AudioDevice:
    """The first device with all words of `pattern` in its name, in any case. Never a monitor for recording.

    `pattern` may hold several patterns with "|" between; the first one that fits a device counts.
    """
    kind = "microphone" if recording else "loudspeaker"
    usable = [d for d in devices if (d.inputs if recording else d.outputs) and not (recording and is_monitor(d.name))]
    for words in (alternative.lower().split() for alternative in pattern.split("|")):
        for device in usable:
            if all(word in device.name.lower() for word in words):
                return device
    if not usable:
        raise AudioUnavailable(f"no {kind} is connected; plug one in, or type to the robot instead")
    names = ", ".join(repr(d.name) for d in usable)
    raise AudioUnavailable(f"no {kind} is called {pattern!r}; change {kind} in [speech] to part of one of: {names}")


def find_device(pattern: str, recording: bool) -> AudioDevice:
    """The device of that name, or for no name the system's default."""
    with lock:
        devices = audio_devices()
        default = portaudio().default.device[0 if recording else 1]
    if not pattern:
        devices = sorted(devices, key=lambda d: d.index != default)
    return choose_device(devices, pattern, recording)


def portaudio() -> Any:
    """The sounddevice module. Raises AudioUnavailable without libportaudio2."""
    try:
        import sounddevice
    except OSError as error:
        raise AudioUnavailable("the sound library is missing: apt install libportaudio2") from error
    return sounddevice


class Looks:
    """When to look for devices: at once where something was plugged in or a sound server came, and often after that;
    then, as long as there is a server, when it has other devices than before; else not at all.
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, listed: Callable[[], frozenset[str] | None] = listed_devices
    ) -> None:
        """`listed()` tells which devices the server has, or None: then they are looked for now and again."""
        self._now, self._listed = now, listed
        self._seen: Signs | None = None
        self._known: frozenset[str] | None = None
        self._changed_at = self._looked_at = -math.inf

    def due(self, signs: "Signs") -> bool:
        """Return whether to look now, with these signs of sound devices."""
        now = self._now()
        if signs != self._seen:
            self._seen, self._known, self._changed_at, self._looked_at = signs, None, now, now
            return True
        if now - self._changed_at < SETTLING_SECONDS:
            return True
        if not signs.servers or now - self._looked_at < SELDOM_SECONDS:
            return False
        before, self._known, self._looked_at = self._known, self._listed(), now
        return self._known is None or self._known != before


@dataclass(frozen=True)
class Signs:
    """What can be seen of sound devices without asking PortAudio."""

    cards: str
    """The kernel's list of sound cards."""
    servers: tuple[tuple[str, int], ...]
    """Sockets of sound servers, and when each was made."""


def signs_of_sound() -> Signs:
    """Return them as they are now."""
    cards = Path("/proc/asound/cards")
    runtime = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
    named = [part.removeprefix("unix:") for part in os.environ.get("PULSE_SERVER", "").split()]
    pulse = Path(os.environ.get("PULSE_RUNTIME_PATH", f"{runtime}/pulse"))
    places = [*map(Path, named), pulse / "native", Path(runtime, "pipewire-0"), Path("/var/run/pulse/native")]
    sockets = []
    for place in dict.fromkeys(places):
        with suppress(OSError):
            sockets.append((str(place), place.stat().st_ctime_ns))
    with suppress(OSError):
        return Signs(cards.read_text(encoding="utf-8"), tuple(sockets))
    return Signs("", tuple(sockets))


SETTLING_SECONDS = 20.0
"""After a card or a server has come, its devices may follow one by one."""
SELDOM_SECONDS = 2.5
"""Between two questions to a server that has been there for long: a microphone is to be back within 3 s."""
_looks = Looks()
lock = threading.RLock()
"""Held by who opens, closes, or relies on a stream being open."""
_streams: dict[Any, Callable[[], bool]] = {}
"""Open streams, and whether each is needed right now."""


def open_stream(kind: str, device: AudioDevice, needed: Callable[[], bool], **settings: Any) -> Any:
    """Start a sounddevice stream of this `kind`, "InputStream" or "OutputStream". Raises AudioUnavailable."""
    library = portaudio()
    with lock:
        try:
            stream = getattr(library, kind)(device=device.index, channels=1, dtype="int16", latency=0.05, **settings)
            stream.start()
        except library.PortAudioError as error:
            raise AudioUnavailable(f"{device.name!r} does not open: {error}; see heed doctor") from error
        _streams[stream] = needed
    return stream


def close_stream(stream: Any) -> None:
    """Safe to call twice."""
    with lock:
        if _streams.pop(stream, None) is not None:
            stream.close()


def look_again() -> bool:
    """Look which devices there are now (3 ms). Closes all streams; False, and nothing done, while one is needed.

    PortAudio keeps 13 KB of memory each time it starts, a gigabyte a day for a robot that looks twice a second; so it
    is started only where there may be anything new. Raises AudioUnavailable.
    """
    library = portaudio()
    with lock:
        if any(needed() for needed in _streams.values()):
            return False
        if not _streams and not _looks.due(signs_of_sound()):
            return True
        for stream in list(_streams):
            close_stream(stream)
        try:
            library._terminate()
            library._initialize()
        except library.PortAudioError as error:
            raise AudioUnavailable(f"the sound system does not start: {error}; see heed doctor") from error
    return True
