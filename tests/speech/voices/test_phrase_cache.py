"""Phrases that were made before."""

from pathlib import Path

import numpy as np

from daemon.speech.synthesis import Sound
from daemon.speech.voices import phrase_cache
from daemon.speech.voices.phrase_cache import CachingSynthesizer


class Voice:
    def __init__(self, name: str = "voice") -> None:
        self.name = name
        self.made: list[str] = []

    def synthesize(self, sentence: str) -> Sound:
        self.made.append(sentence)
        return np.arange(len(sentence), dtype=np.int16), 22050

    def close(self) -> None: ...


def test_a_phrase_is_made_once_also_over_a_restart(tmp_path: Path) -> None:
    voice = Voice()
    for _ in range(3):
        samples, rate = CachingSynthesizer(voice, tmp_path / "new").synthesize("Here you are.")
        assert (samples.tolist(), rate) == (list(range(13)), 22050)
    assert voice.made == ["Here you are."]


def test_another_voice_makes_its_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        voice = Voice(name)
        CachingSynthesizer(voice, tmp_path).synthesize("Bye.")
        assert voice.made == ["Bye."]


def test_what_another_voice_said_in_its_place_is_not_kept(tmp_path: Path) -> None:
    class Replaced(Voice):
        def synthesize(self, sentence: str) -> Sound:
            self.name = "another"
            return super().synthesize(sentence)

    CachingSynthesizer(Replaced(), tmp_path).synthesize("Bye.")
    voice = Voice()
    CachingSynthesizer(voice, tmp_path).synthesize("Bye.")
    assert voice.made == ["Bye."]


def test_a_broken_file_is_made_anew_and_a_folder_that_cannot_be_used_only_costs_time(tmp_path: Path) -> None:
    voice = Voice()
    CachingSynthesizer(voice, tmp_path).synthesize("Bye.")
    [file] = tmp_path.glob("*.npz")
    file.write_bytes(b"half a fi")
    assert len(CachingSynthesizer(voice, tmp_path).synthesize("Bye.")[0]) == 4
    assert len(CachingSynthesizer(voice, file).synthesize("Hello.")[0]) == 6
    assert voice.made == ["Bye.", "Bye.", "Hello."]


def test_long_sentences_are_not_kept_and_the_folder_stays_small(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(phrase_cache, "KEPT", 3)
    voice = CachingSynthesizer(Voice(), tmp_path)
    for sentence in ("a", "b", "c", "d", "e", "long " * 50):
        voice.synthesize(sentence)
    assert len(list(tmp_path.glob("*.npz"))) == 3
