"""A Whisper model out of a folder."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognizers.whisper import WhisperRecognizer, repeats_itself

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


def test_words_that_come_twice_are_looked_at_again() -> None:
    assert repeats_itself("What's the date? What's the date?")
    assert repeats_itself("bring it bring it bring it")
    for said in ("stop stop stop", "come here", "the milk and the cup", ""):
        assert not repeats_itself(said)
