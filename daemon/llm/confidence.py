"""How sure a language model is of what it writes: the probability that it gave to its least likely token.

The least, and not the mean: a statement is as good as its worst word, and most of its tokens are brackets and quotes
of which any model is sure. What a mask ruled out counts, so that a token which the model did not want is an unlikely
one. Pure arithmetic on logits.
"""

import math

import numpy as np
from numpy.typing import NDArray


class Confidence:
    """Is shown the tokens of one completion, one after the other."""

    def __init__(self) -> None:
        self.least = 1.0
        """From 0 to 1; 1 where nothing was written."""

    def weigh(self, logits: NDArray[np.float32], token: int) -> None:
        """A token was taken where these were the logits."""
        best = float(logits.max())
        others = float(np.exp(logits - best).sum())
        self.least = min(self.least, math.exp(float(logits[token]) - best) / others)
