"""Recordings and sounds for `heed bench voice`: what is said, in which room, and where its words begin and end."""

import csv
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.report import BenchError
from bench.voice.forced_alignment import alignment
from bench.voice.sound_files import read_sound
from daemon.speech.audio import Samples, resample
from daemon.speech.spoken_words import spoken_words
from daemon.speech.synthesis import Synthesizer
from daemon.speech.vad import RATE
from daemon.speech.voices.espeak import EspeakSynthesizer
from daemon.speech.voices.flite import FliteSynthesizer

ROOM = RATE
"""Samples of quiet after each clip: longer than the longest patience."""
CLICK = RATE * 35 // 100
"""Samples at the beginning of a recorded person in which only a button clicks."""


@dataclass(frozen=True)
class Clip:
    """One recording."""

    folder: str
    name: str
    kind: str
    text: str
    file: Path

    @property
    def sound(self) -> Samples:
        return np.concatenate([read_sound(self.file), np.zeros(ROOM, np.int16)])

    @property
    def is_command(self) -> bool:
        return self.folder == "commands_en" and bool(self.text)

    @property
    def is_human(self) -> bool:
        return self.kind.startswith("human")

    @property
    def words(self) -> list[str]:
        return spoken_words(self.text)


def read_clips(data: Path) -> list[Clip]:
    """The clips that index.tsv lists and that are there."""
    index = data / "index.tsv"
    if not index.exists():
        raise BenchError(f"there is no {index}: give the folder of the clips with --data DIR")
    with index.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if (data / row["file"]).exists()]
    return [Clip(Path(r["file"]).parent.name, r["file"], r["kind"], r["text"] or "", data / r["file"]) for r in rows]


NAME = re.compile(r"\b[A-Z]\w*(?: [A-Z]\w*)*")
_NUMBERS = "one two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty sixty"
NUMBERS = _NUMBERS.split()
OPPOSITES = (("on", "off"), ("open", "close"), ("locked", "unlocked"), ("lock", "unlock"), ("start", "stop"))


def sensible(texts: Iterable[str], names: Iterable[str]) -> set[str]:
    """Return these sentences, and what they become with other names, numbers and opposites of the same scene."""
    named = {t.replace(name, other) for t in texts for name in NAME.findall(t) for other in names}
    sentences = {" ".join(spoken_words(text)) for text in [*texts, *named]}
    swaps = [*itertools.permutations(NUMBERS, 2), *OPPOSITES, *((b, a) for a, b in OPPOSITES)]
    by_word: dict[str, list[str]] = {}
    for word, other in swaps:
        by_word.setdefault(word, []).append(other)
    for sentence in list(sentences):
        words = sentence.split()
        for at, word in enumerate(words):
            sentences |= {" ".join([*words[:at], other, *words[at + 1 :]]) for other in by_word.get(word, ())}
    return sentences


def voices() -> list[Synthesizer]:
    return [*(FliteSynthesizer(name) for name in ("slt", "rms", "awb")), EspeakSynthesizer()]


def said(voice: Synthesizer, words: str) -> Samples:
    """Words in a silent room: half a second before, and two after."""
    samples, rate = voice.synthesize(words)
    quiet = np.zeros(RATE // 2, np.int16)
    return np.concatenate([quiet, resample(samples, rate, RATE), quiet, quiet, quiet, quiet])


def louder(sound: Samples, gain: float) -> Samples:
    return np.clip(sound * gain, -32768, 32767).astype(np.int16)


def in_room(sound: Samples, room: Samples, decibels: float) -> Samples:
    """A voice that is so much louder than the noise of a room, which goes on all the time."""
    noise = np.resize(room[: -ROOM or None], len(sound)).astype(np.float64)
    voiced = sound[np.abs(sound) > 500].astype(np.float64)
    wanted = np.sqrt(np.mean(voiced**2)) / 10 ** (decibels / 20)
    noise *= wanted / max(1.0, float(np.sqrt(np.mean(noise**2))))
    return np.clip(sound + noise, -32768, 32767).astype(np.int16)


def first_word(clip: Clip) -> int:
    """The sample at which the first word becomes audible: within 20 dB of the loudest, from where its sounds begin.

    The words are known, so that a recogniser can align them; the recordings begin with the click of a button, which is
    taken away before.
    """
    sound = clip.sound
    sound[:CLICK] = 0
    aligned = int(alignment(sound, clip.words) * RATE)
    frames = _levels(sound)
    loud = np.flatnonzero(frames > frames.max() / 10)
    return int(loud[loud >= aligned // 160][0]) * 160


def offset(sound: Samples) -> int:
    """End of the loud part."""
    return (int(_loud(sound)[-1]) + 1) * 160


def _loud(sound: Samples) -> np.ndarray:
    """Numbers of the 10 ms frames within 26 dB of the loudest one."""
    level = _levels(sound)
    return np.flatnonzero(level > level.max() / 20)


def _levels(sound: Samples) -> np.ndarray:
    """Loudness of each 10 ms."""
    frames = sound[: len(sound) // 160 * 160].reshape(-1, 160).astype(np.float64)
    return np.asarray(np.sqrt(np.mean(frames**2, axis=1)))


def percentile(values: list[float], percent: int) -> float | None:
    return float(np.percentile(values, percent)) if values else None
