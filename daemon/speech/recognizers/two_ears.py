"""Two recognisers: one that is quick and knows what is expected, one that knows any sentence and takes longer."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognition import Recognition, Recognizer


class TwoEars:
    """Hears with `first`. What that is unsure of is for `second`: daemon/speech/second_opinion.py asks it."""

    def __init__(self, first: Recognizer, second: Recognizer) -> None:
        self.name = f"{first.name} and {second.name}"
        self.lead, self.trail, self.limits = first.lead, first.trail, first.limits
        self.first, self.second = first, second

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        return self.first.recognize(samples)

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        expected, called = list(sentences), list(names)
        self.first.set_vocabulary(expected, called)
        self.second.set_vocabulary(expected, called)
