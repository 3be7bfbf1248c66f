"""A microphone that is too quiet, with recorded people, softer than they were."""

from collections.abc import Callable

import numpy as np
import pytest

from bench.voice.sound_files import WavSource
from daemon.speech.audio import Samples
from daemon.speech.gain import QUIET, SENTENCES, AutomaticGain, GainControl, decibels, open_gain, turned_up
from daemon.speech.listener import Listener
from daemon.speech.reactions import Reactions
from daemon.trigger import Utterance
from tests.speech.test_listener import CountingRecognizer

SENTENCE = "turn_on_standing_light"


class Doubling:
    """Makes everything twice as loud, so many times, and notes which probabilities it was given."""

    gain_db = 6.0

    def __init__(self, works: int = 1000) -> None:
        self.given: list[float | None] = []
        self._left = works

    def process(self, audio: Samples, speech_probability: float | None = None) -> Samples:
        self._left -= 1
        if self._left < 0:
            raise RuntimeError("AGC2: bad state")
        self.given.append(speech_probability)
        return audio * 2


def softer(sound: Samples, by: float) -> Samples:
    return np.round(sound * 10 ** (-by / 20)).astype(np.int16)


def through(gain: AutomaticGain, sound: Samples) -> Samples:
    return np.concatenate([gain(block, ours=False) for block in WavSource(sound).blocks()])


def taught(opener: Callable[[], GainControl]) -> AutomaticGain:
    """A gain that has heard enough soft sentences."""
    gain = AutomaticGain(opener)
    told = [gain.learn(np.full(512, 10, np.int16)) for _ in range(SENTENCES + 3)]
    assert told == [False] * (SENTENCES - 1) + [True] + [False] * 3
    return gain


def test_a_voice_as_loud_as_it_should_be_is_let_through_as_it_is(recording: Callable[[str], Samples]) -> None:
    gain, sound = AutomaticGain(), recording(SENTENCE)
    assert not any(gain.learn(sound) for _ in range(9))
    block = sound[:512]
    assert gain(block, ours=False) is block


def test_soft_sentences_among_others_are_not_told_of(recording: Callable[[str], Samples]) -> None:
    gain, sound = AutomaticGain(Doubling), recording(SENTENCE)
    heard = [softer(sound, 40), sound, softer(sound, 40), np.zeros(0, np.int16), sound]
    assert not any(gain.learn(sentence) for sentence in heard)
    assert not gain.too_quiet


def test_the_first_soft_sentence_turns_it_up() -> None:
    gain, block = AutomaticGain(Doubling), np.ones(512, np.int16)
    gain.learn(np.full(512, 10, np.int16))
    assert max(gain(block, ours=False)) == 2
    assert not gain.too_quiet


@pytest.mark.parametrize("by", [30, 40])
def test_a_quiet_microphone_is_turned_up(by: int, recording: Callable[[str], Samples]) -> None:
    pytest.importorskip("pywebrtc_audio")
    gain, sound = taught(open_gain), softer(recording(SENTENCE), by)
    louder = [decibels(through(gain, sound)) for _ in range(4)]
    assert louder[-1] > decibels(sound) + 15
    assert louder[-1] > QUIET


def test_its_own_voice_teaches_it_nothing() -> None:
    doubling = Doubling()
    gain = taught(lambda: doubling)
    for ours in (True, False):
        gain(np.ones(512, np.int16), ours)
    assert doubling.given == [0.0, None]


def test_a_gain_that_does_not_load_leaves_the_sound_as_it_is_and_the_notice_is_given_all_the_same() -> None:
    def missing() -> GainControl:
        raise ImportError("No module named 'pywebrtc_audio'")

    gain, block = taught(missing), np.ones(512, np.int16)
    assert gain.too_quiet
    assert gain(block, ours=False) is block


def test_a_gain_that_fails_lets_the_sound_through_from_then_on() -> None:
    sound = np.arange(1, 5121, dtype=np.int16)
    heard = through(taught(lambda: Doubling(works=3)), sound)
    assert len(heard) == len(sound)
    assert heard.max() <= sound.max()


def test_people_are_told_once_what_to_do(recording: Callable[[str], Samples]) -> None:
    told, heard = list[str](), list[Utterance]()
    sentence = np.concatenate([softer(recording(SENTENCE), 30), np.zeros(16000, np.int16)])
    reactions = Reactions(heard.append, print, on_quiet=lambda: told.append("quiet"))
    ear = Listener(WavSource(np.tile(sentence, 4)), CountingRecognizer("turn it on"), reactions)
    ear.start()
    assert ear.wait_drained(60)
    assert len(heard) >= SENTENCES
    assert told == ["quiet"]
    assert ear.too_quiet


def test_a_recording_that_is_too_soft_is_turned_up_at_once(recording: Callable[[str], Samples]) -> None:
    sound = recording(SENTENCE)
    assert turned_up(sound) is sound
    raised = turned_up(softer(sound, 35))
    assert QUIET < decibels(raised) < decibels(sound) + 6
    assert not turned_up(np.zeros(5000, np.int16)).any()
