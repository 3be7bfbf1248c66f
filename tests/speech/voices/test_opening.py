"""The voice that the settings ask for."""

from pathlib import Path

import pytest

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.synthesis import SynthesisError
from daemon.speech.voices.opening import open_synthesizer


def test_piper_is_taken_where_a_voice_lies_and_espeak_where_not(piper_voice: Path, tmp_path: Path) -> None:
    voice = open_synthesizer(SpeechConfig(), piper_voice.parent)
    voice.close()
    assert voice.name == "piper:hum.onnx"
    assert open_synthesizer(SpeechConfig(), tmp_path).name == "espeak-ng"
    with pytest.raises(SynthesisError, match="no Piper voice lies in"):
        open_synthesizer(SpeechConfig(voice="piper"), tmp_path)
    with pytest.raises(ConfigError, match="pipper"):
        open_synthesizer(SpeechConfig(voice="pipper"), tmp_path)
