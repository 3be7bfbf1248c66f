"""Words into sound."""

from pathlib import Path

import numpy as np
import pytest

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.tts import (
    EspeakSynthesizer,
    FliteSynthesizer,
    PiperSynthesizer,
    SynthesisError,
    Synthesizer,
    open_synthesizer,
    sentences,
)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Here is your juice. Shall I bring a cup, too?", ["Here is your juice.", "Shall I bring a cup, too?"]),
        ("Dr. Who, e.g. at 3.5 m.", ["Dr. Who, e.g. at 3.5 m."]),
        ('He said "no!" Then he left', ['He said "no!"', "Then he left"]),
        ("one\n\ntwo", ["one", "two"]),
        ("  \n ", []),
        ("", []),
        ("Wait…  what?!", ["Wait…", "what?!"]),
    ],
)
def test_text_is_cut_where_a_speaker_breathes(text: str, cut: list[str]) -> None:
    assert sentences(text) == cut


def test_an_endless_sentence_is_cut_and_nothing_is_lost() -> None:
    text = "and then, " * 300 + "x" * 1000
    pieces = sentences(text)
    assert max(map(len, pieces)) <= 240
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("voice", [EspeakSynthesizer("en"), FliteSynthesizer("slt")], ids=lambda v: v.name)
def test_a_voice_speaks_whatever_the_text_holds(voice: Synthesizer) -> None:
    for text in ("Here is your juice.", "-v is no option", "it's 3.5 < 4 & \x00 'quoted' \"twice\"", "Grüße 😀"):
        samples, rate = voice.synthesize(text)
        assert samples.dtype == np.int16
        assert 0.2 * rate < len(samples) < 20 * rate
        assert np.abs(samples).max() > 1000


def test_a_voice_that_does_not_exist_is_named() -> None:
    with pytest.raises(SynthesisError, match="voice does not exist"):
        EspeakSynthesizer("xx-nobody").synthesize("hello")


def test_a_program_that_is_missing_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SynthesisError, match="apt install espeak-ng"):
        EspeakSynthesizer()


def test_piper_speaks_from_a_process_of_its_own(piper_voice: Path) -> None:
    voice = PiperSynthesizer(piper_voice)
    short, rate = voice.synthesize("No.")
    long, _ = voice.synthesize("Here is your juice, and here is the cup.")
    voice.close()
    assert rate == 16000
    assert 0 < len(short) < len(long)
    assert np.abs(long).max() > 1000


def test_piper_comes_back_when_its_process_died(piper_voice: Path) -> None:
    voice = PiperSynthesizer(piper_voice)
    voice._worker.kill()
    voice._worker.wait()
    assert len(voice.synthesize("Again.")[0]) > 0
    voice.close()


def test_a_piper_voice_that_is_broken_is_named(piper_voice: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a network")
    Path(f"{broken}.json").write_bytes(Path(f"{piper_voice}.json").read_bytes())
    with pytest.raises(SynthesisError, match=r"Piper cannot use .*broken\.onnx"):
        PiperSynthesizer(broken)


def test_piper_is_taken_where_a_voice_lies_and_espeak_where_not(piper_voice: Path, tmp_path: Path) -> None:
    voice = open_synthesizer(SpeechConfig(), piper_voice.parent)
    voice.close()
    assert voice.name == "piper:hum.onnx"
    assert open_synthesizer(SpeechConfig(), tmp_path).name == "espeak-ng"
    with pytest.raises(SynthesisError, match="no Piper voice lies in"):
        open_synthesizer(SpeechConfig(voice="piper"), tmp_path)
    with pytest.raises(ConfigError, match="pipper"):
        open_synthesizer(SpeechConfig(voice="pipper"), tmp_path)


def test_of_a_long_first_sentence_the_first_clause_comes_alone() -> None:
    long = "When you ask for juice I also bring the cup, both at once, since I have two hands."
    assert sentences(f"{long} {long}") == [long[:44], long[45:], long]
    assert sentences("Here is the juice, as you like it.") == ["Here is the juice, as you like it."]
