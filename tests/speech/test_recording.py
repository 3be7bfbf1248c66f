"""Push to talk: a recording is judged like what the ear hears, before anybody acts on it."""

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.page.recording import Recordings
from daemon.service.control import CommandError
from daemon.speech.did_you_mean import Sense
from daemon.speech.gain import decibels
from daemon.speech.recognition import Limits, Recognition, RecognitionError
from daemon.trigger import Utterance

Samples = NDArray[np.int16]
LIMITS = Limits(possible=0.1, stop=0.3, sentence=0.7, word=0.8, anything=0.95, worth_asking=0.5)


class Scripted:
    """A recogniser that understands what the test says."""

    name, lead, trail, limits = "scripted", 0, 0, LIMITS

    def __init__(self, heard: Recognition) -> None:
        self.heard = heard
        self.expected: list[tuple[str, ...]] = []
        self.sounds: list[Samples] = []

    def recognize(self, samples: Samples) -> Recognition:
        self.sounds.append(samples)
        return self.heard

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        self.expected.append(tuple(sentences))


class Ears:
    """Recordings, and what came of them."""

    def __init__(self, text: str, confidence: float, asking: bool = False) -> None:
        self.done: list[str] = []
        self.doubted: list[str] = []
        self.recognizer = Scripted(Recognition(text, confidence))
        self.sentences = ("bring me the water",)
        self.recordings = Recordings(
            lambda: self.recognizer,
            lambda: Sense(self.sentences),
            lambda said: self.done.append(said.text),
            lambda said: self.doubted.append(said.text),
            lambda: asking,
        )


def test_what_is_sure_is_done_and_what_is_not_is_asked(user: Callable[[str], Samples]) -> None:
    sound = user("bring me the water")
    sure, unsure = Ears("bring me the water", 0.9), Ears("bring me the water", 0.6)
    assert sure.recordings.hear(sound) == "bring me the water"
    unsure.recordings.hear(sound)
    assert (sure.done, sure.doubted, unsure.done, unsure.doubted) == (
        ["bring me the water"], [], [], ["bring me the water"],
    )  # fmt: skip


def test_noise_that_sounds_like_an_order_is_none() -> None:
    noise = np.random.default_rng(3).normal(0, 300, 16000 * 2).astype(np.int16)
    heard = Ears("water", 0.9)
    assert heard.recordings.hear(noise) == ""
    assert (heard.done, heard.doubted) == ([], [])


def test_an_answer_that_is_waited_for_is_taken(user: Callable[[str], Samples]) -> None:
    asked = Ears("no", 0.3, asking=True)
    assert asked.recordings.hear(user("no")) == "no"
    assert asked.done == ["no"]


def test_each_recording_is_understood_by_what_makes_sense_then(user: Callable[[str], Samples]) -> None:
    ears = Ears("bring me the water", 0.9)
    ears.recordings.hear(user("bring me the water"))
    ears.sentences = ("bring me the milk",)
    ears.recordings.hear(user("bring me the water"))
    assert ears.recognizer.expected == [("bring me the water",), ("bring me the milk",)]


def test_without_a_recogniser_one_is_told_what_to_do(user: Callable[[str], Samples]) -> None:
    def none() -> Scripted:
        raise RecognitionError("there is no model")

    nothing: Callable[[Utterance], None] = lambda said: None  # noqa: E731
    with pytest.raises(CommandError, match="there is no model"):
        Recordings(none, Sense, nothing, nothing).hear(user("yes"))


def test_who_is_far_from_a_satellites_microphone_is_turned_up_before_anybody_listens(
    user: Callable[[str], Samples],
) -> None:
    quiet = np.round(user("bring me the water") * 10 ** (-45 / 20)).astype(np.int16)
    ears = Ears("bring me the water", 0.9)
    assert ears.recordings.hear(quiet) == "bring me the water"
    assert decibels(ears.recognizer.sounds[-1]) > decibels(quiet) + 20
