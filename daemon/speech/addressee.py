"""Said to the robot, or between people? Device-directed speech detection, by the words alone.

A logistic regression over a sentence's embedding (all-MiniLM-L6-v2, 384 dimensions), which knows what it is about, and
over its words, pairs of words and beginning, which know how it is put. What was learned lies beside this file;
`python -m training.addressee` learns it from what strangers said to robots, and from talk that a microphone overhears.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.speech.spoken_words import spoken_words

LEARNED = Path(__file__).with_name("addressee.json")
PUT = 2.0
"""How much the way it is put counts beside what it is about."""
NAMED = 1.8
"""Odds (logarithmic) that a sentence gains by naming something that is here: people talk to a robot about that."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to one L2-normalised row of 384 numbers each."""


@dataclass(frozen=True)
class Addressee:
    """Tells whether words are such as people say to a robot."""

    embed: Embed
    meaning: NDArray[np.float32]
    """A weight for each dimension of the embedding."""
    wording: Mapping[str, float]
    """A weight for each of the word_groups() that it knows."""
    bias: float

    @classmethod
    def load(cls, embed: Embed, file: Path = LEARNED) -> "Addressee":
        """Read what was learned. Raises OSError or ValueError where it is not there, or broken."""
        learned = json.loads(file.read_text(encoding="utf-8"))
        if not {"meaning", "wording", "bias"} <= set(learned):
            raise ValueError(f"{file} is not what python -m training.addressee writes")
        return cls(embed, np.array(learned["meaning"], np.float32), learned["wording"], learned["bias"])

    def odds(self, sentence: str, named: bool) -> float:
        """Return the logarithmic odds that a sentence was said to the robot; `named`: it names something that is here.

        Above 0 it is acted on.
        """
        return self.odds_of_all([sentence])[0] + NAMED * named

    def odds_of_all(self, sentences: Sequence[str]) -> list[float]:
        """Return the odds of sentences that name nothing that is here."""
        heard = [as_heard(sentence) for sentence in sentences]
        about = self.embed(heard) @ self.meaning
        return [float(odds) + self._put(text) + self.bias for odds, text in zip(about, heard, strict=True)]

    def _put(self, heard: str) -> float:
        known = [self.wording[group] for group in word_groups(heard) if group in self.wording]
        return PUT * sum(known) / len(known) ** 0.5 if known else 0.0


def as_heard(sentence: str) -> str:
    """Return its words alone, small and without signs, as recognisers write them."""
    return " ".join(spoken_words(sentence))


def word_groups(heard: str) -> set[str]:
    """Return the words of a sentence, its pairs of words, and how it begins; ^ stands before the first, $ after the
    last word.

    >>> sorted(word_groups("open it"))
    ['^ open', '^ open it', 'it', 'it $', 'open', 'open it']
    """
    words = heard.split()
    framed = ["^", *words, "$"]
    pairs = {f"{one} {other}" for one, other in pairwise(framed)}
    return {*words, *pairs, " ".join(framed[:3])}
