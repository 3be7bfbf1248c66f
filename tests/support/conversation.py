"""What conversations in these tests are made of: the usual embedder, an empty memory, a kitchen."""

from pathlib import Path

import pytest

from daemon.config import MemoryConfig
from daemon.imitation import Imitation
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.store import Memory
from tests.support.worlds import Kitchen


@pytest.fixture(scope="session")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


@pytest.fixture
def memory(tmp_path: Path, embedder: MiniLmEmbedder) -> Memory:
    return Memory(tmp_path / "memory.sqlite", embedder, MemoryConfig())


@pytest.fixture
def kitchen(memory: Memory, embedder: MiniLmEmbedder) -> Kitchen:
    return Kitchen(Imitation(embedder), memory)
