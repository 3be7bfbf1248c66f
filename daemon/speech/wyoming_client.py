"""A server on another machine that understands or speaks, by the Wyoming protocol (Open Home Foundation).

Faster-whisper, Piper and others have one. When it does not answer, whoever asked does without at once, and the server
is tried again later.
"""

import logging
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError
from daemon.speech.synthesis import Sound
from daemon.speech.vad import RATE

log = logging.getLogger(__name__)

ANSWER_SECONDS = 2.0
"""Longer nobody waits for a server; then what is here takes over."""
RETRY_SECONDS = 30.0
CHUNK = 1024
"""Samples in one event, as satellites send them."""


def require_wyoming() -> None:
    """Raise ConfigError where the package is missing."""
    if find_spec("wyoming") is None:
        raise ConfigError("remote speech and satellites need a package: .venv/bin/python -m pip install wyoming")


def server_address(address: str) -> tuple[str, int]:
    """Host and port of "HOST:PORT". Raises ConfigError for another form, or without the package."""
    require_wyoming()
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    if not host or not port.isdecimal():
        raise ConfigError(f"{address!r} is no address of a speech server; write it as HOST:PORT")
    return host, int(port)


class Server:
    """A Wyoming server that may be gone at any time."""

    def __init__(self, address: str, on_change: Callable[[bool], None] = lambda there: None) -> None:
        """`address` is "HOST:PORT". Raises ConfigError for another form, or without the package."""
        self.on_change = on_change
        """Told when it stopped answering (False), and when it answers again."""
        self._address = server_address(address)
        self.there = True
        """Whether it answered when it was asked last."""
        self._not_before = 0.0

    def ask(self, events: Iterable[Any], until: str) -> list[Any] | None:
        """Send events; the answers up to one of the type `until`; None when it does not answer, now or a moment ago."""
        if time.monotonic() < self._not_before:
            return None
        try:
            with self._connected() as stream:
                answers = list(_exchange(stream, events, until))
        except (OSError, ValueError) as error:
            log.warning("the speech server %s:%d: %s", *self._address, error)
            self._not_before = time.monotonic() + RETRY_SECONDS
            self._tell(False)
            return None
        self._tell(True)
        return answers

    def _tell(self, there: bool) -> None:
        if there is not self.there:
            self.there = there
            self.on_change(there)

    @contextmanager
    def _connected(self) -> Iterator[BinaryIO]:
        connection = socket.create_connection(self._address, timeout=ANSWER_SECONDS)
        with connection, connection.makefile("rwb") as stream:
            yield stream  # type: ignore[misc]


def sound_in(events: Iterable[Any]) -> Sound:
    """The sound of all audio chunks, the first channel of 16 bits. Raises ValueError for another width."""
    from wyoming.audio import AudioChunk

    chunks = [AudioChunk.from_event(event) for event in events if AudioChunk.is_type(event.type)]
    if any(chunk.width != 2 for chunk in chunks):
        raise ValueError("sound of another width than 16 bits")
    parts = [np.frombuffer(chunk.audio, np.int16)[:: chunk.channels] for chunk in chunks]
    return np.concatenate([np.zeros(0, np.int16), *parts]), chunks[0].rate if chunks else RATE


def audio_events(samples: NDArray[np.int16], rate: int) -> Iterator[Any]:
    """The events of one sound: start, chunks, stop."""
    from wyoming.audio import AudioChunk, AudioStart, AudioStop

    yield AudioStart(rate=rate, width=2, channels=1).event()
    for begin in range(0, len(samples), CHUNK):
        audio = samples[begin : begin + CHUNK].tobytes()
        yield AudioChunk(rate=rate, width=2, channels=1, audio=audio).event()
    yield AudioStop().event()


def _exchange(stream: BinaryIO, events: Iterable[Any], until: str) -> Iterator[Any]:
    from wyoming.event import read_event, write_event

    for event in events:
        write_event(event, stream)
    stream.flush()
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        answer = read_event(stream)
        if answer is None:
            raise ConnectionError("it hung up")
        if answer.type == "error":
            raise ValueError(f"it says: {answer.data.get('text')}")
        yield answer
        if answer.type == until:
            return
    raise TimeoutError("it takes too long")
