"""Called by its name, by other means than the keyword spotter: microWakeWord models, and wake-word servers (Wyoming).

A setting `wake` may mix them: "okay robot, microwakeword:hey_jarvis, wyoming:192.168.0.7:10400".
"""

import io
import logging
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError
from daemon.speech.lasting_thread import Worker
from daemon.speech.vad import RATE
from daemon.speech.wyoming_client import ANSWER_SECONDS, RETRY_SECONDS, server_address

log = logging.getLogger(__name__)


class WakeDetector(Protocol):
    def heard(self, block: NDArray[np.int16]) -> bool:
        """Take the next sound, mono at 16 kHz; whether the name was spoken in what came so far. Never waits."""
        ...

    def close(self) -> None: ...


def split_names(wake: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that the keyword spotter listens for, and detectors to open, from the setting `wake`.

    >>> split_names("okay robot, wyoming:pi:10400")
    (('okay robot',), ('wyoming:pi:10400',))
    """
    entries = [entry.strip() for entry in wake.split(",") if entry.strip()]
    others = tuple(entry for entry in entries if ":" in entry)
    return tuple(entry for entry in entries if entry not in others), others


def open_detector(entry: str) -> WakeDetector:
    """Open "microwakeword:okay_nabu" or "wyoming:HOST:PORT". Raises ConfigError for what cannot be had."""
    kind, _, name = entry.partition(":")
    if kind not in _KINDS:
        raise ConfigError(f"wake in [speech] has {entry!r}; known are {', '.join(f'{kind}:...' for kind in _KINDS)}")
    return _KINDS[kind](name)


def wake_models() -> list[str]:
    """Return the names that models of the package know, such as "hey_jarvis"; none without the package."""
    if find_spec("pymicro_wakeword") is None:
        return []
    import pymicro_wakeword as micro

    return sorted(model.value for model in micro.Model)


class MicroWakeWord:
    """A microWakeWord model (Apache-2.0): one of those in the package, or a file of one's own."""

    def __init__(self, name: str) -> None:
        """`name` is a model of the package, or the path of a model's .json, with its .tflite beside it."""
        if find_spec("pymicro_wakeword") is None:
            raise ConfigError("microwakeword in wake needs the package pymicro-wakeword: run script/setup")
        import pymicro_wakeword as micro

        try:
            if name.endswith(".json"):
                self._model = micro.MicroWakeWord.from_config(Path(name).expanduser())
            else:
                self._model = micro.MicroWakeWord.from_builtin(micro.Model(name))
        except (OSError, ValueError, KeyError) as error:
            known = ", ".join(model.value for model in micro.Model)
            raise ConfigError(
                f"there is no wake word {name!r} ({error}); known are {known}, or give the path of a .json"
            ) from error
        self._features = micro.MicroWakeWordFeatures()

    def heard(self, block: NDArray[np.int16]) -> bool:
        features = self._features.process_streaming(block.tobytes())
        return any([self._model.process_streaming(feature) for feature in features])

    def close(self) -> None:
        self._model.close()


class RemoteWakeWord:
    """A Wyoming server that gets every sound, such as openWakeWord's. While it is gone it wakes nobody, and is tried
    again."""

    def __init__(self, address: str) -> None:
        """`address` is "HOST:PORT". Raises ConfigError for another form, or without the package."""
        self._address = server_address(address)
        self._link: _Link | None = None
        self._called, self._closed = threading.Event(), threading.Event()
        self._listening = Worker("wake-word server", self._listen)
        self._listening.start()

    def heard(self, block: NDArray[np.int16]) -> bool:
        if (link := self._link) is not None:
            _send(link, block)
        if not self._called.is_set():
            return False
        self._called.clear()
        return True

    def close(self) -> None:
        self._closed.set()
        if (link := self._link) is not None:
            _hang_up(link.connection)
        self._listening.join(timeout=2 * ANSWER_SECONDS)

    def _listen(self) -> None:
        there = True
        while not self._closed.is_set():
            try:
                with socket.create_connection(self._address, timeout=ANSWER_SECONDS) as connection:
                    there = True
                    self._follow(connection)
            except (OSError, ValueError) as error:
                if there and not self._closed.is_set():
                    log.warning("the wake-word server %s:%d is gone: %s", *self._address, error)
                there = False
                self._closed.wait(RETRY_SECONDS)

    def _follow(self, connection: socket.socket) -> None:
        """Read its answers until it hangs up."""
        from wyoming.event import read_event
        from wyoming.wake import Detection

        connection.settimeout(None)
        self._link = link = _Link(connection)
        try:
            with connection.makefile("rb") as answers:
                while (answer := read_event(answers)) is not None:
                    if Detection.is_type(answer.type):
                        link.begin = True  # some servers listen for one call only
                        self._called.set()
        finally:
            self._link = None
        raise ConnectionError("it hung up")


@dataclass
class _Link:
    connection: socket.socket
    begin: bool = True
    """Whether a new stream is to begin."""


def _send(link: _Link, block: NDArray[np.int16]) -> None:
    """A server that leaves seconds of sound in the buffers of the network is not waited for: it is lost.

    A sound begins anew without an end: openWakeWord's server hangs up at an audio-stop.
    """
    from wyoming.audio import AudioChunk, AudioStart
    from wyoming.event import write_event
    from wyoming.wake import Detect

    begin, link.begin = link.begin, False
    beginning = [Detect().event(), AudioStart(rate=RATE, width=2, channels=1).event()]
    chunk = AudioChunk(rate=RATE, width=2, channels=1, audio=block.tobytes()).event()
    data = io.BytesIO()
    for event in [*(beginning if begin else ()), chunk]:
        write_event(event, data)
    try:
        whole = link.connection.send(data.getvalue(), socket.MSG_DONTWAIT) == len(data.getvalue())
    except OSError:
        whole = False
    if not whole:
        _hang_up(link.connection)


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


_KINDS: dict[str, Callable[[str], WakeDetector]] = {"microwakeword": MicroWakeWord, "wyoming": RemoteWakeWord}
