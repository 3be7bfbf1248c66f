"""Published Wyoming servers on the loopback, killed in the middle of a sentence and started again.

make test-wyoming      # script/wyoming-servers installs them; their models are made on the spot
"""

import io
import json
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.request
import wave
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("wyoming", reason=".venv/bin/python -m pip install wyoming")

from bench.voice.random_whisper import BASE
from bench.voice.sound_files import WavSource
from daemon.config import LlmConfig, SpeechConfig
from daemon.service.hearing import SERVER_BACK, SERVER_GONE, build_ear
from daemon.service.sound import Voice
from daemon.speech import wake
from daemon.speech.audio import VirtualMicrophone, WavSink
from daemon.speech.did_you_mean import Sense
from daemon.speech.reactions import Reactions
from daemon.speech.recognizers.open_recognizer import open_recognizer
from daemon.speech.recognizers.remote_recognizer import RemoteRecognizer
from daemon.speech.vad import BLOCK, RATE
from daemon.speech.voices.flite import FliteSynthesizer
from daemon.speech.voices.open_voice import open_synthesizer
from daemon.speech.voices.remote_voice import VOICE_GONE, RemoteSynthesizer
from daemon.speech.voices.voice_process import piper_voice as open_voice
from daemon.speech.wake import RemoteWakeWord
from daemon.speech.wyoming_client import Server
from daemon.speech.wyoming_server import SatelliteServer
from tests.speech.scripted_whisper import write_scripted_whisper
from tests.speech.test_wyoming import SOUND, Local
from tests.story.test_app import Running, config_in
from tests.support.waiting import until

INSTALLED = Path(__file__).parents[2] / ".cache" / "wyoming"
WHISPER, PIPER, WAKE, HTTP = SERVERS = (
    "wyoming-faster-whisper",
    "wyoming-piper",
    "wyoming-openwakeword",
    "wyoming-http",
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not all((INSTALLED / name / ".installed").exists() for name in SERVERS), reason="run script/wyoming-servers"
    ),
]
WORD = "hello"
"""What the server's ear understands, whatever it is told."""
CALL = 10 * RATE // BLOCK
"""Blocks in which a server has to hear a call."""
LONG = "This is one of many sentences. " * 500

Samples = NDArray[np.int16]


class Process:
    """A server that tells in a file what it does."""

    def __init__(self, folder: str, module: str, port: int, log: Path, *options: object) -> None:
        """Of a package in `folder`; ready when it listens at `port`."""
        self.log = log
        command = [python_of(folder), "-m", module, "--debug", *map(str, options)]
        with log.open("w") as file:
            self._process = subprocess.Popen(
                command, stdout=file, stderr=file, env=os.environ | {"HF_HUB_OFFLINE": "1"}
            )
        until(lambda: self._listens(port))

    def freeze(self, frozen: bool) -> None:
        self._process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)

    def tell_time_since_kill(self) -> None:
        """With pytest -s, for docs/benchmarks.md."""
        print(f"\n{self.log.stem}: {1000 * (time.monotonic() - self._killed_at):.1f} ms after it was killed")

    def kill(self) -> None:
        self._killed_at = time.monotonic()
        self._process.kill()
        self._process.wait()

    def kill_when(self, words: str, times: int = 1) -> threading.Thread:
        """Kill it as soon as it has told these words so often; returns the thread that does."""

        def watch() -> None:
            until(lambda: self.log.read_text().count(words) >= times)
            self.kill()

        thread = threading.Thread(target=watch)
        thread.start()
        return thread

    def _listens(self, port: int) -> bool:
        assert self._process.poll() is None, self.log.read_text()
        with socket.socket() as visitor:
            return visitor.connect_ex(("127.0.0.1", port)) == 0


Serve = Callable[..., Process]


def python_of(folder: str) -> Path:
    return INSTALLED / folder / "bin" / "python"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def serve(port: int, tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as built:

        def serve(name: str, *options: object, port: int = port) -> Process:
            module, uri = name.replace("-", "_"), f"tcp://127.0.0.1:{port}"
            server = Process(name, module, port, tmp_path / f"{name}.log", "--uri", uri, *options)
            built.callback(server.kill)
            return server

        yield serve


@pytest.fixture(scope="module")
def ears(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[object, ...]]:
    """Options of faster-whisper's server: with a model that answers at once, and with one that thinks for a while."""
    folder = tmp_path_factory.mktemp("whisper")
    models = {
        "quick": write_scripted_whisper(folder / "quick", WORD),
        "slow": write_scripted_whisper(folder / "slow", WORD, BASE),
    }
    return {name: ("--model", model, "--data-dir", folder, "--language", "en") for name, model in models.items()}


def half_a_minute_later(server: Server) -> None:
    server._not_before = 0.0


def test_faster_whisper_killed_in_the_middle_of_a_sentence_is_replaced_and_used_again(
    serve: Serve, port: int, ears: dict[str, tuple[object, ...]]
) -> None:
    told: list[bool] = []
    remote = Server(f"127.0.0.1:{port}", told.append)
    recognizer = RemoteRecognizer(remote, Local())
    quick = serve(WHISPER, *ears["quick"])
    assert recognizer.recognize(SOUND).text == WORD
    quick.kill()
    slow = serve(WHISPER, *ears["slow"])
    killing = slow.kill_when("Audio stopped")
    assert recognizer.recognize(SOUND).text == "heard here"
    slow.tell_time_since_kill()
    killing.join()
    assert told == [False]
    serve(WHISPER, *ears["quick"])
    assert recognizer.recognize(SOUND).text == "heard here", "too soon"
    half_a_minute_later(remote)
    assert recognizer.recognize(SOUND).text == WORD
    assert told == [False, True]


def test_faster_whisper_that_freezes_is_not_waited_for(
    serve: Serve, port: int, ears: dict[str, tuple[object, ...]]
) -> None:
    remote = Server(f"127.0.0.1:{port}")
    recognizer = RemoteRecognizer(remote, Local())
    server = serve(WHISPER, *ears["quick"])
    assert recognizer.recognize(SOUND).text == WORD
    server.freeze(True)
    assert recognizer.recognize(SOUND).text == "heard here"
    server.freeze(False)
    half_a_minute_later(remote)
    assert recognizer.recognize(SOUND).text == WORD


def test_an_ear_hears_by_faster_whisper_and_by_itself_when_that_is_killed(
    serve: Serve, port: int, ears: dict[str, tuple[object, ...]], user: Callable[[str], Samples], tmp_path: Path
) -> None:
    config = SpeechConfig(recognizer=f"wyoming:127.0.0.1:{port}")
    recognizer = open_recognizer(config, tmp_path)
    assert isinstance(recognizer, RemoteRecognizer)

    def heard(sentence: str) -> tuple[list[str], list[bool]]:
        texts: list[str] = []
        told: list[bool] = []
        reactions = Reactions(lambda utterance: texts.append(utterance.text), lambda words: None, on_server=told.append)
        ear = build_ear(config, WavSource(user(sentence)), recognizer, reactions, None, lambda: Sense([WORD, sentence]))
        ear.start()
        assert ear.wait_drained(100)
        return texts, told

    sentence = "bring me the cup from the kitchen table"
    quick = serve(WHISPER, *ears["quick"])
    assert heard(sentence) == ([WORD], [])
    quick.kill()
    killing = serve(WHISPER, *ears["slow"]).kill_when("Audio stopped")
    assert heard(sentence) == ([sentence], [False])
    killing.join()


def test_piper_killed_in_the_middle_of_a_sentence_is_replaced_and_used_again(
    serve: Serve, port: int, piper_voice: Path
) -> None:
    options = ("--voice", piper_voice.stem, "--data-dir", piper_voice.parent)
    remote, local = Server(f"127.0.0.1:{port}"), Local()
    voice = RemoteSynthesizer(remote, local, "there")
    server = serve(PIPER, *options)
    samples, rate = voice.synthesize("Here is the juice.")
    own = open_voice(piper_voice)
    by_itself, own_rate = own.synthesize("Here is the juice.")
    own.close()
    assert (rate, len(samples)) == (own_rate, len(by_itself))
    killing = server.kill_when("synthesize: raw_text", times=5)
    voice.synthesize(LONG)
    server.tell_time_since_kill()
    killing.join()
    assert local.spoken == [f"{VOICE_GONE} {LONG}"]
    assert voice.name == "local"
    serve(PIPER, *options)
    half_a_minute_later(remote)
    assert len(voice.synthesize("Here is the juice.")[0]) == len(samples)
    assert voice.name == "there"


def test_a_whole_heed_tells_aloud_that_its_ears_are_gone_and_does_what_it_was_told(
    serve: Serve, port: int, ears: dict[str, tuple[object, ...]], piper_voice: Path, tmp_path: Path
) -> None:
    """The person speaks by flite, the robot by a Piper server that lives on."""
    voice_port, person, microphone = free_port(), FliteSynthesizer("slt"), VirtualMicrophone()
    speech = SpeechConfig(recognizer=f"wyoming:127.0.0.1:{port}", voice=f"wyoming:127.0.0.1:{voice_port}")
    config = config_in(tmp_path / "run", llm=LlmConfig(brain="imitation"), speech=speech)
    recognizer = open_recognizer(speech, tmp_path)
    assert isinstance(recognizer, RemoteRecognizer)
    quick = serve(WHISPER, *ears["quick"])
    mouth = serve(PIPER, "--voice", piper_voice.stem, "--data-dir", piper_voice.parent, port=voice_port)
    with closing(WavSink(tmp_path / "said.wav")) as sink:
        heed = Running(config, Voice(microphone, recognizer, sink, open_synthesizer(speech, tmp_path)))

        def hears(*sentences: str) -> None:
            heed.wait()
            microphone.speak(*person.synthesize("go to the sink"))
            until(lambda: heed.app.console.history.utterances == list(sentences))

        try:
            hears(WORD)
            quick.kill()
            killing = serve(WHISPER, *ears["slow"]).kill_when("Audio stopped")
            hears(WORD, "go to the sink")
            killing.join()
            assert SERVER_GONE in heed.terminal.speech
            until(lambda: "with my own ears" in mouth.log.read_text())
            serve(WHISPER, *ears["quick"])
            half_a_minute_later(recognizer.server)
            hears(WORD, "go to the sink", WORD)
            assert SERVER_BACK in heed.terminal.speech
        finally:
            heed.app.shut_down("the test is over")
            heed.end()


def test_open_wake_word_hears_every_call_also_after_it_was_killed_in_the_middle_of_one(
    serve: Serve, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wake, "RETRY_SECONDS", 0.1)
    person, microphone = FliteSynthesizer("slt"), VirtualMicrophone()
    detector, sound = RemoteWakeWord(f"127.0.0.1:{port}"), microphone.blocks()

    def called(blocks: int = CALL) -> bool:
        microphone.speak(*person.synthesize("hey jarvis"))
        return any(detector.heard(block) for block in islice(sound, blocks))

    def listen() -> Process:
        server = serve(WAKE, "--preload-model", "hey_jarvis")
        until(lambda: detector._link is not None)
        return server

    try:
        server = listen()
        assert called()
        assert called()
        called(CALL // 6)
        server.kill()
        until(lambda: detector._link is None)
        listen()
        assert called()
    finally:
        detector.close()


# --- published clients, and heed as their server ---


@pytest.fixture
def heard() -> list[Samples]:
    return []


@pytest.fixture
def heed(heard: list[Samples]) -> Iterator[SatelliteServer]:
    def hear(samples: Samples) -> str:
        heard.append(samples)
        return "bring me the juice"

    def speak(text: str) -> Any:
        return SOUND, 16000

    running = SatelliteServer(("127.0.0.1", 0), hear, speak)
    running.start()
    yield running
    running.close()


@pytest.mark.parametrize("name", [WHISPER, PIPER])
def test_the_health_checks_of_other_servers_find_an_ear_and_a_voice_in_heed(name: str, heed: SatelliteServer) -> None:
    check = [python_of(name), "-m", f"{name.replace('-', '_')}.health_check", "--uri", f"tcp://127.0.0.1:{heed.port}"]
    done = subprocess.run(check, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr


def test_the_protocols_own_clients_are_understood_and_spoken_to(
    heed: SatelliteServer, heard: list[Samples], tmp_path: Path
) -> None:
    """Its bridges to HTTP: a sound becomes a text, and a text a sound, without the loss of a sample."""
    with ExitStack() as running:

        def post(kind: str, path: str, data: bytes) -> bytes:
            port = free_port()
            where = ("--host", "127.0.0.1", "--port", port, "--uri", f"tcp://127.0.0.1:{heed.port}")
            bridge = Process(HTTP, f"wyoming.http.{kind}_server", port, tmp_path / f"{kind}.log", *where)
            running.callback(bridge.kill)
            headers = {"Content-Type": "application/octet-stream"}
            question = urllib.request.Request(f"http://127.0.0.1:{port}/api/{path}", data, headers)
            with urllib.request.urlopen(question, timeout=60) as answer:
                return bytes(answer.read())

        assert json.loads(post("asr", "speech-to-text", as_wav(SOUND)))["text"] == "bring me the juice"
        assert np.array_equal(heard[0], SOUND)
        assert post("tts", "text-to-speech", b"hello") == as_wav(SOUND)


def as_wav(samples: Samples) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setparams((1, 2, 16000, 0, "NONE", ""))
        wav.writeframes(samples.tobytes())
    return file.getvalue()
