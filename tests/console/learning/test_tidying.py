"""Lessons that are alike become one, useless ones are offered for forgetting; nothing happens without a yes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daemon.console.learning.tidying import CORRECTED, UNUSED, tidy
from daemon.memory.effect_rules import rule_of
from daemon.memory.effects import Also
from daemon.memory.lesson import LessonStatus
from daemon.memory.lesson_table import LessonBook
from daemon.memory.number_rules import Speed
from daemon.memory.rules import Scope
from skills.scene import Scene, Thing
from tests.memory.lessons_for_tests import transcript

HERE = (0.0, 0.0, 0.0)
SCENE = Scene(
    (Thing("tea", "drink", "bar", HERE), Thing("milk", "drink", "bar", HERE), Thing("soup", "food", "bar", HERE)), ()
)


@pytest.fixture
def book(tmp_path: Path):
    with LessonBook(tmp_path / "memory.sqlite") as book:
        yield book


def teach(book: LessonBook, *things: str) -> None:
    for thing in things:
        book.keep_lesson(transcript(thing), rule_of(Also(Scope(object=thing), "cup")))


def rules(book: LessonBook) -> list[str]:
    return [lesson.rule.text for lesson in book.lessons()]


def test_two_lessons_about_one_class_become_a_rule_for_the_class(book) -> None:
    teach(book, "tea", "milk")
    asked: list[str] = []
    tidy(book, SCENE, lambda question: asked.append(question) or "yes")
    assert rules(book) == ["When you ask for tea or another drink, I also bring the cup."]
    assert rules(book)[0] in asked[0]
    assert [lesson.status for lesson in book.lessons(include_forgotten=True)[:2]] == [LessonStatus.SUPERSEDED] * 2


@pytest.mark.parametrize("answer", ["no", "", "maybe later"])
def test_without_a_yes_all_stays_as_it_is(book, answer: str) -> None:
    teach(book, "tea", "milk")
    assert tidy(book, SCENE, lambda _: answer) == "There is nothing to tidy up."
    assert len(rules(book)) == 2


def test_lessons_about_different_classes_are_not_alike(book) -> None:
    teach(book, "tea", "soup")
    tidy(book, SCENE, lambda _: "yes")
    assert len(rules(book)) == 2


def test_what_was_never_needed_is_offered_for_forgetting(book) -> None:
    teach(book, "tea", "soup")
    book.note_use(1)
    tidy(book, SCENE, lambda _: "yes", datetime.now(UTC) + UNUSED + timedelta(days=1))
    assert [lesson.id for lesson in book.lessons()] == [1]
    assert book.restore(2).status is LessonStatus.ACTIVE


def test_what_is_corrected_again_and_again_is_offered_for_forgetting(book) -> None:
    for factor in range(CORRECTED + 1):
        book.keep_lesson(transcript("go"), rule_of(Speed("bar", "sink", 1 + factor / 10)))
    asked: list[str] = []
    tidy(book, SCENE, lambda question: asked.append(question) or "yes")
    assert asked[0].startswith(f"This was corrected {CORRECTED} times")
    assert rules(book) == []
