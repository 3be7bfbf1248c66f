"""The arithmetic of retrieval: which examples are most like this moment (Baermann et al. 2024, sec. 3.4).

Knows nothing of files or models. A matrix product over all instructions is enough; where there are very many, it is
first done roughly, with 8-bit numbers, and then exactly for those that could be among the nearest.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import compress
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from daemon.memory.example import InteractionExample

Vectors = NDArray[np.float32]
Suits = Callable[[InteractionExample], bool]

MANY = 20_000
"""Instructions from which on the rough pass pays: it reads a quarter of the bytes, and that is what takes the time."""
LATELY = 2_000
"""Examples that may change before all are settled anew, which takes a second where there are 100,000."""
DECIMALS = 6
"""Of a cosine; by more than that, equal sentences differ where they are multiplied in another order."""


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
    """Examples that may be retrieved, with the vectors of their instructions, in RAM."""

    def __init__(self, examples: Sequence[InteractionExample], vectors: Vectors, many: int = MANY) -> None:
        """`vectors` holds a normalised row per instruction, in the examples' order; no example is without."""
        self.examples = tuple(examples)
        self.vectors = vectors
        self._owners = np.repeat(np.arange(len(examples)), [len(example.instructions) for example in examples])
        """Of each row, the number of its example."""
        self._rough: Scores = self._exact
        if len(vectors) >= many:
            from daemon.memory.coarse_vectors import RoughScores  # its libraries take half a second to load

            self._rough = RoughScores(vectors)

    def nearest(self, query: Vectors, k: int, suits: Suits = lambda _: True) -> list[Retrieved]:
        """The k examples most like the query among those that suit, nearest last; of equals, the later."""
        if not self.examples or k < 1:
            return []
        cosines, error = self._rough(query)
        rows = self._candidates(cosines, 2 * error, k, suits)
        scores = cosines[rows] if error == 0 else self.vectors[rows] @ query
        best: dict[int, float] = {}
        for i in np.lexsort((rows, np.round(scores, DECIMALS)))[::-1].tolist():
            best.setdefault(int(self._owners[rows[i]]), float(scores[i]))
            if len(best) == k:
                break
        return [Retrieved(self.examples[number], score) for number, score in reversed(best.items())]

    def without(self, ids: Set[int]) -> tuple[list[InteractionExample], Vectors]:
        """The examples but for these, and their vectors."""
        kept = np.array([example.id not in ids for example in self.examples], bool)
        return list(compress(self.examples, kept)), self.vectors[kept[self._owners]]

    def _exact(self, query: Vectors) -> tuple[Vectors, float]:
        return self.vectors @ query, 0.0

    def _candidates(self, rough: Vectors, margin: float, k: int, suits: Suits) -> NDArray[np.int64]:
        """Rows that suit and may be the best of the k nearest: at most `margin` below the k-th of the rough ones."""
        count = min(4 * k, len(rough))
        while True:
            fitting = self._fitting(np.argpartition(rough, len(rough) - count)[len(rough) - count :], suits)
            best: dict[int, float] = {}
            for row in fitting[np.argsort(-rough[fitting])].tolist():
                best.setdefault(int(self._owners[row]), float(rough[row]))
            if len(best) >= k or count == len(rough):
                break
            count = min(8 * count, len(rough))
        if len(best) < k:
            return fitting
        return self._fitting(np.flatnonzero(rough >= list(best.values())[k - 1] - margin), suits)

    def _fitting(self, rows: NDArray[np.int64], suits: Suits) -> NDArray[np.int64]:
        owners = self._owners[rows].tolist()
        return np.array([r for r, owner in zip(rows, owners, strict=True) if suits(self.examples[owner])], np.int64)


@dataclass(frozen=True)
class GrowingIndex:
    """An index to which one lesson more is nothing: what changed lately stands beside the rest, until it is much."""

    settled: InstructionIndex
    lately: InstructionIndex
    changed: frozenset[int] = frozenset()
    """The ids of all examples that changed since the rest was settled; there they count no more."""

    @property
    def examples(self) -> list[InteractionExample]:
        """Return them in the order in which they came or changed."""
        return [
            *(example for example in self.settled.examples if example.id not in self.changed),
            *self.lately.examples,
        ]

    @property
    def vectors(self) -> Vectors:
        """A row per instruction, in the examples' order."""
        return np.concatenate([self.settled.without(self.changed)[1], self.lately.vectors])

    def after(self, ids: Set[int], examples: Sequence[InteractionExample], vectors: Vectors) -> "GrowingIndex":
        """The index when these have changed; `examples` are those of them that may be retrieved, with their vectors."""
        changed = self.changed | ids
        others, their_vectors = self.lately.without(ids)
        lately, new = [*others, *examples], np.concatenate([their_vectors, vectors])
        if len(changed) <= LATELY:
            return GrowingIndex(self.settled, InstructionIndex(lately, new), changed)
        rest, old = self.settled.without(changed)
        return GrowingIndex(
            InstructionIndex([*rest, *lately], np.concatenate([old, new])), InstructionIndex([], new[:0])
        )

    def nearest(self, query: Vectors, k: int, suits: Suits = lambda _: True) -> list[Retrieved]:
        """Return the nearest as InstructionIndex.nearest does; of equals, what changed lately."""
        if k < 1:
            return []
        old = self.settled.nearest(query, k, lambda example: example.id not in self.changed and suits(example))
        both = [*old, *self.lately.nearest(query, k, suits)]
        return sorted(both, key=lambda found: round(found.score, DECIMALS))[-k:]
