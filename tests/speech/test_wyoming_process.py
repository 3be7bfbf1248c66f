"""Remote ears and mouth against a server of the protocol's own package, killed in the middle of a sentence."""

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("wyoming", reason=".venv/bin/python -m pip install wyoming")

from daemon.speech.recognizers.remote_recognizer import RemoteRecognizer
from daemon.speech.voices.remote_voice import VOICE_GONE, RemoteSynthesizer
from daemon.speech.wyoming_client import Server
from tests.speech.test_wyoming import SOUND, Local
from tests.speech.wyoming_process import SOUND as SPOKEN
from tests.speech.wyoming_process import TEXT

ROOT = Path(__file__).parents[2]

Serve = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def serve(port: int) -> Iterator[Serve]:
    with ExitStack() as built:

        def serve(whole: bool) -> "subprocess.Popen[str]":
            command = [sys.executable, "-m", "tests.speech.wyoming_process", str(port), str(int(whole))]
            server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
            built.enter_context(server)
            built.callback(server.kill)
            says(server, "ready")
            return server

        yield serve


def says(server: "subprocess.Popen[str]", words: str) -> None:
    assert server.stdout
    assert server.stdout.readline().strip() == words


def killed_in_the_middle(server: "subprocess.Popen[str]") -> threading.Thread:
    def kill() -> None:
        says(server, "in the middle")
        server.kill()

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


def test_a_whole_answer_is_taken(serve: Serve, port: int) -> None:
    serve(whole=True)
    remote = Server(f"127.0.0.1:{port}")
    assert RemoteRecognizer(remote, Local()).recognize(SOUND).text == TEXT
    samples, rate = RemoteSynthesizer(remote, Local(), "there").synthesize("hello")
    assert rate == 22050
    assert np.array_equal(samples, SPOKEN)


def test_ears_whose_server_is_killed_understand_the_same_sentence_by_themselves(serve: Serve, port: int) -> None:
    killing = killed_in_the_middle(serve(whole=False))
    told: list[bool] = []
    recognizer = RemoteRecognizer(Server(f"127.0.0.1:{port}", told.append), Local())
    assert recognizer.recognize(SOUND).text == "heard here"
    killing.join()
    assert told == [False]
    serve(whole=True)
    recognizer.server._not_before = 0.0  # half a minute later
    assert recognizer.recognize(SOUND).text == TEXT
    assert told == [False, True]


def test_a_voice_whose_server_is_killed_says_the_whole_sentence_by_itself(serve: Serve, port: int) -> None:
    killing = killed_in_the_middle(serve(whole=False))
    local = Local()
    voice = RemoteSynthesizer(Server(f"127.0.0.1:{port}"), local, "there")
    assert voice.name == "there"
    samples, rate = voice.synthesize("hello")
    killing.join()
    assert (len(samples), rate) == (1, 16000), "nothing of the half that came"
    voice.synthesize("and more")
    assert local.spoken == [f"{VOICE_GONE} hello", "and more"], "told once"
    assert voice.name == "local"
