"""From sound to utterances: the whole ear."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.voice.sound_files import WavSource
from daemon.speech.audio import BLOCK, RATE, AudioUnavailable, VirtualMicrophone
from daemon.speech.ear_events import Others
from daemon.speech.keywords import Keywords
from daemon.speech.listener import Listener
from daemon.speech.reactions import Reactions
from daemon.speech.recent_sound import RecentSound
from daemon.speech.recognition import Limits, Recognition
from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer
from daemon.trigger import Utterance

Samples = NDArray[np.int16]


class Heard:
    """Collects what an ear delivers."""

    def __init__(self) -> None:
        self.utterances: list[Utterance] = []
        self.stops: list[str] = []
        self.doubts: list[Utterance] = []

    @property
    def reactions(self) -> Reactions:
        return Reactions(self.utterances.append, self.stops.append, self.doubts.append)

    @property
    def texts(self) -> list[str]:
        return [utterance.text for utterance in self.utterances]


class CountingRecognizer:
    """Understands "speech" and notes how much sound it got."""

    name, lead, trail = "counting", 0, 0
    limits = Limits(0.0, 0.5, 0.5, 0.5, 0.5, 0.1)

    def __init__(self, text: str = "speech") -> None:
        self.lengths: list[int] = []
        self._text = text

    def recognize(self, samples: Samples) -> Recognition:
        self.lengths.append(len(samples))
        return Recognition(self._text, 0.9)

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None: ...


class BrokenRecognizer(CountingRecognizer):
    def recognize(self, samples: Samples) -> Recognition:
        raise RuntimeError("out of memory")


class Mouth:
    """Speaks all the time, and notes what it was told."""

    speaking = True

    def __init__(self, own_words: str) -> None:
        self.own_words = self.echo_words = own_words
        self.told: list[str] = []

    def duck(self) -> None:
        self.told.append("duck")

    def hold(self) -> None:
        self.told.append("hold")

    def go_on(self) -> None:
        self.told.append("go on")

    def cancel(self) -> None:
        self.told.append("cancel")


class Room:
    """Somebody says one sentence after the other, each when all before it is understood, as fast as the machine is."""

    name = "wav"
    hears = True

    def __init__(self, sentences: Iterable[Samples]) -> None:
        self._sentences = sentences
        self.understood: Callable[[], bool] = lambda: True

    def blocks(self) -> Iterator[Samples]:
        silence = np.zeros(3 * RATE, np.int16)
        for sentence in self._sentences:
            yield from WavSource(np.concatenate([sentence, silence])).blocks()
            while not self.understood():
                time.sleep(BLOCK / RATE)
                yield silence[:BLOCK]

    def close(self) -> None: ...


class UnpluggedMicrophone:
    name = "microphone"
    hears = True

    def blocks(self) -> Iterator[Samples]:
        yield np.zeros(512, np.int16)
        raise AudioUnavailable("the microphone gives no sound any more")

    def close(self) -> None: ...


def test_a_person_speaks_and_the_robot_understands(household: list[str], user: Callable[[str], Samples]) -> None:
    said = ["I want some juice", "can you also bring me a cup", "yes", "stop", "go to the fridge"]
    heard = Heard()
    room = Room(map(user, said))
    ear = Listener(room, PocketsphinxRecognizer(household), heard.reactions)
    room.understood = lambda: not ear.state.awaited
    ear.start()
    assert ear.wait_drained(60)
    assert heard.texts == [sentence for sentence in said if sentence != "stop"]
    assert set(heard.stops) == {"stop"}  # on a busy machine twice: before it is proved, and by the sentence
    first = heard.utterances[0]
    assert first.source == "wav"
    assert 0.3 < first.confidence <= 1.0
    assert first.started_at < first.heard_at


class NewsyRecognizer(CountingRecognizer):
    """Has something to tell in the middle of a sentence."""

    tell: Callable[[], None]

    def recognize(self, samples: Samples) -> Recognition:
        self.tell()
        return super().recognize(samples)


def test_what_is_told_aloud_waits_until_the_sentence_is_understood(user: Callable[[str], Samples]) -> None:
    """An ear that hears its mouth would forget the sentence."""
    order: list[str] = []
    recognizer = NewsyRecognizer()
    reactions = Reactions(
        lambda utterance: order.append(utterance.text), lambda words: None, sign=lambda: order.append("sign")
    )
    ear = Listener(WavSource(user("bring me the cup")), recognizer, reactions)
    recognizer.tell = lambda: ear.after_this_sentence(lambda: order.append("news"))
    ear.start()
    assert ear.wait_drained(60)
    assert order == ["sign", "speech", *["news"] * len(recognizer.lengths)]


@pytest.mark.whole
def test_the_microphone_of_a_program_is_a_microphone(household: list[str], user: Callable[[str], Samples]) -> None:
    heard, said = Heard(), threading.Semaphore(0)

    def on_utterance(utterance: Utterance) -> None:
        heard.utterances.append(utterance)
        said.release()

    microphone = VirtualMicrophone()
    ear = Listener(microphone, PocketsphinxRecognizer(household), Reactions(on_utterance, heard.stops.append))
    ear.start()
    for sentence in ("I want some juice", "what have you learned"):
        microphone.speak(user(sentence), 16000)
        assert said.acquire(timeout=30)
        assert heard.texts[-1] == sentence
    assert ear.alive
    ear.close()
    assert ear.drained


@pytest.mark.whole
def test_a_slow_recogniser_is_waited_for_although_nobody_speaks_any_more(user: Callable[[str], Samples]) -> None:
    said, may_answer = threading.Semaphore(0), threading.Event()

    class SlowRecognizer(CountingRecognizer):
        def recognize(self, samples: Samples) -> Recognition:
            assert may_answer.wait(30)
            return super().recognize(samples)

    microphone = VirtualMicrophone()
    ear = Listener(microphone, SlowRecognizer(), Reactions(lambda utterance: said.release(), Heard().stops.append))
    ear.start()
    microphone.speak(user("hello"), 16000)
    assert not said.acquire(timeout=0.2)
    may_answer.set()
    assert said.acquire(timeout=30)
    ear.close()


def test_a_stop_that_only_the_recogniser_understood_is_a_stop(user: Callable[[str], Samples]) -> None:
    heard = Heard()
    ear = Listener(WavSource(user("bring it")), CountingRecognizer("stop it"), heard.reactions)
    ear.start()
    assert ear.wait_drained(30)
    assert (heard.texts, heard.stops) == ([], ["stop it"])


@pytest.mark.whole
def test_while_the_robot_speaks_it_hears_nothing_but_the_stop_word(user: Callable[[str], Samples]) -> None:
    heard, recognizer, mouth = Heard(), CountingRecognizer("juice stop"), Mouth("here is your juice")
    sound = np.concatenate([user("here is your juice"), user("stop")])
    ear = Listener(WavSource(sound, realtime=True), recognizer, heard.reactions, mouth)  # our voice waits for a proof
    ear.start()
    assert ear.wait_drained(30)
    assert len(recognizer.lengths) == 1  # to prove the stop
    assert (heard.texts, heard.stops) == ([], ["stop"])
    assert mouth.told == ["hold", "cancel"]


def test_a_noise_that_sounds_like_stop_does_not_stop(recording: Callable[[str], Samples]) -> None:
    noise = recording("pause")
    assert any(map(Keywords().heard, WavSource(noise).blocks()))  # after "pause", in the noise of the room
    heard = Heard()
    ear = Listener(WavSource(noise), CountingRecognizer(), heard.reactions)
    ear.start()
    assert ear.wait_drained(30)
    assert (heard.texts, heard.stops) == (["speech"], [])


def test_an_empty_room_is_not_a_conversation(recording: Callable[[str], Samples]) -> None:
    heard, recognizer = Heard(), CountingRecognizer()
    ear = Listener(WavSource(recording("room")), recognizer, heard.reactions)
    ear.start()
    assert ear.wait_drained(30)
    assert recognizer.lengths == []
    assert ear.last_block_at is not None


def test_speech_that_is_no_word_is_not_an_utterance(user: Callable[[str], Samples]) -> None:
    heard = Heard()
    ear = Listener(WavSource(user("hello")), CountingRecognizer(""), heard.reactions)
    ear.start()
    assert ear.wait_drained(30)
    assert heard.texts == []


def test_a_dying_microphone_is_visible() -> None:
    heard = Heard()
    ear = Listener(UnpluggedMicrophone(), CountingRecognizer(), heard.reactions)
    ear.start()
    assert not ear.wait_drained(30)
    assert not ear.alive
    assert isinstance(ear.failure, AudioUnavailable)


def test_a_lost_microphone_is_told_and_so_is_its_return() -> None:
    told: list[bool] = []

    class FlakyMicrophone(UnpluggedMicrophone):
        def blocks(self) -> Iterator[Samples]:
            for self.hears in (False, True, False, False, True):
                yield np.zeros(512, np.int16)

    ear = Listener(FlakyMicrophone(), CountingRecognizer(), Reactions(print, print, on_hearing=told.append))
    ear.start()
    assert ear.wait_drained(30)
    assert told == [False, True]
    assert ear.hears


def test_a_dying_recogniser_is_visible_and_the_stop_word_lives_on(user: Callable[[str], Samples]) -> None:
    heard = Heard()
    sound = WavSource(np.concatenate([user("hello"), user("stop")]))
    ear = Listener(sound, BrokenRecognizer(), heard.reactions)
    ear.start()
    assert not ear.wait_drained(30)
    assert not ear.alive
    assert str(ear.failure) == "out of memory"
    assert heard.stops == ["stop"]


@pytest.mark.parametrize("kept", [512, 1000, 5000])
def test_recent_sound_is_found_by_its_number(kept: int) -> None:
    recent, sound = RecentSound(kept), np.arange(20000, dtype=np.int16)
    for begin in range(0, 20000, 500):
        recent.add(sound[begin : begin + 500])
    assert recent.end == 20000
    assert np.array_equal(recent.cut(20000 - kept, 19990), sound[20000 - kept : 19990])
    assert len(recent.cut(0, 100)) == 0


def test_a_body_that_does_not_answer_does_not_make_the_ear_deaf(user: Callable[[str], Samples]) -> None:
    tried: list[str] = []
    said: list[int] = []

    def stop(words: str) -> None:
        tried.append(words)
        raise OSError("nobody takes the stop")

    def twice() -> Iterator[Samples]:
        for number in (1, 2):
            said.append(number)
            yield user("bring it")

    room = Room(twice())
    room.understood = lambda: len(tried) >= len(said)  # what is said meanwhile belongs to the same stop
    ear = Listener(room, CountingRecognizer("stop it"), Reactions(Heard().utterances.append, stop))
    ear.start()
    assert ear.wait_drained(30)
    assert tried == ["stop it", "stop it"]


def test_words_are_shown_before_the_sentence_is_over_where_somebody_watches(user: Callable[[str], Samples]) -> None:
    shown: list[str] = []
    heard = Heard()
    reactions = replace(
        heard.reactions, others=lambda: Others(watched=True), on_words=lambda words: shown.append(words.text)
    )
    room = Room([user("bring me the juice and the cup and the banana please")])
    ear = Listener(room, CountingRecognizer(), reactions)
    room.understood = lambda: not ear.state.awaited
    ear.start()
    assert ear.wait_drained(60)
    assert shown == ["speech", ""]
    assert heard.texts == ["speech"]
