"""What heed hears through: one recogniser for all who speak to it."""

from pathlib import Path

import numpy as np

from daemon.config import Config, SpeechConfig
from daemon.service.sound import SharedRecognizer
from daemon.speech.recognition import Recognition
from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer


def test_page_and_satellites_hear_with_the_ear_of_the_microphone(tmp_path: Path) -> None:
    ear = PocketsphinxRecognizer()
    shared = SharedRecognizer(Config(folder=tmp_path), ear)
    assert shared() is ear


def test_without_a_microphone_one_is_opened_once_also_where_the_wanted_one_is_missing(tmp_path: Path) -> None:
    config = Config(folder=tmp_path, speech=SpeechConfig(recognizer="whisper:nowhere"))
    shared = SharedRecognizer(config)
    assert shared().recognize(np.zeros(0, np.int16)) == Recognition("", 0.0)
    assert shared() is shared()
