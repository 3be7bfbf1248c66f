"""The mouth, with voices and loudspeakers that are small real classes."""

import threading
from pathlib import Path

import numpy as np
import pytest

from bench.voice.sound_files import read_sound
from daemon.speech.audio import AudioUnavailable, Samples, WavSink
from daemon.speech.synthesis import Sound, SynthesisError
from daemon.speech.talker import Talker
from daemon.speech.voices.espeak import EspeakSynthesizer
from tests.support.null_sink import NullSink
from tests.support.waiting import until


class NotingVoice:
    """Makes one sample per character and notes what it was asked to say."""

    name = "noting"

    def __init__(self, gate: threading.Event | None = None) -> None:
        self.said: list[str] = []
        self.began = threading.Event()
        self._gate = gate

    def synthesize(self, sentence: str) -> Sound:
        self.began.set()
        if self._gate is not None:
            assert self._gate.wait(10)
        if "unspeakable" in sentence:
            raise SynthesisError("the voice broke")
        self.said.append(sentence)
        return np.ones(len(sentence), np.int16), 16000

    def close(self) -> None: ...


class StuckSink(NullSink):
    """Takes sound and never plays it to the end, until it is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.playing, self._cancelled = threading.Event(), threading.Event()

    def play(self, samples: Samples, rate: int) -> None:
        super().play(samples, rate)
        self._cancelled.clear()
        self.playing.set()

    def drain(self) -> None:
        assert self._cancelled.wait(10)

    def cancel(self) -> float:
        self._cancelled.set()
        return 0.0


class UnpluggedSink(NullSink):
    def drain(self) -> None:
        raise AudioUnavailable("the loudspeaker takes no sound any more")


def test_what_is_said_is_spoken_in_order_sentence_by_sentence() -> None:
    voice, sink = NotingVoice(), NullSink()
    talker = Talker(voice, sink)
    talker.start()
    talker.say("Here you are. Enjoy!")
    talker.say("Bye")
    assert talker.wait_silent(10)
    assert voice.said == ["Here you are.", "Enjoy!", "Bye"]
    assert sink.played == len("Here you are.Enjoy!Bye")
    talker.close()
    assert not talker.alive
    assert talker.failure is None


def test_the_robot_speaks_from_the_order_to_the_last_sample() -> None:
    sink = StuckSink()
    talker = Talker(NotingVoice(), sink)
    talker.start()
    assert not talker.speaking
    talker.say("Here is your juice.")
    assert talker.speaking
    assert sink.playing.wait(10)
    assert talker.own_words == "Here is your juice."
    talker.cancel()
    assert talker.wait_silent(10)
    assert not talker.speaking
    assert talker.own_words == ""
    talker.close()


def test_cancel_forgets_the_rest_and_the_next_order_is_spoken() -> None:
    gate = threading.Event()
    voice, sink = NotingVoice(gate), NullSink()
    talker = Talker(voice, sink)
    talker.start()
    talker.say("A long story. With an end.")
    assert voice.began.wait(10)
    talker.cancel()
    talker.say("Yes?")
    gate.set()
    assert talker.wait_silent(10)
    assert voice.said == ["A long story.", "Yes?"]
    assert sink.played == len("Yes?")
    talker.close()


def test_a_long_speech_does_not_hold_up_a_wait() -> None:
    talker = Talker(NotingVoice(), StuckSink())
    talker.start()
    talker.say("Never ends.")
    assert not talker.wait_silent(0.01)
    talker.close()


@pytest.mark.parametrize(("text", "sink"), [("unspeakable", NullSink()), ("Hello.", UnpluggedSink())])
def test_a_broken_mouth_is_visible(text: str, sink: NullSink) -> None:
    talker = Talker(NotingVoice(), sink)
    talker.start()
    talker.say(text)
    assert not talker.wait_silent(10)
    assert not talker.alive
    assert isinstance(talker.failure, SynthesisError | AudioUnavailable)
    with pytest.raises(RuntimeError, match="the mouth has stopped"):
        talker.say("Is anybody there?")


def test_nothing_to_say_is_said_in_silence() -> None:
    talker = Talker(NotingVoice(), NullSink())
    talker.start()
    talker.say("")
    talker.say(" \n ")
    assert not talker.speaking
    talker.close()


def test_who_waits_for_silence_hears_of_it_also_where_nothing_was_played() -> None:
    silences: list[bool] = []
    talker = Talker(NotingVoice(), NullSink(), on_silence=lambda: silences.append(True))
    talker.start()
    talker.say("Hello.")
    until(lambda: bool(silences))
    talker.close()


def test_after_the_end_nothing_is_said() -> None:
    voice = NotingVoice()
    talker = Talker(voice, NullSink())
    talker.start()
    talker.close()
    talker.say("Too late.")
    assert not talker.speaking
    assert voice.said == []


def test_a_real_voice_lands_in_a_wav(tmp_path: Path) -> None:
    sink = WavSink(tmp_path / "said.wav")
    talker = Talker(EspeakSynthesizer(), sink)
    talker.start()
    talker.say("Here is your juice. Anything else?")
    assert talker.wait_silent(30)
    talker.close()
    sink.close()
    samples = read_sound(tmp_path / "said.wav")
    assert len(samples) > 16000
    assert np.abs(samples).max() > 1000


class PlayingSink(NullSink):
    """Plays until it is cancelled, and then tells that half a second was left; notes its loudness."""

    def __init__(self) -> None:
        super().__init__()
        self.playing, self.cancelled = threading.Event(), threading.Event()
        self.gains: list[float] = []

    def play(self, samples: Samples, rate: int) -> None:
        self.playing.set()

    def drain(self) -> None:
        assert self.cancelled.wait(10)

    def soften(self, gain: float) -> None:
        self.gains.append(gain)

    def cancel(self) -> float:
        self.cancelled.set()
        return 0.5


class SlowVoice(NotingVoice):
    """Speaks for a second."""

    def synthesize(self, sentence: str) -> Sound:
        return np.ones(16000, np.int16), 16000


def test_who_is_interrupted_knows_what_was_heard() -> None:
    cuts: list[tuple[str, str]] = []
    sink = PlayingSink()
    talker = Talker(SlowVoice(), sink, on_cut=lambda said, unsaid: cuts.append((said, unsaid)))
    talker.start()
    talker.say("one two three four")
    assert sink.playing.wait(10)
    assert talker.wait_silent(0) is False
    talker.duck()
    talker.hold()
    talker.go_on()
    talker.cancel()
    assert talker.wait_silent(10)
    talker.close()
    assert cuts == [("one two", "three four")]
    assert sink.gains == [0.25, 0.0, 1.0, 1.0, 1.0]


def test_what_was_said_a_moment_ago_are_still_our_own_words() -> None:
    talker = Talker(NotingVoice(), NullSink())
    talker.start()
    talker.say("Here is your juice.")
    assert talker.wait_silent(10)
    assert talker.own_words == ""
    assert talker.echo_words == "Here is your juice."
    talker.close()


def test_a_chime_sounds_only_into_silence() -> None:
    sink = StuckSink()
    talker = Talker(NotingVoice(), sink)
    talker.chime()
    chime = sink.played
    assert 1000 < chime < 4000
    sink.playing.clear()
    talker.start()
    talker.say("Here is your juice.")
    assert sink.playing.wait(10)
    talker.chime()
    talker.close()
    assert sink.played == chime + len("Here is your juice.")


def test_the_first_sound_after_a_silence_is_told() -> None:
    sounds: list[str] = []
    talker = Talker(NotingVoice(), NullSink(), on_sound=lambda: sounds.append("sound"))
    talker.start()
    for text in ("Here you are.", "Bye."):
        talker.say(text)
        assert talker.wait_silent(10)
    talker.close()
    assert sounds == ["sound", "sound"]
