"""What conversations in these tests are made of: the usual embedder, an empty memory, a kitchen."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.config import MemoryConfig
from daemon.imitation import Imitation
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory
from tests.support.worlds import Kitchen


class RememberingEmbedder(MiniLmEmbedder):
    """The usual embedder. It works out each text once, and alone: no vector depends on what was asked for before."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for text in texts:
            if text not in self._rows:
                self._rows[text] = super().embed([text])
        return np.concatenate([self._rows[text] for text in texts]) if texts else super().embed([])


@pytest.fixture(scope="session")
def embedder() -> MiniLmEmbedder:
    return RememberingEmbedder()


@pytest.fixture
def memory(tmp_path: Path, embedder: MiniLmEmbedder) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.sqlite", embedder, MemoryConfig()) as memory:
        yield memory


@pytest.fixture
def kitchen(memory: Memory, embedder: MiniLmEmbedder) -> Iterator[Kitchen]:
    kitchen = Kitchen(Imitation(embedder), memory)
    yield kitchen
    kitchen.executor.close()
