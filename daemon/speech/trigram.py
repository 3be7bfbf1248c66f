"""A small language model, made in milliseconds from the sentences that a robot expects. Pure text, no files."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

_BEGIN, _END = "<s>", "</s>"
_NEVER = -99.0

Ngram = tuple[str, ...]


def trigram_arpa(sentences: Iterable[Sequence[str]], other_words: Iterable[str] = ()) -> str:
    """A back-off trigram in ARPA format, from sentences given as lists of words, and from words that may come anywhere.

    Witten-Bell smoothing, interpolated (Chen and Goodman 1998, sec. 2.5): after any two words every word of the
    vocabulary stays possible, so sentences that were never written can be heard. At least one word is needed.
    """
    counts = _count(sentences)
    if not counts[2]:
        raise ValueError("a language model needs at least one sentence with one word")
    for word in other_words:
        counts[1][(word,)] += _OTHER_WORD
    model = _Smoothed(counts)
    lines = ["\\data\\", *(f"ngram {n}={len(model.ngrams(n))}" for n in (1, 2, 3))]
    for n in (1, 2, 3):
        lines += ["", f"\\{n}-grams:", *(model.line(ngram) for ngram in model.ngrams(n))]
    return "\n".join([*lines, "", "\\end\\", ""])


_OTHER_WORD = 0.05
"""How often such a word counts as said, against once for each word of a sentence."""


def _count(sentences: Iterable[Sequence[str]]) -> dict[int, dict[Ngram, float]]:
    counts: dict[int, dict[Ngram, float]] = {n: defaultdict(float) for n in (1, 2, 3)}
    for words in sentences:
        if not words:
            continue
        line = (_BEGIN, *words, _END)
        for n, counter in counts.items():
            for i in range(len(line) - n + 1):
                counter[line[i : i + n]] += 1.0
    return counts


class _Smoothed:
    """Probabilities of the n-grams that were counted, and the weight left for those that were not."""

    def __init__(self, counts: dict[int, dict[Ngram, float]]) -> None:
        self._counts = counts
        self._followers: dict[Ngram, set[str]] = defaultdict(set)
        self._continued: dict[Ngram, float] = defaultdict(float)
        for n in (1, 2, 3):
            for ngram, count in counts[n].items():
                if ngram != (_BEGIN,):
                    self._followers[ngram[:-1]].add(ngram[-1])
                    self._continued[ngram[:-1]] += count

    def ngrams(self, n: int) -> list[Ngram]:
        return sorted(self._counts[n])

    def line(self, ngram: Ngram) -> str:
        chance = _NEVER if ngram == (_BEGIN,) else math.log10(self.probability(ngram))
        back_off = f"\t{math.log10(self._left(ngram)):.5f}" if self._followers.get(ngram) else ""
        return f"{chance:.5f}\t{' '.join(ngram)}{back_off}"

    def probability(self, ngram: Ngram) -> float:
        """Probability of the last word after the ones before it."""
        if not ngram:
            return 1.0 / len(self._followers[()])
        history, shorter = ngram[:-1], self.probability(ngram[1:])
        left = self._left(history)
        return (1.0 - left) * self._counts[len(ngram)][ngram] / self._continued[history] + left * shorter

    def _left(self, history: Ngram) -> float:
        """What is kept back after `history` for words that were not seen there."""
        kinds = len(self._followers[history])
        return kinds / (kinds + self._continued[history])
