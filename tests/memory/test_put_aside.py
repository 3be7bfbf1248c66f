"""A damaged memory is put aside, never overwritten; what is left of it is the owner's."""

import pytest

from daemon.config import MemoryConfig
from daemon.memory.lessons import LessonBook
from daemon.memory.rules import Rule
from daemon.memory.store import Memory, open_memory
from tests.fakes import WordEmbedder
from tests.memory.lessons_for_tests import transcript


@pytest.mark.parametrize("content", [b"this is no database " * 500, b"SQLite format 3\x00" + b"\xff" * 8000])
def test_a_damaged_file_is_put_aside_whole_and_a_fresh_memory_begins(tmp_path, content):
    path = tmp_path / "memory.sqlite"
    path.write_bytes(content)
    memory, aside = open_memory(path, WordEmbedder(), MemoryConfig())
    assert aside is not None
    assert aside.read_bytes() == content
    assert memory.lessons() == []
    memory.keep_lesson(transcript("fetch the ladder"), Rule("r"))
    memory.close()
    assert LessonBook(path, read_only=True).lessons()


def test_two_damaged_files_are_both_put_aside(tmp_path):
    path = tmp_path / "memory.sqlite"
    for _ in range(2):
        path.write_bytes(b"this is no database " * 500)
        memory, _ = open_memory(path, WordEmbedder(), MemoryConfig())
        memory.close()
    assert len(list(tmp_path.glob("memory.sqlite.damaged-*"))) == 2


def test_a_memory_in_order_is_opened_as_it_is(tmp_path):
    path = tmp_path / "memory.sqlite"
    with Memory(path, WordEmbedder(), MemoryConfig()) as memory:
        memory.keep_lesson(transcript("fetch the ladder"), Rule("r"))
    memory, aside = open_memory(path, WordEmbedder(), MemoryConfig())
    assert (aside, len(memory.lessons())) == (None, 1)
    memory.close()
