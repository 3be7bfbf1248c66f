"""Called by its name: by models of microWakeWord, and by a server that listens to all sound."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.config import ConfigError
from daemon.speech import wake
from daemon.speech.vad import BLOCK
from daemon.speech.wake import MicroWakeWord, RemoteWakeWord, open_detector, split_names
from tests.support.waiting import until

QUIET, NAME = np.zeros(BLOCK, np.int16), np.full(BLOCK, 77, np.int16)


def test_names_that_are_spoken_stand_beside_models_and_servers() -> None:
    assert split_names("okay robot, microwakeword:hey_jarvis ,hey robot") == (
        ("okay robot", "hey robot"),
        ("microwakeword:hey_jarvis",),
    )
    assert split_names(" , ") == ((), ())


@pytest.mark.parametrize("entry", ["whatever:alexa", "wyoming:here", "microwakeword:nobody", "microwakeword:no.json"])
def test_a_wake_word_that_cannot_be_had_says_what_can(entry: str) -> None:
    pytest.importorskip("pymicro_wakeword")
    with pytest.raises(ConfigError, match=r"known are|HOST:PORT"):
        open_detector(entry)


# --- microWakeWord ---


def test_a_model_hears_its_name_and_no_other(user: Callable[[str], NDArray[np.int16]]) -> None:
    pytest.importorskip("pymicro_wakeword")
    sound = np.concatenate([user("hey jarvis"), user("what time is it")])
    assert calls(MicroWakeWord("hey_jarvis"), sound) > 0
    assert calls(MicroWakeWord("alexa"), sound) == 0


def calls(detector: MicroWakeWord, sound: NDArray[np.int16]) -> int:
    heard = [detector.heard(sound[at : at + BLOCK]) for at in range(0, len(sound), BLOCK)]
    detector.close()
    return sum(heard)


# --- a server ---


class WakeServer:
    """Calls whenever it hears NAME, once after each beginning; hangs up at the end of a sound, as openWakeWord does."""

    def __init__(self) -> None:
        self.beginnings = 0
        self.blocks = 0
        self.connection: socket.socket | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                self.connection, _ = self._listener.accept()
            except OSError:
                return
            with suppress(OSError):
                self._answer(self.connection)

    def _answer(self, connection: socket.socket) -> None:
        from wyoming.audio import AudioChunk, AudioStop
        from wyoming.event import read_event, write_event
        from wyoming.wake import Detect, Detection

        listens = False
        with connection, connection.makefile("rwb") as stream:
            while (event := read_event(stream)) is not None:
                if AudioStop.is_type(event.type):
                    return
                if Detect.is_type(event.type):
                    self.beginnings += 1
                    listens = True
                if AudioChunk.is_type(event.type):
                    self.blocks += 1
                    if listens and AudioChunk.from_event(event).audio == NAME.tobytes():
                        listens = False
                        write_event(Detection("okay_nabu").event(), stream)
                        stream.flush()

    def hang_up(self) -> None:
        assert self.connection is not None
        self.connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def server() -> Iterator[WakeServer]:
    pytest.importorskip("wyoming")
    running = WakeServer()
    yield running
    running.close()


@pytest.fixture
def detector(server: WakeServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[RemoteWakeWord]:
    monkeypatch.setattr(wake, "RETRY_SECONDS", 0.02)
    opened = RemoteWakeWord(server.address)
    yield opened
    opened.close()


def until_called(detector: RemoteWakeWord) -> None:
    at_once = detector.heard(NAME)
    until(lambda: at_once or detector.heard(QUIET))


def test_a_server_hears_every_call_since_it_is_asked_again_after_each(
    server: WakeServer, detector: RemoteWakeWord
) -> None:
    until(lambda: not detector.heard(QUIET) and server.blocks > 0)
    for _ in range(3):
        until_called(detector)
    detector.heard(QUIET)
    until(lambda: server.beginnings == 4)
    assert not detector.heard(QUIET)


def test_a_server_that_hung_up_is_asked_again(server: WakeServer, detector: RemoteWakeWord) -> None:
    until(lambda: not detector.heard(QUIET) and server.blocks > 0)
    server.hang_up()
    until(lambda: not detector.heard(QUIET) and server.beginnings == 2)
    until_called(detector)


def test_a_server_that_takes_no_sound_keeps_nobody_waiting(server: WakeServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        detector = RemoteWakeWord(f"127.0.0.1:{deaf.getsockname()[1]}")
        loud = np.zeros(1_000_000, np.int16)
        until(lambda: detector._link is not None)
        until(lambda: not detector.heard(loud) and detector._link is None)
        detector.close()


def test_an_own_model_is_a_file(tmp_path: Path) -> None:
    pytest.importorskip("pymicro_wakeword")
    (tmp_path / "robot.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"path of a \.json"):
        open_detector(f"microwakeword:{tmp_path / 'robot.json'}")
