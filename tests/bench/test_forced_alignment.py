"""Known words in a sound."""

import numpy as np

from bench.voice.forced_alignment import alignment
from daemon.speech.audio import RATE, resample
from daemon.speech.voices.flite import FliteSynthesizer


def test_known_words_are_found_in_their_sound() -> None:
    samples, rate = FliteSynthesizer("slt").synthesize("bring me the juice")
    room = np.zeros(RATE, np.int16)
    sound = np.concatenate([room, resample(samples, rate, RATE), room])
    assert 0.9 < alignment(sound, ["bring", "me", "the", "juice"]) < 1.3
