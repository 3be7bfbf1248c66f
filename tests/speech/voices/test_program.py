"""Voices that are programs of their own: espeak-ng and flite."""

import numpy as np
import pytest

from daemon.speech.synthesis import SynthesisError, Synthesizer
from daemon.speech.voices.espeak import EspeakSynthesizer
from daemon.speech.voices.flite import FliteSynthesizer


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
