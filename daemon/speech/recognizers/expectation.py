"""What an ear expects: sentences that make sense here, and how people talk to robots at all.

Two trigrams, interpolated (Jelinek and Mercer 1980). The first is made of the sentences. The second was learned from
what strangers said to robots in homes, wards and workshops (`python -m training.requests`); there the words of names
are one class (Brown et al. 1992), and which ones belong to it is told by what is here. Which of the two counts for how
much is told by the words so far (Bayesian interpolation: Allauzen and Riley 2011).
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from operator import add
from pathlib import Path

from daemon.speech.recognizers.common_words import COMMON_WORDS
from daemon.speech.recognizers.trigram import BEGIN, END, UNEXPECTED, Ngram, Trigram
from daemon.speech.recognizers.trigram_table import TrigramTable
from daemon.speech.spoken_words import spoken_words

REQUESTS = Path(__file__).with_name("requests.npz")
"""How people talk to robots."""
NAME = "<name>"
"""Stands in it for any word of a name."""
OF_NO_NAME = frozenset([
    "a", "an", "and", "at", "by", "for", "from", "her", "his", "in", "its", "my", "of", "on", "our", "the", "to",
    "with",
])  # fmt: skip
"""Words that tell nothing where they stand in a name."""
REMEMBERED = 50_000
"""Beginnings of sentences whose probability is kept: some utterances' worth, 14 MB."""
SHARES = (0.9, 0.1)
"""Of the expected sentences, in two mixtures that are equally likely before the first word."""


class Expectation:
    """How likely words come after each other, said to this robot, here."""

    def __init__(self, sentences: Iterable[Sequence[str]], names: Iterable[str] = ()) -> None:
        """`sentences` are lists of words, at least one of one word; `names` are those of all that is here."""
        self._expected = Trigram(sentences, COMMON_WORDS)
        self._requests = read_requests()
        self._names = words_of(names)
        self._known: dict[Ngram, tuple[float, ...]] = {}

    def chance(self, before: Sequence[str], word: str) -> float:
        """Logarithmic probability of a word, or END, after all those before it; UNEXPECTED where neither knows it."""
        words = (BEGIN, *before)
        return _sum(self._mixtures((*words, word))) - _sum(self._mixtures(words))

    def sentence(self, words: Sequence[str]) -> float:
        """Logarithmic probability of words as a whole sentence."""
        return sum(self.chance(words[:at], word) for at, word in enumerate([*words, END]))

    def _mixtures(self, words: Ngram) -> tuple[float, ...]:
        """Logarithmic probability of all these words, in each mixture."""
        if words == (BEGIN,):
            return (0.0,) * len(SHARES)
        if words not in self._known:
            ngram = words[-3:]
            expected = self._expected.probability(ngram) if ngram[-1] in self._expected else 0.0
            requested = self._requested(ngram)
            chances = [share * expected + (1 - share) * requested for share in SHARES]
            logs = [math.log(chance) if chance else UNEXPECTED for chance in chances]
            told = tuple(map(add, self._mixtures(words[:-1]), logs))
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[words] = told
        return self._known[words]

    def _requested(self, ngram: Ngram) -> float:
        likely = self._requests.probability(classed(ngram, self._names))
        return likely / len(self._names) if ngram[-1] in self._names else likely


def _sum(chances: tuple[float, ...]) -> float:
    """Return the logarithm of the sum of probabilities that are given by their logarithms."""
    most = max(chances)
    return most + math.log(sum(math.exp(chance - most) for chance in chances))


def words_of(names: Iterable[str]) -> frozenset[str]:
    """The words of names, as they are spoken.

    >>> sorted(words_of(["olive_oil", "gran's box of tea"]))
    ['box', "gran's", 'oil', 'olive', 'tea']
    """
    return frozenset(word for name in names for word in spoken_words(name)) - OF_NO_NAME


def classed(words: Iterable[str], names: frozenset[str]) -> tuple[str, ...]:
    """Return words, with NAME for each that is in `names`."""
    return tuple(NAME if word in names else word for word in words)


@cache
def read_requests() -> TrigramTable:
    """Return how people talk to robots; read once."""
    return TrigramTable.read(REQUESTS)
