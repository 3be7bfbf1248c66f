"""A small language model, made in milliseconds from the sentences that a robot expects. Pure text, no files."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

BEGIN, END = "<s>", "</s>"
UNEXPECTED = -14.0
"""Logarithmic probability of a word that is in none of the sentences, nor anywhere else in the vocabulary."""
_NEVER = -99.0

Ngram = tuple[str, ...]


class Trigram:
    """A back-off trigram, from sentences given as lists of words, and from words that may come anywhere.

    Witten-Bell smoothing, interpolated (Chen and Goodman 1998, sec. 2.5): after any two words every word of the
    vocabulary stays possible, so sentences that were never written can be heard. At least one word is needed.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], other_words: Iterable[str] = ()) -> None:
        self._counts = _count(sentences)
        if not self._counts[2]:
            raise ValueError("a language model needs at least one sentence with one word")
        for word in other_words:
            self._counts[1][(word,)] += _OTHER_WORD
        self._followers: dict[Ngram, set[str]] = defaultdict(set)
        self._continued: dict[Ngram, float] = defaultdict(float)
        for counter in self._counts.values():
            for ngram, count in counter.items():
                if ngram != (BEGIN,):
                    self._followers[ngram[:-1]].add(ngram[-1])
                    self._continued[ngram[:-1]] += count

    def __contains__(self, word: str) -> bool:
        return (word,) in self._counts[1]

    def probability(self, ngram: Ngram) -> float:
        """Probability of the last word, one of the vocabulary, after the at most two ones before it."""
        if not ngram:
            return 1.0 / len(self._followers[()])
        history, shorter = ngram[:-1], self.probability(ngram[1:])
        if history not in self._followers:
            return shorter
        left = self._left(history)
        return (1.0 - left) * self._counts[len(ngram)].get(ngram, 0.0) / self._continued[history] + left * shorter

    def chance(self, before: Sequence[str], word: str) -> float:
        """Logarithmic probability of a word, or END, after all those before it; UNEXPECTED outside the vocabulary."""
        return math.log(self.probability((*(BEGIN, *before)[-2:], word))) if word in self else UNEXPECTED

    def entries(self, length: int) -> Iterator[tuple[Ngram, float, float]]:
        """Each that was seen of so many words, in order: its logarithmic probability (to base 10), and the logarithm of
        what is kept back after it for words that were not seen there (0 where nothing was).
        """
        for ngram in sorted(self._counts[length]):
            chance = _NEVER if ngram == (BEGIN,) else math.log10(self.probability(ngram))
            yield ngram, chance, math.log10(self._left(ngram)) if ngram in self._followers else 0.0

    def arpa(self) -> str:
        """The model in the ARPA format, which recognisers read."""
        lines = ["\\data\\", *(f"ngram {n}={len(counter)}" for n, counter in self._counts.items())]
        for n in self._counts:
            lines += ["", f"\\{n}-grams:", *(_line(*entry) for entry in self.entries(n))]
        return "\n".join([*lines, "", "\\end\\", ""])

    def _left(self, history: Ngram) -> float:
        """Return what is kept back after `history` for words that were not seen there."""
        kinds = len(self._followers[history])
        return kinds / (kinds + self._continued[history])


def _line(ngram: Ngram, chance: float, left: float) -> str:
    return f"{chance:.5f}\t{' '.join(ngram)}" + (f"\t{left:.5f}" if left else "")


_OTHER_WORD = 0.05
"""How often such a word counts as said, against once for each word of a sentence."""


def _count(sentences: Iterable[Sequence[str]]) -> dict[int, dict[Ngram, float]]:
    counts: dict[int, dict[Ngram, float]] = {n: defaultdict(float) for n in (1, 2, 3)}
    for words in sentences:
        if not words:
            continue
        line = (BEGIN, *words, END)
        for n, counter in counts.items():
            for i in range(len(line) - n + 1):
                counter[line[i : i + n]] += 1.0
    return counts
