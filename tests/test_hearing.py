"""The ear in its place: settings, commands, status."""

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.config import SpeechConfig
from daemon.control import CommandError
from daemon.hearing import build_ear, ear_handlers, ear_status, is_deaf, mute
from daemon.speech.asr import Recognition
from daemon.speech.audio import WavSource
from daemon.speech.judgement import Limits
from daemon.speech.listener import Listener, Reactions


class Recognizer:
    name, lead, trail = "noting", 0, 0
    limits = Limits(0.0, 0.5, 0.5, 0.5, 0.5, 0.1)
    expected: tuple[str, ...] = ()

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        return Recognition("", 0.0)

    def set_vocabulary(self, sentences: Iterable[str]) -> None:
        self.expected = tuple(sentences)


def ear(config: SpeechConfig | None = None) -> Listener:
    reactions = Reactions(lambda utterance: None, lambda words: None)
    source = WavSource(np.zeros(16000, np.int16))
    return build_ear(config or SpeechConfig(), source, Recognizer(), reactions, None, ["yes"])


def run(listener: Listener) -> Listener:
    listener.start()
    assert listener.wait_drained(30)
    return listener


@pytest.mark.parametrize(("wake", "needed"), [("", False), ("okay robot", True), ("okay robot, hey robot", True)])
def test_a_robot_with_a_name_listens_only_when_called(wake: str, needed: bool) -> None:
    assert ear(SpeechConfig(wake=wake)).state.policy.wake is needed


def test_only_who_says_that_the_echo_is_cancelled_can_interrupt() -> None:
    assert not ear().state.policy.both_at_once
    assert ear(SpeechConfig(listen_while_speaking=True)).state.policy.both_at_once


def test_the_ear_is_muted_and_called_by_commands() -> None:
    listener = ear()
    commands = ear_handlers(lambda: listener)
    commands["mute"]({})
    commands["talk"]({"down": True})
    state = run(listener).state
    assert (state.muted, state.key_down) == (True, True)
    unmuted = ear()
    mute(unmuted)
    ear_handlers(lambda: unmuted)["unmute"]({})
    assert not run(unmuted).state.muted


def test_without_an_ear_the_commands_say_so() -> None:
    with pytest.raises(CommandError, match="no microphone here"):
        ear_handlers(lambda: None)["mute"]({})
    assert "no ear" in mute(None)
    assert (ear_status(None), is_deaf(None)) == ("none", False)


def test_an_ear_that_never_had_a_microphone_waits_and_is_not_deaf() -> None:
    listener = ear()
    assert not is_deaf(listener)
    run(listener)
    assert listener.hears
    assert ear_status(listener) == "dead"
