"""Pocketsphinx, which needs no model file."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.speech.audio import RATE
from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer
from tests.speech.test_voice_detector import segments_of

Samples = NDArray[np.int16]


@pytest.fixture(scope="module")
def recognizer(household: list[str]) -> PocketsphinxRecognizer:
    return PocketsphinxRecognizer(household)


def trimmed(samples: Samples, recognizer: PocketsphinxRecognizer) -> Samples:
    (segment,) = segments_of(samples)
    return samples[slice(*segment.around(recognizer.lead, recognizer.trail))]


@pytest.mark.parametrize("sentence", ["yes", "no", "never mind", "what have you learned"])
def test_an_expected_sentence_is_understood(
    recognizer: PocketsphinxRecognizer, user: Callable[[str], Samples], sentence: str
) -> None:
    heard = recognizer.recognize(trimmed(user(sentence), recognizer))
    assert heard.text == sentence
    assert 0.3 < heard.confidence <= 1.0


def test_a_sentence_that_nobody_expected_is_understood_from_its_parts(
    household: list[str], user: Callable[[str], Samples]
) -> None:
    recognizer = PocketsphinxRecognizer(s for s in household if s != "bring me the juice")
    assert recognizer.recognize(trimmed(user("bring me the juice"), recognizer)).text == "bring me the juice"


def test_a_recorded_person_is_understood(recording: Callable[[str], Samples]) -> None:
    sentences = ["what time is it", "turn on standing light", "pause", "next", "nevermind", "stop my timer"]
    recognizer = PocketsphinxRecognizer(sentences)
    for name in ("what_time_is_it", "turn_on_standing_light", "pause", "next"):
        assert recognizer.recognize(trimmed(recording(name), recognizer)).text == name.replace("_", " ")


def test_new_words_are_heard_after_the_vocabulary_changed(user: Callable[[str], Samples]) -> None:
    recognizer = PocketsphinxRecognizer(["yes", "no"])
    sound = trimmed(user("bring me the spatula"), recognizer)
    assert "spatula" not in recognizer.recognize(sound).text
    recognizer.set_vocabulary(["bring me the spatula", "yes", "no"])
    assert recognizer.recognize(sound).text == "bring me the spatula"


def test_what_else_it_might_have_been_is_told(
    recognizer: PocketsphinxRecognizer, user: Callable[[str], Samples]
) -> None:
    heard = recognizer.recognize(trimmed(user("put the apple in the bowl"), recognizer))
    assert heard.alternatives
    assert heard.text not in heard.alternatives


def test_no_sound_is_no_word(recognizer: PocketsphinxRecognizer) -> None:
    assert recognizer.recognize(np.zeros(0, np.int16)).text == ""


def test_hearing_does_not_depend_on_what_was_heard_before(
    recognizer: PocketsphinxRecognizer, user: Callable[[str], Samples]
) -> None:
    sound = trimmed(user("bring me the milk"), recognizer)
    first = recognizer.recognize(sound)
    recognizer.recognize(np.random.default_rng(0).normal(0, 3000, RATE).astype(np.int16))
    assert recognizer.recognize(sound).text == first.text
