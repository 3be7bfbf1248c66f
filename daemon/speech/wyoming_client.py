"""Ears and mouth on another machine, by the Wyoming protocol (Open Home Foundation): faster-whisper, Piper ...

A stop never waits for a network: short sounds are understood here first. When the server does not answer, what is here
takes over at once, and the server is tried again later.
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
from daemon.reflex import reflex_in
from daemon.speech.asr import Recognition, Recognizer
from daemon.speech.judgement import Limits
from daemon.speech.tts import Sound, Synthesizer
from daemon.speech.vad import RATE

log = logging.getLogger(__name__)

ANSWER_SECONDS = 2.0
"""Longer nobody waits for a server; then what is here takes over."""
RETRY_SECONDS = 30.0
SHORT = 2 * RATE
"""Samples in which a stop may be: understood here first."""
CHUNK = 1024
"""Samples in one event, as satellites send them."""
CONFIDENCE = 0.6
"""The protocol tells none: enough for what makes sense, too little for what nobody expects."""
VOICE_GONE = "My other voice is out of reach."
LIMITS = Limits(possible=0.15, stop=0.3, sentence=0.3, word=0.4, anything=0.7, worth_asking=0.35)


def require_wyoming() -> None:
    """Raises ConfigError where the package is missing."""
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


class RemoteRecognizer:
    """Lets a server understand, and `local` whatever it does not answer."""

    def __init__(self, server: Server, local: Recognizer, language: str = "en") -> None:
        self.name = f"a Wyoming server, else {local.name}"
        self.lead, self.trail = local.lead, local.trail
        self.limits = LIMITS
        self.server = server
        self._local, self._language = local, language

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        if len(samples) <= SHORT and reflex_in((heard := self._local.recognize(samples)).text):
            return self._here(heard)
        answers = self.server.ask(_transcribe(samples, self._language), until="transcript")
        if answers is None:
            return self._here(self._local.recognize(samples))
        self.limits = LIMITS
        text = str(answers[-1].data.get("text", "")).strip()
        return Recognition(text, CONFIDENCE if text else 0.0)

    def set_vocabulary(self, sentences: Iterable[str]) -> None:
        self._local.set_vocabulary(sentences)

    def _here(self, heard: Recognition) -> Recognition:
        self.limits = self._local.limits
        return heard


class RemoteSynthesizer:
    """Lets a server speak, and `local` whatever it does not answer; `local` says so when that begins."""

    def __init__(self, server: Server, local: Synthesizer, name: str) -> None:
        self._server, self._local, self._name = server, local, name

    @property
    def name(self) -> str:
        """Of who spoke last: what was made by one is no sound of the other."""
        return self._name if self._server.there else self._local.name

    def synthesize(self, sentence: str) -> Sound:
        from wyoming.tts import Synthesize

        was_there = self._server.there
        answers = self._server.ask([Synthesize(sentence).event()], until="audio-stop")
        if answers is not None:
            return sound_in(answers)
        return self._local.synthesize(f"{VOICE_GONE} {sentence}" if was_there else sentence)

    def close(self) -> None:
        self._local.close()


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


def _transcribe(samples: NDArray[np.int16], language: str) -> Iterator[Any]:
    from wyoming.asr import Transcribe

    yield Transcribe(language=language).event()
    yield from audio_events(samples, RATE)


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
