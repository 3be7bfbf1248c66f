"""The voice that comes along, in its process, understood by heed's own ear."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import soxr

from daemon.config import SpeechConfig
from daemon.speech.recognizers.moonshine import MoonshineRecognizer
from daemon.speech.spoken_words import spoken_words
from daemon.speech.synthesis import SynthesisError
from daemon.speech.vad import RATE
from daemon.speech.voices import voice_process
from daemon.speech.voices.open_voice import open_synthesizer

MODELS = Path(__file__).parents[3] / "models"


def test_it_speaks_english_where_nothing_else_is_wanted_and_is_understood(tmp_path: Path) -> None:
    voice = open_synthesizer(SpeechConfig(), tmp_path)
    try:
        samples, rate = voice.synthesize("Here is the orange juice.")
        again, _ = voice.synthesize("Here is the orange juice.")
    finally:
        voice.close()
    assert (voice.name, rate) == ("hibari", 24000)
    assert np.array_equal(samples, again)
    ear = MoonshineRecognizer(MODELS / "moonshine-tiny-en")
    heard = ear.recognize(soxr.resample(samples, rate, RATE))
    assert spoken_words(heard.text) == ["here", "is", "the", "orange", "juice"]


@pytest.mark.parametrize("text", ["", "...", "3.5 \u20ac & 7%", "\u4f60\u597d", "x" * 500])
def test_whatever_it_is_told_to_say_it_lives_on(text: str) -> None:
    voice = voice_process.hibari_voice()
    try:
        with suppress(SynthesisError):
            voice.synthesize(text)
        assert len(voice.synthesize("Yes.")[0]) > 1000
    finally:
        voice.close()


def test_where_its_package_is_missing_another_one_speaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice_process, "find_spec", lambda name: None)
    assert open_synthesizer(SpeechConfig(), tmp_path).name == "espeak-ng"
    with pytest.raises(SynthesisError, match="make setup"):
        open_synthesizer(SpeechConfig(voice="hibari"), tmp_path)
