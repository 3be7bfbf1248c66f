"""A Whisper model out of a folder."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.speech.audio import RATE
from daemon.speech.recognition import Recognition
from daemon.speech.recognizers.open_recognizer import BROUGHT_WHISPER, EMBEDDED
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


@pytest.fixture(scope="module")
def base() -> WhisperRecognizer:
    """The Whisper that set-up brings."""
    if not (EMBEDDED / BROUGHT_WHISPER).exists():
        pytest.skip("set-up brought no Whisper")
    return WhisperRecognizer(EMBEDDED / BROUGHT_WHISPER)


def test_of_what_it_may_have_been_the_expected_is_taken(
    base: WhisperRecognizer, recording: Callable[[str], Samples]
) -> None:
    assert base.recognize(recording("stop_my_timer")).text == "stuff my timer"
    base.set_vocabulary(["stop my timer", "turn off bed light"])
    heard = base.recognize(recording("stop_my_timer"))
    assert heard.text == "stop my timer"
    assert "stuff my timer" in heard.alternatives
    assert 0.0 < heard.margin < math.inf


def test_in_a_room_where_nobody_speaks_nothing_is_understood(
    base: WhisperRecognizer, recording: Callable[[str], Samples]
) -> None:
    assert base.recognize(recording("room")).confidence < base.limits.possible


class Echoing(WhisperRecognizer):
    """Repeats itself in windows of 10 s, as real weights do in shorter ones."""

    def _decode(self, samples: Samples, window: int) -> Recognition:
        return Recognition("what's the date " * (2 if window == 10 else 1), 0.8)


def test_what_repeats_itself_in_a_short_window_is_heard_in_a_longer_one(whisper_folder: Path) -> None:
    assert Echoing(whisper_folder).recognize(np.zeros(RATE, np.int16)).text == "what's the date "


def test_words_that_come_twice_are_looked_at_again() -> None:
    assert repeats_itself("What's the date? What's the date?")
    assert repeats_itself("bring it bring it bring it")
    for said in ("stop stop stop", "come here", "the milk and the cup", ""):
        assert not repeats_itself(said)
