"""The voice that the settings ask for."""

import json
from pathlib import Path

import pytest

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.synthesis import SynthesisError
from daemon.speech.voices.open_voice import open_synthesizer


def test_piper_is_taken_where_a_voice_lies_and_espeak_where_not(piper_voice: Path, tmp_path: Path) -> None:
    voice = open_synthesizer(SpeechConfig(), piper_voice.parent)
    voice.close()
    assert voice.name == "piper:hum.onnx"
    assert open_synthesizer(SpeechConfig(language="nl"), tmp_path).name == "espeak-ng"
    with pytest.raises(SynthesisError, match="no Piper voice for 'en' lies in"):
        open_synthesizer(SpeechConfig(voice="piper"), tmp_path)
    with pytest.raises(ConfigError, match="pipper"):
        open_synthesizer(SpeechConfig(voice="pipper"), tmp_path)


def test_a_voice_of_another_language_is_not_taken_for_the_first_in_the_alphabet(
    piper_voice: Path, tmp_path: Path
) -> None:
    for name, code in (("aaa", "de_DE"), ("bbb", "en_US")):
        (tmp_path / f"{name}.onnx").write_bytes(piper_voice.read_bytes())
        card = json.loads(Path(f"{piper_voice}.json").read_text()) | {"language": {"code": code}}
        (tmp_path / f"{name}.onnx.json").write_text(json.dumps(card))
    for language, name in (("en", "piper:bbb.onnx"), ("de", "piper:aaa.onnx"), ("fr", "espeak-ng")):
        voice = open_synthesizer(SpeechConfig(language=language), tmp_path)
        voice.close()
        assert voice.name == name
