"""The recogniser that the settings ask for."""

from pathlib import Path

import pytest

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.recognition import RecognitionError
from daemon.speech.recognizers.open_recognizer import (
    BROUGHT_WHISPER,
    EMBEDDED,
    TWO_EARS_NEED,
    best_kind,
    lacking,
    open_recognizer,
)
from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer
from daemon.speech.recognizers.whisper import WhisperRecognizer


def test_two_ears_where_there_is_memory_for_them_and_else_one(whisper_folder: Path) -> None:
    brought, moonshine = EMBEDDED / BROUGHT_WHISPER, EMBEDDED / "moonshine-tiny-en"
    assert best_kind(TWO_EARS_NEED, moonshine, brought) == "both"
    assert best_kind(TWO_EARS_NEED - 1, moonshine, brought) == "moonshine"
    assert best_kind(TWO_EARS_NEED - 1, moonshine, whisper_folder) == "whisper"
    assert best_kind(TWO_EARS_NEED, moonshine, None) == "moonshine"
    assert best_kind(TWO_EARS_NEED, None, None) == "pocketsphinx"


def test_another_language_is_heard_by_whisper_or_what_lacks_is_told(whisper_folder: Path) -> None:
    moonshine = EMBEDDED / "moonshine-tiny-en"
    assert best_kind(TWO_EARS_NEED, moonshine, whisper_folder, "de") == "whisper"
    assert best_kind(TWO_EARS_NEED, moonshine, None, "de") == "moonshine"
    english = PocketsphinxRecognizer()
    assert lacking(english, "de").startswith('it knows English alone, and language = "de"')
    assert lacking(english, "en") == ""
    assert lacking(WhisperRecognizer(whisper_folder), "de") == ""


@pytest.mark.skipif(not (EMBEDDED / "moonshine-tiny-en").exists(), reason="set-up brought no Moonshine")
def test_both_ears_are_had_by_name_the_second_one_of_the_owner(whisper_folder: Path) -> None:
    ears = open_recognizer(SpeechConfig(recognizer="both"), whisper_folder.parent)
    assert ears.name == "moonshine:tiny-en and whisper:whisper-tiny-random"
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
