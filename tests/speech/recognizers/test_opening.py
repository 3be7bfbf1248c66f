"""The recogniser that the settings ask for."""

from pathlib import Path

import pytest

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.recognition import RecognitionError
from daemon.speech.recognizers.open_recognizer import BROUGHT_WHISPER, EMBEDDED, open_recognizer
from daemon.speech.recognizers.whisper import WhisperRecognizer


def test_whisper_is_taken_where_its_model_lies(whisper_folder: Path) -> None:
    assert open_recognizer(SpeechConfig(), whisper_folder.parent).name == "whisper:whisper-tiny-random"
    assert open_recognizer(SpeechConfig(recognizer="pocketsphinx"), whisper_folder.parent).name == "pocketsphinx"


@pytest.mark.skipif(not (EMBEDDED / BROUGHT_WHISPER).exists(), reason="set-up brought no Whisper")
def test_the_whisper_that_set_up_brought_stands_behind_one_of_the_owner(whisper_folder: Path, tmp_path: Path) -> None:
    wanted = SpeechConfig(recognizer="whisper")
    assert open_recognizer(wanted, whisper_folder.parent).name == "whisper:whisper-tiny-random"
    assert open_recognizer(wanted, tmp_path).name == "whisper:whisper-base"


def test_a_model_that_is_missing_or_broken_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecognitionError, match=r"lacks model\.bin, config\.json, tokenizer\.json"):
        open_recognizer(SpeechConfig(recognizer="whisper:base"), tmp_path)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(RecognitionError, match="cannot be loaded"):
        WhisperRecognizer(tmp_path)


def test_a_recogniser_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="wisper"):
        open_recognizer(SpeechConfig(recognizer="wisper"), tmp_path)
