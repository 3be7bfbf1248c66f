"""Remote ears and mouths, and satellites, on the loopback."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("wyoming", reason=".venv/bin/python -m pip install wyoming")

from daemon.config import ConfigError
from daemon.speech import wyoming_client
from daemon.speech.recognition import Limits, Recognition
from daemon.speech.recognizers.remote_recognizer import LIMITS, RemoteRecognizer
from daemon.speech.synthesis import Sound
from daemon.speech.voices.remote_voice import RemoteSynthesizer
from daemon.speech.wyoming_client import Server
from daemon.speech.wyoming_server import SatelliteServer

SOUND = np.arange(-16000, 24000, dtype=np.int16)
"""2.5 s: too long to be a stop."""


class Local:
    """The recogniser and the voice of this machine."""

    name, lead, trail = "local", 0, 0
    limits = Limits(0.1, 0.3, 0.3, 0.4, 0.9, 0.5)

    def __init__(self, text: str = "heard here") -> None:
        self.text = text
        self.spoken: list[str] = []

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        return Recognition(self.text, 0.9)

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None: ...

    def synthesize(self, sentence: str) -> Sound:
        self.spoken.append(sentence)
        return np.zeros(1, np.int16), 16000

    def close(self) -> None: ...


@pytest.fixture
def heard() -> list[NDArray[np.int16]]:
    return []


@pytest.fixture
def server(heard: list[NDArray[np.int16]]) -> Iterator[SatelliteServer]:
    def hear(samples: NDArray[np.int16]) -> str:
        heard.append(samples)
        return "bring me the juice"

    running = SatelliteServer(("127.0.0.1", 0), hear, lambda text: (SOUND, 22050))
    running.start()
    yield running
    running.close()


def test_a_server_understands_every_sample(server: SatelliteServer, heard: list[NDArray[np.int16]]) -> None:
    recognizer = RemoteRecognizer(Server(f"127.0.0.1:{server.port}"), Local())
    assert recognizer.recognize(SOUND).text == "bring me the juice"
    assert np.array_equal(heard[0], SOUND)
    assert recognizer.limits is LIMITS


def test_a_server_speaks_every_sample(server: SatelliteServer) -> None:
    samples, rate = RemoteSynthesizer(Server(f"127.0.0.1:{server.port}"), Local(), "there").synthesize("hello")
    assert rate == 22050
    assert np.array_equal(samples, SOUND)


def test_a_stop_never_waits_for_a_network(server: SatelliteServer, heard: list[NDArray[np.int16]]) -> None:
    recognizer = RemoteRecognizer(Server(f"127.0.0.1:{server.port}"), Local("stop"))
    assert recognizer.recognize(SOUND[:16000]).text == "stop"
    assert heard == []
    assert recognizer.limits is Local.limits


def test_a_server_that_ended_is_replaced_told_once_and_tried_again_later(
    server: SatelliteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []
    remote = Server(f"127.0.0.1:{server.port}", told.append)
    recognizer = RemoteRecognizer(remote, Local())
    assert recognizer.recognize(SOUND).text == "bring me the juice"
    server.close()
    assert [recognizer.recognize(SOUND).text for _ in range(3)] == ["heard here"] * 3
    assert recognizer.limits is Local.limits
    assert told == [False]
    again = SatelliteServer(("127.0.0.1", server.port), lambda samples: "back", lambda text: (SOUND, 16000))
    again.start()
    assert recognizer.recognize(SOUND).text == "heard here"  # too soon
    monkeypatch.setattr(remote, "_not_before", 0.0)
    assert recognizer.recognize(SOUND).text == "back"
    assert told == [False, True]
    again.close()


def hang_up(connection: socket.socket) -> None:
    connection.recv(100)


def half_an_answer(connection: socket.socket) -> None:
    connection.recv(100)
    connection.sendall(b'{"type": "transcript", "data_length": 900}\n{"te')


def no_json(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.recv(100)


def an_error(connection: socket.socket) -> None:
    connection.sendall(b'{"type": "error", "data": {"text": "no such voice"}}\n')
    while connection.recv(65536):
        pass


def silence(connection: socket.socket) -> None:
    while connection.recv(65536):
        pass


@pytest.mark.parametrize("behaviour", [hang_up, half_an_answer, no_json, an_error, silence])
def test_a_server_that_breaks_in_the_middle_is_replaced(
    behaviour: Callable[[socket.socket], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wyoming_client, "ANSWER_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                behaviour(connection)

        threading.Thread(target=serve, daemon=True).start()
        told: list[bool] = []
        recognizer = RemoteRecognizer(Server(f"127.0.0.1:{listener.getsockname()[1]}", told.append), Local())
        assert recognizer.recognize(SOUND).text == "heard here"
        assert told == [False]


def test_a_satellite_learns_what_heed_offers_and_may_send_nonsense(server: SatelliteServer) -> None:
    from wyoming.info import Describe, Info

    with socket.create_connection(("127.0.0.1", server.port)) as rude:
        rude.sendall(b"nonsense\n")
    [answer] = Server(f"127.0.0.1:{server.port}").ask([Describe().event()], until="info") or []
    assert Info.from_event(answer).asr[0].name == "heed"


@pytest.mark.parametrize("address", ["", "host", "host:", ":1", "host:port"])
def test_a_wrong_address_says_how_to_write_it(address: str) -> None:
    with pytest.raises(ConfigError, match="HOST:PORT"):
        Server(address)
