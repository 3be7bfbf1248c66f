"""What conversations in these tests are made of: the usual embedder, an empty memory, a kitchen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.mind.embedding_cache import EmbeddingCache
from daemon.config import MemoryConfig
from daemon.imitation import Imitation
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import Embedder
from daemon.memory.store import Memory
from tests.support.worlds import Kitchen


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return EmbeddingCache(MiniLmEmbedder())


@pytest.fixture
def memory(tmp_path: Path, embedder: Embedder) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.sqlite", embedder, MemoryConfig()) as memory:
        yield memory


@pytest.fixture
def kitchen(memory: Memory, embedder: Embedder) -> Iterator[Kitchen]:
    kitchen = Kitchen(Imitation(embedder), memory)
    yield kitchen
    kitchen.executor.close()
