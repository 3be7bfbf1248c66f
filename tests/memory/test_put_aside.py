"""A damaged memory is put aside, never overwritten; what is left of it is the owner's."""

import os
import subprocess
from contextlib import contextmanager

import pytest

from daemon.config import MemoryConfig
from daemon.memory.lesson_table import LessonBook
from daemon.memory.memory_file import DamagedMemoryError
from daemon.memory.rules import Rule
from daemon.memory.spare_copy import spare_of
from daemon.memory.store import Memory, open_memory
from daemon.trigger import Utterance
from tests.memory.lessons_for_tests import transcript
from tests.support.fakes import WordEmbedder


@pytest.mark.parametrize("content", [b"this is no database " * 500, b"SQLite format 3\x00" + b"\xff" * 8000])
def test_a_damaged_file_is_put_aside_whole_and_a_fresh_memory_begins(tmp_path, content):
    path = tmp_path / "memory.sqlite"
    path.write_bytes(content)
    opened = open_memory(path, WordEmbedder(), MemoryConfig(), tmp_path)
    memory = opened.memory
    assert opened.aside is not None
    assert opened.aside.read_bytes() == content
    assert memory.lessons() == []
    memory.keep_lesson(transcript("fetch the ladder"), Rule("r"))
    memory.close()
    assert LessonBook(path, read_only=True).lessons()


def test_two_damaged_files_are_both_put_aside(tmp_path):
    path = tmp_path / "memory.sqlite"
    for _ in range(2):
        path.write_bytes(b"this is no database " * 500)
        spare_of(path).unlink(missing_ok=True)
        open_memory(path, WordEmbedder(), MemoryConfig(), tmp_path).memory.close()
    assert len(list(tmp_path.glob("memory.sqlite.damaged-*"))) == 2


def test_a_memory_in_order_is_opened_as_it_is(tmp_path):
    path = tmp_path / "memory.sqlite"
    teach(path)
    opened = open_memory(path, WordEmbedder(), MemoryConfig(), tmp_path)
    assert (opened.aside, opened.unwritable, len(opened.memory.lessons())) == (None, "", 1)
    opened.memory.close()


def test_every_confirmed_lesson_survives_a_file_that_is_spoiled(tmp_path):
    path = tmp_path / "memory.sqlite"
    teach(path)
    path.write_bytes(b"spoiled " * 9000)
    opened = open_memory(path, WordEmbedder(), MemoryConfig(), tmp_path)
    assert opened.aside is not None
    assert opened.restored
    assert [lesson.rule.text for lesson in opened.memory.lessons()] == ["r"]
    assert opened.memory.retrieve(["fetch the ladder"])[-1].example.lesson_id == 1
    opened.memory.close()


def test_what_was_forgotten_before_the_damage_stays_forgotten(tmp_path):
    path = tmp_path / "memory.sqlite"
    teach(path)
    with LessonBook(path) as book:
        book.forget(1)
    path.write_bytes(b"spoiled " * 9000)
    opened = open_memory(path, WordEmbedder(), MemoryConfig(), tmp_path)
    assert opened.restored
    assert opened.memory.lessons() == []
    opened.memory.close()


def test_a_spoiled_copy_is_put_aside_too(tmp_path):
    path = tmp_path / "memory.sqlite"
    teach(path)
    for file in (path, spare_of(path)):
        file.write_bytes(b"spoiled " * 9000)
    opened = open_memory(path, WordEmbedder(), MemoryConfig(), tmp_path)
    assert not opened.restored
    assert opened.memory.lessons() == []
    opened.memory.close()


def test_damage_that_shows_while_heed_runs_is_noticed(tmp_path):
    path = tmp_path / "memory.sqlite"
    teach(path)
    with LessonBook(path) as book, LessonBook(path) as other, path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
        file.flush()
        other.log_utterance(Utterance("hello"))  # so that what the first keeps in RAM is read again
        with pytest.raises(DamagedMemoryError):
            book.lessons()
        assert book.damage


def test_a_change_that_changes_nothing_writes_no_copy(tmp_path):
    path = tmp_path / "memory.sqlite"
    teach(path)
    before = spare_of(path).stat().st_mtime_ns
    Memory(path, WordEmbedder(), MemoryConfig()).close()
    assert spare_of(path).stat().st_mtime_ns == before


def test_a_disk_that_takes_nothing_leaves_the_robot_its_lessons(tmp_path):
    path = tmp_path / "disk" / "memory.sqlite"
    teach(path)
    with read_only(path.parent):
        opened = open_memory(path, WordEmbedder(), MemoryConfig(), tmp_path)
        assert "read" in opened.unwritable
        assert [lesson.rule.text for lesson in opened.memory.lessons()] == ["r"]
        opened.memory.forget(1)
        opened.memory.close()
    with LessonBook(path, read_only=True) as book:
        assert book.lessons()


def teach(path):
    with Memory(path, WordEmbedder(), MemoryConfig()) as memory:
        memory.keep_lesson(transcript("fetch the ladder"), Rule("r"))


@contextmanager
def read_only(folder):
    """By a mount where we are root, for whom permissions do not count."""
    if os.geteuid():
        folder.chmod(0o500)
        yield
        folder.chmod(0o700)
        return
    for options in (["--bind", folder, folder], ["-o", "remount,ro,bind", folder]):
        if subprocess.run(["mount", *options], capture_output=True).returncode:
            pytest.skip("mounting is not permitted here")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)
