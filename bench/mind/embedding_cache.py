"""Texts are embedded once, however many robots start with the same examples."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from daemon.llm.model import Embedder


class EmbeddingCache:
    """An embedder that remembers what it has embedded. It works out each text alone, so that no vector depends on what
    was asked for beside it.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimension = embedder.name, embedder.dimension
        self._embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row for each text, as the embedder itself."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update((text, self._embedder.embed([text])[0]) for text in new)
        rows = [self._known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)
