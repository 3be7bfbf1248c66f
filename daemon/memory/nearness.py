"""Which of some short texts are nearest in meaning to what was said."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

KEPT = 2000
"""Vectors, at most; the things of a household come again and again."""


class Embedder(Protocol):
    """What memory asks of daemon.llm: sentences to vectors."""

    name: str
    """Identifies the vector space; when it changes, everything is embedded anew."""
    dimension: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised row per text."""
        ...


class Nearness:
    """Compares sentence vectors by their cosine; those of texts are kept, those of what is said are not."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def order(self, said: str, texts: Sequence[str]) -> list[int]:
        """Positions of the texts, the nearest first."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if len(self._vectors) + len(new) > KEPT:
            self._vectors, new = {}, list(dict.fromkeys(texts))
        self._vectors.update((text, self._embedder.embed([text])[0]) for text in new)
        if not texts:
            return []
        (words,) = self._embedder.embed([said])
        cosines = np.stack([self._vectors[text] for text in texts]) @ words
        return [int(position) for position in np.argsort(-cosines, kind="stable")]
