"""A Whisper model out of a folder."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.speech.audio import RATE, resample
from daemon.speech.recognition import Recognition, RecognitionError
from daemon.speech.recognizers.open_recognizer import BROUGHT_WHISPER, EMBEDDED
from daemon.speech.recognizers.whisper import WhisperRecognizer, repeats_itself
from daemon.speech.voices.espeak import EspeakSynthesizer

Samples = NDArray[np.int16]


def test_whisper_runs_from_a_folder_and_decodes_within_the_call(
    whisper_folder: Path, user: Callable[[str], Samples]
) -> None:
    recognizer = WhisperRecognizer(whisper_folder)
    heard = recognizer.recognize(user("yes"))
    assert recognizer.name == "whisper:whisper-tiny-random"
    assert isinstance(heard.text, str)
    assert 0.0 <= heard.confidence <= 1.0
    assert recognizer.recognize(user("yes")) == heard


@pytest.fixture(scope="module")
def base() -> WhisperRecognizer:
    """The Whisper that set-up brings."""
    if not (EMBEDDED / BROUGHT_WHISPER).exists():
        pytest.skip("set-up brought no Whisper")
    return WhisperRecognizer(EMBEDDED / BROUGHT_WHISPER)


def test_of_what_it_may_have_been_the_expected_is_taken(
    base: WhisperRecognizer, recording: Callable[[str], Samples]
) -> None:
    assert base.recognize(recording("stop_my_timer")).text == "Stuff my timer."
    base.set_vocabulary(["stop my timer", "turn off bed light"])
    heard = base.recognize(recording("stop_my_timer"))
    assert heard.text == "Stop my timer."
    assert "Stuff my timer." in heard.alternatives
    assert 0.0 < heard.margin < math.inf


def test_it_judges_what_another_recogniser_thinks_possible(
    base: WhisperRecognizer, recording: Callable[[str], Samples]
) -> None:
    sound = recording("stop_my_timer")
    search = base.search(sound)
    other, hardly = search.judge(["Stop my time, sir.", "The elephant is in the garden."])
    assert other.text == "Stop my time, sir."
    assert search.hypotheses[0].sound > other.sound > hardly.sound
    assert hardly.confidence < 0.1 < search.hypotheses[0].confidence
    assert 0.5 < search.speech <= 1.0


def test_a_text_is_judged_as_its_own_are(base: WhisperRecognizer, recording: Callable[[str], Samples]) -> None:
    sound = recording("stop_my_timer")
    search = base.search(sound)
    own = search.hypotheses[0]
    (again,) = search.judge([own.text])
    assert again.sound == pytest.approx(own.sound, abs=0.5)  # the end is not counted again


def test_in_a_room_where_nobody_speaks_nothing_is_understood(
    base: WhisperRecognizer, recording: Callable[[str], Samples]
) -> None:
    assert base.recognize(recording("room")).confidence < base.limits.possible


def test_another_language_is_written_as_it_is_spoken() -> None:
    if not (EMBEDDED / BROUGHT_WHISPER).exists():
        pytest.skip("set-up brought no Whisper")
    german = WhisperRecognizer(EMBEDDED / BROUGHT_WHISPER, language="de")
    german.set_vocabulary(["bring me the juice"])
    samples, rate = EspeakSynthesizer("de").synthesize("Stopp")
    sound = np.concatenate([np.zeros(RATE // 2, np.int16), resample(samples, rate, RATE), np.zeros(RATE, np.int16)])
    assert german.recognize(sound).text.lower().strip(" .!") == "stopp"


def test_a_language_that_the_model_does_not_know_is_told(whisper_folder: Path) -> None:
    for language in ("de", "tlh"):  # the model of these tests is an English one
        with pytest.raises(RecognitionError, match=f'does not know language = "{language}"'):
            WhisperRecognizer(whisper_folder, language=language)


class Echoing(WhisperRecognizer):
    """Repeats itself in windows of 10 s, as real weights do in shorter ones."""

    def _likeliest(self, found: Any) -> Recognition:
        return Recognition("what's the date " * (2 if found.frames == 1000 else 1), 0.8)


def test_what_repeats_itself_in_a_short_window_is_heard_in_a_longer_one(whisper_folder: Path) -> None:
    assert Echoing(whisper_folder).recognize(np.zeros(RATE, np.int16)).text == "what's the date "


def test_words_that_come_twice_are_looked_at_again() -> None:
    assert repeats_itself("What's the date? What's the date?")
    assert repeats_itself("bring it bring it bring it")
    for said in ("stop stop stop", "come here", "the milk and the cup", ""):
        assert not repeats_itself(said)
