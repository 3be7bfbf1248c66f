"""The arithmetic of retrieval: which examples are most like this moment (Baermann et al. 2024, sec. 3.4).

Knows nothing of files or models. A matrix product over all instructions is enough: 100,000 take 17 ms.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from daemon.memory.example import InteractionExample

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Retrieved:
    """An example, and how near it is."""

    example: InteractionExample
    score: float
    """Cosine between the last utterances and the nearest instruction of the example, -1 to 1."""


def query_vector(vectors: Vectors, decay: float) -> Vectors:
    """One vector for several utterances, oldest first; each weighs `decay` times the one after it.

    `vectors` has shape (utterances, dimension); the answer is L2-normalised and has shape (dimension,).
    """
    weights = decay ** np.arange(len(vectors) - 1, -1, -1, dtype=np.float32)
    total = weights @ vectors
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), np.float32)


class InstructionIndex:
    """All examples that may be retrieved, with the vectors of their instructions, in RAM."""

    def __init__(self, examples: Sequence[InteractionExample], vectors: Vectors) -> None:
        """`vectors` holds a normalised row per instruction, in the examples' order; no example is without."""
        self.examples = tuple(examples)
        self._vectors = vectors
        counts = [len(example.instructions) for example in examples]
        self._first_rows = np.cumsum([0, *counts[:-1]])

    def nearest(
        self, query: Vectors, k: int, suits: Callable[[InteractionExample], bool] = lambda _: True
    ) -> list[Retrieved]:
        """The k examples most like the query among those that suit, nearest last; of equals, the later."""
        if not self.examples:
            return []
        scores = np.maximum.reduceat(self._vectors @ query, self._first_rows)
        nearest_first = np.lexsort((np.arange(len(scores)), scores))[::-1]
        suiting = (i for i in nearest_first if suits(self.examples[i]))
        best = [i for i, _ in zip(suiting, range(k), strict=False)]
        return [Retrieved(self.examples[i], float(scores[i])) for i in reversed(best)]
