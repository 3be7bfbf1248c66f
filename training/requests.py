"""`python -m training.requests`: learn how people talk to robots, for the ear (daemon/speech/recognizers/requests.npz).

Counts words, pairs and triples of words in what the voices of training/corpus say, where the words of names are one
class, and in wishes of other kinds (training/addressee/said/: timers, lights). Prints how well the voices that were not
counted are expected: the perplexity of a word (Jelinek et al. 1977), names counted as the class that they are. Takes
half a minute; the same corpus gives the same numbers.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from daemon.speech.recognizers.expectation import REQUESTS, classed, words_of
from daemon.speech.recognizers.trigram import BEGIN, END, Trigram
from daemon.speech.recognizers.trigram_table import LENGTHS, TrigramTable, key_of
from daemon.speech.spoken_words import spoken_words
from sim.scene import Scene
from skills.scene import Scene as SeenScene
from training.addressee.lines import wishes
from training.corpus.dialogues import HELD_OUT, read_voice, voices

TIMES = 3
"""How often each of the other wishes counts: they are few, and people have them often."""

Words = tuple[str, ...]


def main() -> int:
    """Count, write, and print what is expected of whom."""
    parser = argparse.ArgumentParser(prog="python -m training.requests", description=__doc__)
    parser.add_argument("--output", type=Path, default=REQUESTS, help="the file to write")
    output: Path = parser.parse_args().output
    counted = [
        *said(file for file in voices() if file.stem not in HELD_OUT),
        *(tuple(w.split()) for w in wishes() * TIMES),
    ]
    write_table(Trigram(counted), output)
    learned = TrigramTable.read(output)
    others = list(said(file for file in voices() if file.stem in HELD_OUT))
    unknown = sum(word not in learned for words in others for word in words) / sum(map(len, others))
    print(
        f"{len(counted)} sentences, {output.stat().st_size / 1e6:.1f} MB; {len(others)} others: perplexity "
        f"{perplexity(learned, others):.0f}, {unknown:.3f} of their words not known"
    )
    return 0


def said(files: Iterable[Path]) -> Iterator[Words]:
    """Return what is said in files of voices, as words, names as their class."""
    for file in files:
        names: dict[int, frozenset[str]] = {}
        for dialogue in read_voice(file):
            if id(dialogue.world) not in names:
                names[id(dialogue.world)] = _names_in(dialogue.world)
            for turn in dialogue.turns:
                if words := classed(spoken_words(turn.say), names[id(dialogue.world)]):
                    yield words


def write_table(trigram: Trigram, file: Path) -> None:
    """Write all that a trigram knows."""
    words = {ngram[0]: number for number, (ngram, _, _) in enumerate(trigram.entries(1))}
    arrays: dict[str, Any] = {"words": np.frombuffer("\n".join(words).encode(), np.uint8)}
    for n in LENGTHS:
        entries = list(trigram.entries(n))  # in the order of their words, and so of their keys
        keys = np.array([key_of(ngram, words) for ngram, _, _ in entries], np.int64)
        arrays[f"keys_{n}"] = np.diff(keys, prepend=0)  # small numbers, which can be packed
        arrays[f"chance_{n}"] = np.array([chance for _, chance, _ in entries], np.float16)
        arrays[f"left_{n}"] = np.array([left for _, _, left in entries], np.float16)
    with file.open("wb") as packed:
        np.savez_compressed(packed, **arrays)


def perplexity(model: TrigramTable, sentences: Iterable[Words]) -> float:
    """Return that of the words that the model knows, and of the ends."""
    chances = [
        math.log(model.probability((*(BEGIN, *words[:at])[-2:], word)))
        for words in sentences
        for at, word in enumerate((*words, END))
        if word in model
    ]
    return math.exp(-sum(chances) / len(chances))


def _names_in(world: Mapping[str, Any]) -> frozenset[str]:
    return words_of(SeenScene.from_observation(Scene.from_description(world).observe()).names)


if __name__ == "__main__":
    raise SystemExit(main())
