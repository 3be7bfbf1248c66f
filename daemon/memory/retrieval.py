"""The arithmetic of retrieval: which examples are most like this moment (Baermann et al. 2024, sec. 3.4).

Knows nothing of files or models. A matrix product over all instructions is enough; where there are very many, it is
first done roughly, with 8-bit numbers, and then exactly for those that could be among the nearest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from daemon.memory.example import InteractionExample

Vectors = NDArray[np.float32]

MANY = 20_000
"""Instructions from which on the rough pass pays: it reads a quarter of the bytes, and that is what takes the time."""


@dataclass(frozen=True)
class Retrieved:
    """An example, and how near it is."""

    example: InteractionExample
    score: float
    """Cosine between the last utterances and the nearest instruction of the example, -1 to 1."""


class Scores(Protocol):
    """Cosines of a query with many vectors."""

    def __call__(self, query: Vectors) -> tuple[Vectors, float]:
        """One cosine per vector, and how far each of them may be wrong."""
        ...


def query_vector(vectors: Vectors, decay: float) -> Vectors:
    """One vector for several utterances, oldest first; each weighs `decay` times the one after it.

    `vectors` has shape (utterances, dimension); the answer is L2-normalised and has shape (dimension,).
    """
    weights = decay ** np.arange(len(vectors) - 1, -1, -1, dtype=np.float32)
    total = weights @ vectors
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), np.float32)


class InstructionIndex:
    """All examples that may be retrieved, with the vectors of their instructions, in RAM."""

    def __init__(self, examples: Sequence[InteractionExample], vectors: Vectors, many: int = MANY) -> None:
        """`vectors` holds a normalised row per instruction, in the examples' order; no example is without."""
        self.examples = tuple(examples)
        self._vectors = vectors
        counts = [len(example.instructions) for example in examples]
        self._rows = np.cumsum([0, *counts])
        self._rough: Scores = self._exact
        if len(vectors) >= many:
            from daemon.memory.rough import RoughScores  # its libraries take half a second to load

            self._rough = RoughScores(vectors)

    def nearest(
        self, query: Vectors, k: int, suits: Callable[[InteractionExample], bool] = lambda _: True
    ) -> list[Retrieved]:
        """The k examples most like the query among those that suit, nearest last; of equals, the later."""
        if not self.examples or k < 1:
            return []
        cosines, error = self._rough(query)
        one_each = len(cosines) == len(self.examples)
        rough = cosines if one_each else np.maximum.reduceat(cosines, self._rows[:-1])
        candidates = self._candidates(rough, 2 * error, k, suits)
        if not len(candidates):
            return []
        scores = rough[candidates] if error == 0 else self._scores_of(candidates, query)
        best = np.lexsort((candidates, scores))[-k:]
        return [Retrieved(self.examples[candidates[i]], float(scores[i])) for i in best]

    def _exact(self, query: Vectors) -> tuple[Vectors, float]:
        return self._vectors @ query, 0.0

    def _candidates(
        self, rough: Vectors, margin: float, k: int, suits: Callable[[InteractionExample], bool]
    ) -> NDArray[np.int64]:
        """Those that suit and may be among the k nearest: at most `margin` below the k-th of the rough ones."""
        count = min(4 * k, len(rough))
        while True:
            best = np.argpartition(rough, len(rough) - count)[len(rough) - count :]
            fitting = [int(i) for i in best if suits(self.examples[i])]
            if len(fitting) >= k or count == len(rough):
                break
            count = min(8 * count, len(rough))
        if len(fitting) < k:
            return np.array(sorted(fitting), np.int64)
        least = np.partition(rough[fitting], len(fitting) - k)[len(fitting) - k] - margin
        near = np.flatnonzero(rough >= least)
        return np.array([i for i in near if suits(self.examples[i])], np.int64)

    def _scores_of(self, examples: NDArray[np.int64], query: Vectors) -> Vectors:
        rows = [np.arange(self._rows[i], self._rows[i + 1]) for i in examples]
        starts = np.cumsum([0, *(len(part) for part in rows[:-1])])
        return np.asarray(np.maximum.reduceat(self._vectors[np.concatenate(rows)] @ query, starts), np.float32)
