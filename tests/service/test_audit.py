"""Who set the robot in motion, as it stands in memory.sqlite."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.memory.lesson_table import LessonBook
from daemon.service.audit import Audit
from skills.skill import Skill, SkillError


@pytest.fixture
def book(tmp_path: Path) -> Iterator[LessonBook]:
    with LessonBook(tmp_path / "memory.sqlite") as opened:
        yield opened


def actions(book: LessonBook) -> list[tuple[str, ...]]:
    with sqlite3.connect(book.path) as database:
        return database.execute("SELECT who, said, did, outcome FROM actions").fetchall()


def audit(book: LessonBook) -> Audit:
    return Audit(book, lambda: ("ada", "bring me the juice"))


def grasp(object: str, hand: str = "left") -> str:
    """Grasp it."""
    if object == "moon":
        raise SkillError("it is far away")
    return "success"


GRASP = Skill("grasp", grasp, ("arms",), confirm=False)


def test_who_said_what_and_what_moved(book: LessonBook) -> None:
    watched = audit(book).watched(GRASP, grasp)
    assert watched("juice", hand="right") == "success"
    assert actions(book) == [("ada", "bring me the juice", "grasp('juice', hand='right')", "success")]


def test_what_a_program_wants_is_written_down_as_its_own(book: LessonBook) -> None:
    audited = audit(book)
    with audited.on_behalf_of("mcp:planner", "grasp('juice')"):
        audited.watched(GRASP, grasp)("juice")
    audited.watched(GRASP, grasp)("cup")
    assert [row[:2] for row in actions(book)] == [("mcp:planner", "grasp('juice')"), ("ada", "bring me the juice")]


def test_what_failed_is_there_with_its_reason(book: LessonBook) -> None:
    with pytest.raises(SkillError):
        audit(book).watched(GRASP, grasp)("moon")
    assert actions(book)[0][3] == "SkillError: it is far away"


def test_a_motion_is_written_down_before_it_begins(book: LessonBook) -> None:
    seen = []
    audit(book).watched(GRASP, lambda: seen.append(actions(book)[0][3]))()
    assert seen == ["under way"]


def test_looking_is_not_written_down(book: LessonBook) -> None:
    look = Skill("look", grasp, (), confirm=False)
    assert audit(book).watched(look, grasp) is grasp


def test_a_stop_is_written_down(book: LessonBook) -> None:
    audit(book).note("stop", "ada said: stop", "standstill: true")
    assert actions(book) == [("someone", "ada said: stop", "stop", "standstill: true")]


def test_a_file_that_cannot_be_written_keeps_nobody_from_moving(
    book: LessonBook, caplog: pytest.LogCaptureFixture
) -> None:
    with sqlite3.connect(book.path) as other:
        other.execute("DROP VIEW actions")
        other.execute("DROP TABLE action")
    assert audit(book).watched(GRASP, grasp)("juice") == "success"
    assert "not written down" in caplog.text
