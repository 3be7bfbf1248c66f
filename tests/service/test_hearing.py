"""The ear in its place: settings, commands, status."""

import socket
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.voice.sound_files import WavSource
from daemon.config import ConfigError, SpeechConfig
from daemon.service.control import CommandError
from daemon.service.hearing import Hearing, build_ear, open_satellites
from daemon.speech.audio import Samples
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_events import Others
from daemon.speech.echo import Cancel, EchoPath
from daemon.speech.listener import Listener
from daemon.speech.reactions import Reactions
from daemon.speech.recognition import Limits, Recognition
from daemon.speech.recognizers.open_recognizer import open_recognizer
from daemon.speech.voices.open_voice import open_synthesizer
from daemon.speech.voices.remote_voice import RemoteSynthesizer
from daemon.speech.wyoming_client import Server


class Recognizer:
    name, lead, trail = "noting", 0, 0
    limits = Limits(0.0, 0.5, 0.5, 0.5, 0.5, 0.1)
    expected: tuple[str, ...] = ()

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        return Recognition("", 0.0)

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        self.expected = tuple(sentences)


def ear(
    config: SpeechConfig | None = None, echo: EchoPath | None = None, on_echo: Callable[[], None] = print
) -> Listener:
    reactions = Reactions(lambda utterance: None, lambda words: None, on_echo=on_echo)
    source = WavSource(np.zeros(16000, np.int16))
    return build_ear(config or SpeechConfig(), source, Recognizer(), reactions, None, lambda: Sense(["yes"]), echo)


def unchanged(near: Samples, far: Samples) -> Samples:
    return near


def missing() -> Cancel:
    raise ImportError("No module named 'pywebrtc_audio'")


def run(listener: Listener) -> Listener:
    listener.start()
    assert listener.wait_drained(30)
    return listener


@pytest.mark.parametrize(("wake", "needed"), [("", False), ("okay robot", True), ("okay robot, hey robot", True)])
def test_a_robot_with_a_name_listens_only_when_called(wake: str, needed: bool) -> None:
    assert ear(SpeechConfig(wake=wake)).state.policy.wake is needed


def test_a_server_may_listen_for_the_name() -> None:
    pytest.importorskip("wyoming")
    listener = run(ear(SpeechConfig(wake="wyoming:127.0.0.1:9, okay robot")))
    assert listener.state.policy.wake
    with pytest.raises(ConfigError, match="HOST:PORT"):
        ear(SpeechConfig(wake="wyoming:nowhere"))


def test_what_was_learned_at_work_is_expected_afterwards() -> None:
    told = [["yes"], ["yes", "bring me the spatula"]]
    situations = [Others(), Others(thinking=True), Others(thinking=True)]
    reactions = Reactions(
        lambda utterance: None, lambda words: None, others=lambda: situations.pop() if situations else Others()
    )
    recognizer = Recognizer()
    source = WavSource(np.zeros(16000, np.int16))
    listener = build_ear(SpeechConfig(), source, recognizer, reactions, None, lambda: Sense(told.pop(0)))
    assert recognizer.expected == ("yes",)
    run(listener)
    assert recognizer.expected == ("yes", "bring me the spatula")
    assert listener.sense.nearest("bring me the spatula").closeness == 1.0


@pytest.mark.parametrize(
    ("when", "cancelled", "both"),
    [("auto", True, True), ("auto", False, False), ("always", False, True), ("never", True, False)],
)
def test_people_can_interrupt_where_the_echo_is_cancelled_or_the_owner_says_so(
    when: str, cancelled: bool, both: bool
) -> None:
    echo = EchoPath(False, (lambda: unchanged) if cancelled else missing)
    listener = ear(SpeechConfig(listen_while_speaking=when), echo)
    assert Hearing(listener).listens_while_speaking is both


@pytest.mark.parametrize(("when", "told"), [("auto", ["lost"]), ("always", [])])
def test_a_canceller_that_fails_makes_the_ear_half_duplex_unless_the_owner_wants_both(
    when: str, told: list[str]
) -> None:
    echo, heard = EchoPath(False, lambda: unchanged), list[str]()
    listener = ear(SpeechConfig(listen_while_speaking=when), echo, lambda: heard.append("lost"))
    assert Hearing(listener).listens_while_speaking
    echo.on_loss()
    assert Hearing(run(listener)).listens_while_speaking is (when == "always")
    assert heard == told


def test_another_word_for_when_to_listen_is_refused() -> None:
    with pytest.raises(ConfigError, match='"auto", "always" or "never"'):
        ear(SpeechConfig(listen_while_speaking="sometimes"))


def test_the_ear_is_muted_and_called_by_commands() -> None:
    listener = ear()
    commands = Hearing(listener).handlers()
    commands["mute"]({})
    commands["talk"]({"down": True})
    state = run(listener).state
    assert (state.muted, state.key_down) == (True, True)
    unmuted = ear()
    Hearing(unmuted).mute()
    Hearing(unmuted).handlers()["unmute"]({})
    assert not run(unmuted).state.muted


def test_without_an_ear_the_commands_say_so() -> None:
    with pytest.raises(CommandError, match="no microphone here"):
        Hearing().handlers()["mute"]({})
    assert "no ear" in Hearing().mute()
    assert (Hearing().status, Hearing().deaf, Hearing().works) == ("none", False, True)


def test_an_ear_that_never_had_a_microphone_waits_and_is_not_deaf() -> None:
    listener = ear()
    assert not Hearing(listener).deaf
    run(listener)
    assert listener.hears
    assert Hearing(listener).status == "dead"


def test_an_ear_whose_microphone_is_lent_is_deaf_so_that_nothing_begins_to_move() -> None:
    hearing = Hearing(ear())
    hearing.lent = True
    assert (hearing.status, hearing.deaf) == ("lent", True)
    without_an_ear = Hearing()
    without_an_ear.lent = True
    assert (without_an_ear.status, without_an_ear.deaf) == ("lent", False)


@pytest.mark.parametrize("address", ["10300", "house:", "127.0.0.1:port", "192.0.2.1:10300"])
def test_an_address_where_no_satellite_can_come_is_told(address: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"satellites in \[speech\]"):
        open_satellites(SpeechConfig(satellites=address, voice="flite"), tmp_path, lambda samples: "")


def test_a_satellite_is_given_a_voice(tmp_path: Path) -> None:
    config = SpeechConfig(satellites="127.0.0.1:0", voice="flite")
    satellites = open_satellites(config, tmp_path, lambda samples: "")
    satellites.start()
    server = Server(f"127.0.0.1:{satellites.port}")
    samples, rate = RemoteSynthesizer(server, open_synthesizer(config, tmp_path), "there").synthesize("hello")
    satellites.close()
    assert len(samples) > rate / 4


def test_a_speech_server_that_ends_is_told_and_the_ear_here_takes_over(tmp_path: Path) -> None:
    told: list[bool] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    config = SpeechConfig(recognizer=f"wyoming:127.0.0.1:{port}")
    recognizer = open_recognizer(config, tmp_path)
    reactions = Reactions(lambda utterance: None, lambda words: None, on_server=told.append)
    listener = build_ear(
        config, WavSource(np.zeros(16000, np.int16)), recognizer, reactions, None, lambda: Sense(["yes"])
    )
    recognizer.recognize(np.zeros(40000, np.int16))
    run(listener)
    assert told == [False]
