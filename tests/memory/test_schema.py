"""The file: made, brought up to date, and refused without harm when it is not ours to use."""

import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database

from daemon.memory.lesson_table import LessonBook
from daemon.memory.memory_file import MemoryFileError, migrate, open_database
from daemon.memory.prohibitions import Never
from daemon.memory.schema import MIGRATIONS
from daemon.trigger import Utterance
from tests.memory.lessons_for_tests import CUP_WITH_DRINK, transcript

VERSION_1 = Path(__file__).parent.parent / "data" / "memory_version_1.sql"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite"


def pragma(database, name):
    return database.execute(f"PRAGMA {name}").fetchone()[0]


def test_a_new_file_is_safe_against_power_cuts(path):
    database = open_database(path)
    assert pragma(database, "user_version") == len(MIGRATIONS)
    assert pragma(database, "journal_mode") == "wal"
    assert pragma(database, "synchronous") == 2  # FULL
    assert pragma(database, "foreign_keys") == 1
    database.close()


def test_folders_on_the_way_are_made(tmp_path):
    LessonBook(tmp_path / "state of Zoë?" / "heed" / "memory.sqlite").close()


def test_a_file_of_version_1_is_brought_up_to_date_with_its_lessons(path):
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1.read_text(encoding="utf-8"))
    connection.close()
    with LessonBook(path) as book:
        (lesson,) = book.lessons()
        assert lesson.rule == CUP_WITH_DRINK
        assert lesson.heard == ("next time don't forget the cup",)
        book.log_utterance(Utterance("hello"))


def test_what_old_rules_do_is_read_from_their_sentences_once(path):
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1.read_text(encoding="utf-8"))
    connection.execute("UPDATE lesson SET rule = 'Only for Anna: I never bring the oil, even when you ask for it.'")
    connection.commit()
    connection.close()
    with LessonBook(path) as book:
        (lesson,) = book.lessons()
        assert lesson.rule.effect == Never("oil")


def test_a_migration_that_fails_leaves_the_file_as_it_was(path):
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1.read_text(encoding="utf-8"))
    connection.execute("CREATE VIEW today AS SELECT 1")  # in the way of the last statement of migration 2
    connection.close()
    before = path.read_bytes()
    with pytest.raises(MemoryFileError, match="today already exists"):
        open_database(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'utterance'").fetchone() == (0,)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()
    assert len(before) == path.stat().st_size


def test_a_reader_makes_no_file(path):
    with pytest.raises(MemoryFileError, match="when it first starts"):
        open_database(path, read_only=True)
    assert not path.exists()


def test_a_reader_of_an_old_file_says_what_to_do(path):
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1.read_text(encoding="utf-8"))
    connection.close()
    with pytest.raises(MemoryFileError, match="start heed once"):
        open_database(path, read_only=True)


def not_a_database(path):
    path.write_text("this is my shopping list, not a database\n" * 200)


def damaged(path):
    with LessonBook(path) as book:
        for number in range(100):
            book.keep_lesson(transcript(f"lesson {number}"), CUP_WITH_DRINK)
    content = bytearray(path.read_bytes())
    content[4096:12288] = b"\xff" * 8192
    path.write_bytes(content)


def from_the_future(path):
    database = open_database(path)
    database.execute("PRAGMA user_version = 999")
    database.close()


def of_another_program(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipe (name)")
    connection.close()


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (not_a_database, "move it away"),
        (damaged, r"damaged.*\.recover"),
        (from_the_future, "newer heed.*update heed"),
        (of_another_program, "another program"),
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_cannot_be_used_is_named_and_left_as_it_was(path, make, advice, read_only):
    make(path)
    before = path.read_bytes()
    with pytest.raises(MemoryFileError, match=advice) as caught:
        open_database(path, read_only)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_what_cannot_be_opened_says_what_to_check(path):
    path.mkdir()
    with pytest.raises(MemoryFileError, match="may read and write"):
        open_database(path)


def test_an_empty_file_becomes_a_memory(path):
    path.touch()
    LessonBook(path).close()


def test_migrations_stop_where_they_are_told(path):
    connection = sqlite3.connect(path, isolation_level=None)
    database = Database(connection)
    migrate(database, to_version=1)
    assert pragma(database, "user_version") == 1
    assert "utterance" not in database.table_names()
    database.close()
