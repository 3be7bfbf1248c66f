"""A Piper voice in its process."""

from pathlib import Path

import numpy as np
import pytest

from daemon.speech.synthesis import SynthesisError
from daemon.speech.voices.voice_process import piper_voice as open_voice


def test_piper_speaks_from_a_process_of_its_own(piper_voice: Path) -> None:
    voice = open_voice(piper_voice)
    short, rate = voice.synthesize("No.")
    long, _ = voice.synthesize("Here is your juice, and here is the cup.")
    voice.close()
    assert rate == 16000
    assert 0 < len(short) < len(long)
    assert np.abs(long).max() > 1000


def test_piper_comes_back_when_its_process_died(piper_voice: Path) -> None:
    voice = open_voice(piper_voice)
    voice._worker.kill()
    voice._worker.wait()
    assert len(voice.synthesize("Again.")[0]) > 0
    voice.close()


def test_a_piper_voice_that_is_broken_is_named(piper_voice: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a network")
    Path(f"{broken}.json").write_bytes(Path(f"{piper_voice}.json").read_bytes())
    with pytest.raises(SynthesisError, match=r"piper:broken\.onnx cannot be used"):
        open_voice(broken)
