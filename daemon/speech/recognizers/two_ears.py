"""Two recognisers: one that is quick and knows what is expected, one that knows any sentence and takes longer.

What the first is unsure of both hear together: each judges also the texts that the other one thinks possible, and the
probabilities of both and of what is expected are multiplied (log-linear combination of hypotheses: Beyerlein 1998).
Each makes mistakes of its own, so a text that both find likely is nearly always right; and how likely it is beside the
others tells how sure one may be.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognition import Recognition, Recognizer, Search
from daemon.speech.spoken_words import spelled, spoken_words, written

SHARE = 0.3
"""Weight of an ear's logarithmic probability of a text after the sound ..."""
EXPECTATION = 0.15
"""... of the probability of its words by what is expected ..."""
PER_WORD = 1.0
"""... and what each word gains. Chosen on 160 recordings of strangers' sentences and on 20 people
(docs/decisions/recognition.md)."""

OFFERED = 4
"""Texts of the first ear that the second one judges, which takes it 30 ms each."""


class QuickEar(Recognizer, Protocol):
    """A recogniser that can judge what another one heard."""

    def likelihoods(self, samples: NDArray[np.int16], texts: Sequence[str]) -> list[float]:
        """Return the logarithmic probability of each text after the sound."""
        ...

    def expected(self, words: Sequence[str]) -> float:
        """Return the logarithmic probability of words by what is expected."""
        ...


class ThoroughEar(Recognizer, Protocol):
    """A recogniser that also tells what else may have been said."""

    def search(self, samples: NDArray[np.int16]) -> Search:
        """Return all that may have been said, ready to judge other texts."""
        ...


Likely = Sequence[tuple[str, float]]
"""Texts as the second ear writes them, with capitals and signs, each with its probability; the likeliest first."""


class TwoEars:
    """Hears with `first`. What that is unsure of both hear together: daemon/speech/second_opinion.py asks for it."""

    def __init__(self, first: QuickEar, second: ThoroughEar) -> None:
        self.name = f"{first.name} and {second.name}"
        self.lead, self.trail, self.limits = first.lead, first.trail, first.limits
        self.first, self.second = first, second

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        return self.first.recognize(samples)

    def together(self, samples: NDArray[np.int16], heard: Recognition, search: Search) -> Likely:
        """Return what may have been said after both ears.

        `heard` is what the first one made of these samples, `search` what the second one did. What is missing to 1 is
        how likely nobody spoke.
        """
        known = {hypothesis.text for hypothesis in search.hypotheses}
        offered = [each.text for each in heard.hypotheses[:OFFERED]]
        found = [*search.hypotheses, *search.judge([text for text in dict.fromkeys(offered) if text not in known])]
        sounds = self.first.likelihoods(samples, [each.text for each in found])
        scores: dict[str, float] = {}
        signs: dict[str, str] = {}
        for hypothesis, sound in zip(found, sounds, strict=True):
            if words := spoken_words(hypothesis.text):
                score = SHARE * (hypothesis.sound + sound) + EXPECTATION * self.first.expected(words)
                text = written(words)
                scores[text] = float(np.logaddexp(scores.get(text, -math.inf), score + PER_WORD * len(words)))
                signs.setdefault(text, spelled(hypothesis.text))
        if not scores or max(scores.values()) == -math.inf:
            return ()
        whole = float(np.logaddexp.reduce(list(scores.values())))
        likely = [(signs[text], search.speech * math.exp(score - whole)) for text, score in scores.items()]
        return sorted(likely, key=lambda entry: -entry[1])

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        expected, called = list(sentences), list(names)
        self.first.set_vocabulary(expected, called)
        self.second.set_vocabulary(expected, called)
