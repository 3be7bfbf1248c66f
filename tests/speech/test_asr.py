"""Sound into words, through the real recognisers."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.asr import RecognitionError, margin, open_recognizer
from daemon.speech.audio import RATE
from daemon.speech.sphinx import PocketsphinxRecognizer
from daemon.speech.whisper import WhisperRecognizer
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


def test_another_meaning_is_farther_away_than_an_article() -> None:
    found = [("open the door", 2.9), ("open door", 2.8), ("open the doors", 2.7), ("close the door", 2.5)]
    assert margin("open the door", found) == pytest.approx(0.4)
    assert margin("close the door", found) < 0.0
    assert margin("open door", found[:3]) == math.inf


def test_no_sound_is_no_word(recognizer: PocketsphinxRecognizer) -> None:
    assert recognizer.recognize(np.zeros(0, np.int16)).text == ""


def test_hearing_does_not_depend_on_what_was_heard_before(
    recognizer: PocketsphinxRecognizer, user: Callable[[str], Samples]
) -> None:
    sound = trimmed(user("bring me the milk"), recognizer)
    first = recognizer.recognize(sound)
    recognizer.recognize(np.random.default_rng(0).normal(0, 3000, RATE).astype(np.int16))
    assert recognizer.recognize(sound).text == first.text


def test_whisper_runs_from_a_folder_and_decodes_within_the_call(
    whisper_folder: Path, user: Callable[[str], Samples]
) -> None:
    recognizer = WhisperRecognizer(whisper_folder)
    heard = recognizer.recognize(user("yes"))
    assert recognizer.name == "whisper:whisper-tiny-random"
    assert isinstance(heard.text, str)
    assert 0.0 <= heard.confidence <= 1.0
    assert recognizer.recognize(user("yes")) == heard


def test_whisper_looks_again_at_the_whole_window_when_a_short_one_gave_nothing(
    whisper_folder: Path, user: Callable[[str], Samples]
) -> None:
    short, whole = WhisperRecognizer(whisper_folder, windows=(5,)), WhisperRecognizer(whisper_folder, windows=(30,))
    sound = user("yes")
    assert WhisperRecognizer(whisper_folder).recognize(sound) == whole.recognize(sound)  # noise is never sure
    assert len(short.recognize(sound).text) < 100  # and bounded by the length of the sound


def test_whisper_is_prompted_with_the_rare_words_of_the_scene(
    whisper_folder: Path, user: Callable[[str], Samples]
) -> None:
    recognizer = WhisperRecognizer(whisper_folder, windows=(5,))
    before = recognizer.recognize(user("yes"))
    recognizer.set_vocabulary(["bring me the spatula", "bring me the multivitamin juice"] * 100)
    assert recognizer.recognize(user("yes")) != before


def test_whisper_is_taken_where_its_model_lies(whisper_folder: Path) -> None:
    assert open_recognizer(SpeechConfig(), whisper_folder.parent).name == "whisper:whisper-tiny-random"
    assert open_recognizer(SpeechConfig(recognizer="pocketsphinx"), whisper_folder.parent).name == "pocketsphinx"


def test_a_model_that_is_missing_or_broken_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecognitionError, match="no Whisper model lies in"):
        open_recognizer(SpeechConfig(recognizer="whisper"), tmp_path)
    with pytest.raises(RecognitionError, match=r"lacks model\.bin, config\.json, tokenizer\.json"):
        open_recognizer(SpeechConfig(recognizer="whisper:base"), tmp_path)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(RecognitionError, match="cannot be loaded"):
        WhisperRecognizer(tmp_path)


def test_a_recogniser_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="wisper"):
        open_recognizer(SpeechConfig(recognizer="wisper"), tmp_path)
