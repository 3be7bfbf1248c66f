"""What the tests of speech share: sentences, recordings, a simulated user, and models made on the spot."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.voice.random_whisper import write_random_whisper
from bench.voice.sound_files import read_sound
from bench.voice.sound_server import lacking_sound_server
from daemon.speech.audio import RATE, resample
from daemon.speech.voices.flite import FliteSynthesizer
from tests.speech.voices.tiny_piper import write_piper_voice

Samples = NDArray[np.int16]
RECORDINGS = Path(__file__).parents[1] / "data" / "audio"


@pytest.fixture(scope="session")
def household() -> list[str]:
    """Sentences that people say to a robot in a kitchen."""
    return Path(__file__).with_name("household.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def recording() -> Callable[[str], Samples]:
    """A clip of tests/data/audio by its name."""
    return lambda name: read_sound(RECORDINGS / f"{name}.flac")


@pytest.fixture(scope="session")
def user() -> Callable[[str], Samples]:
    """A simulated person: the sound of a sentence in a quiet room."""
    voice = FliteSynthesizer("slt")

    def say(sentence: str) -> Samples:
        samples, rate = voice.synthesize(sentence)
        room = np.zeros(RATE, np.int16)
        return np.concatenate([room[: RATE // 2], resample(samples, rate, RATE), room])

    return say


@pytest.fixture(scope="session")
def whisper_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Whisper model of 2 MB that understands nothing."""
    return write_random_whisper(tmp_path_factory.mktemp("models") / "whisper-tiny-random")


@pytest.fixture(scope="session")
def piper_voice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Piper voice that hums one tone per phoneme."""
    return write_piper_voice(tmp_path_factory.mktemp("voices") / "hum.onnx")


def require_sound_server() -> None:
    """Skip a test where there is no PulseAudio."""
    if lacking := lacking_sound_server():
        pytest.skip(lacking)
