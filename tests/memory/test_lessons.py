"""Lessons in memory.sqlite: kept, listed, taken back, carried to another robot, and read by a person."""

import io
import json
import shutil
import subprocess
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from daemon.memory.effect_rules import rule_of
from daemon.memory.lesson import LessonStatus
from daemon.memory.lesson_table import LessonBook, UnknownLessonError
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.number_rules import Speed
from daemon.memory.prohibitions import Untouched
from daemon.memory.rules import Rule, RuleKind, Scope
from daemon.trigger import Utterance
from tests.memory.lessons_for_tests import CUP_WITH_DRINK, transcript


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite"


@pytest.fixture
def book(path):
    with LessonBook(path) as book:
        yield book


def test_a_lesson_is_kept_as_it_was_taught(book, path):
    kept = book.keep_lesson(transcript("don't spill"), CUP_WITH_DRINK, "Anna", ["no", "and never import it"])
    with LessonBook(path) as later:
        assert later.lessons() == [kept]
    assert kept.rule == CUP_WITH_DRINK
    assert kept.transcript == transcript("don't spill")
    assert kept.heard == ("no", "and never import it")
    assert kept.taught_by == "Anna"
    assert kept.taught_at.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - kept.taught_at) < timedelta(minutes=5)


@pytest.mark.parametrize("bad", ["hello", ">>> say('hi')\n", ">>> wait_for_trigger()\n{'text': 'don't'}\n"])
def test_a_lesson_that_could_not_be_found_again_is_refused_whole(book, bad):
    with pytest.raises(ValueError, match=r"line 1|never be found|not a Python value"):
        book.keep_lesson(bad, CUP_WITH_DRINK)
    assert book.lessons(include_forgotten=True) == []


def test_a_forgotten_lesson_can_be_restored(book):
    id = book.keep_lesson(transcript("a"), CUP_WITH_DRINK).id
    assert book.forget(id).status is LessonStatus.FORGOTTEN
    assert book.lessons() == []
    assert [lesson.id for lesson in book.lessons(include_forgotten=True)] == [id]
    book.restore(id)
    assert [lesson.id for lesson in book.lessons()] == [id]


def test_the_newer_lesson_wins_and_the_older_stays_in_the_file(book):
    older = book.keep_lesson(transcript("bring the ladder"), Rule("I bring the ladder"))
    newer = book.keep_lesson(transcript("no ladder"), Rule("I never bring the ladder"), supersedes=older.id)
    assert book.lessons() == [newer]
    assert book.lesson(older.id).status is LessonStatus.SUPERSEDED
    assert book.lesson(older.id).superseded_by == newer.id


def test_an_unknown_lesson_is_answered_with_the_known_ones(book):
    with pytest.raises(UnknownLessonError, match="none is taught yet"):
        book.forget(1)
    book.keep_lesson(transcript("a"), CUP_WITH_DRINK)
    book.forget(book.keep_lesson(transcript("b"), CUP_WITH_DRINK).id)
    for ask in (book.lesson, book.forget, book.restore, book.note_use):
        with pytest.raises(UnknownLessonError, match="no lesson 7; known are 1, 2"):
            ask(7)


def test_superseding_an_unknown_lesson_keeps_nothing(book):
    with pytest.raises(UnknownLessonError):
        book.keep_lesson(transcript("a"), CUP_WITH_DRINK, supersedes=7)
    assert book.lessons() == []


def test_uses_are_counted(book):
    id = book.keep_lesson(transcript("a"), CUP_WITH_DRINK).id
    book.note_use(id)
    book.note_use(id)
    assert book.lesson(id).used_count == 2
    assert book.lesson(id).last_used_at.tzinfo is UTC


def test_exported_lessons_are_the_same_on_another_robot(book, tmp_path):
    older = book.keep_lesson(transcript("schön, don't\nstop 🙂"), CUP_WITH_DRINK, "Zoë", ["häh?"])
    book.keep_lesson(transcript("b"), Rule("b", RuleKind.PARAMETER, Scope(route="a to b")), supersedes=older.id)
    book.forget(book.keep_lesson(transcript("c"), Rule("c")).id)
    book.note_use(older.id)
    file = io.StringIO()
    assert book.export_jsonl(file) == 3
    with LessonBook(tmp_path / "other.sqlite") as other:
        own = other.keep_lesson(transcript("own"), Rule("own"))
        file.seek(0)
        assert other.import_jsonl(file) == 3
        a, b, c = other.lessons(include_forgotten=True)[1:]
        assert (a.superseded_by, b.id, c.status) == (b.id, own.id + 2, LessonStatus.FORGOTTEN)
        assert (a.rule, a.transcript, a.heard, a.used_count) == (older.rule, older.transcript, older.heard, 1)
        file.seek(0)
        assert other.import_jsonl(file) == 0


@pytest.mark.parametrize(("taught_at", "holds"), [("2025-01-01T10:00:00Z", 0.8), ("2099-01-01T10:00:00Z", 0.5)])
def test_of_two_rules_about_the_same_on_two_robots_the_one_that_was_taught_last_holds(book, tmp_path, taught_at, holds):
    with LessonBook(tmp_path / "other.sqlite") as other:
        other.keep_lesson(transcript("a"), rule_of(Speed("", "sink", 0.5)))
        file = io.StringIO()
        other.export_jsonl(file)
    book.keep_lesson(transcript("a"), rule_of(Speed("", "sink", 0.8)))
    book.keep_lesson(transcript("b"), rule_of(Speed("", "table", 0.8)))
    assert book.import_jsonl([json.dumps(json.loads(file.getvalue()) | {"taught_at": taught_at})]) == 1
    assert {lesson.rule.effect for lesson in book.lessons()} == {Speed("", "sink", holds), Speed("", "table", 0.8)}
    (retired,) = [lesson for lesson in book.lessons(include_forgotten=True) if lesson.status is LessonStatus.SUPERSEDED]
    assert retired.superseded_by in {lesson.id for lesson in book.lessons()}


def test_a_prohibition_with_its_reason_still_forbids_when_its_words_are_edited(book):
    said = "Only for ida: I never touch the cup, because it is hto."
    id = book.keep_lesson(transcript("a"), replace(rule_of(Untouched(Scope(object="cup")), "ida"), text=said)).id
    edited = book.edit(id, said.replace("hto", "hot"))
    assert (edited.rule.text, edited.rule.effect) == (said.replace("hto", "hot"), Untouched(Scope(object="cup")))
    assert edited.rule.scope.person == "ida"


@pytest.mark.parametrize("bad", ["{", "3", "[]", "{}", '{"rule": {"text": "x"}}'])
def test_an_import_is_whole_or_nothing(book, bad):
    book.keep_lesson(transcript("a"), CUP_WITH_DRINK)
    file = io.StringIO()
    book.export_jsonl(file)
    good = json.loads(file.getvalue()) | {"taught_at": "2025-01-01T10:00:00+00:00"}
    with pytest.raises(ValueError, match="line 3"):
        book.import_jsonl([json.dumps(good), "\n", bad])
    assert len(book.lessons()) == 1


def test_a_reader_sees_what_the_running_daemon_keeps_and_changes_nothing(book, path):
    with LessonBook(path, read_only=True) as reader:
        kept = book.keep_lesson(transcript("a"), CUP_WITH_DRINK)
        assert reader.lessons() == [kept]
        with pytest.raises(MemoryFileError, match="readonly"):
            reader.forget(kept.id)


def test_a_reader_needs_no_running_daemon(path):
    with LessonBook(path) as book:
        kept = book.keep_lesson(transcript("a"), CUP_WITH_DRINK)
    with LessonBook(path, read_only=True) as reader:
        assert reader.lessons() == [kept]


def test_many_threads_may_teach_at_once(book):
    def teach(name: str) -> None:
        for number in range(10):
            book.keep_lesson(transcript(f"{name} {number}"), CUP_WITH_DRINK, name)

    threads = [threading.Thread(target=teach, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({lesson.transcript for lesson in book.lessons()}) == 40


@pytest.fixture
def shell(path):
    if not shutil.which("sqlite3"):
        pytest.skip("the sqlite3 shell is not installed")

    def select(sql: str, *options: str) -> str:
        command = ["sqlite3", "-bail", *options, str(path), sql]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout

    return select


def test_the_sqlite3_shell_shows_lessons_a_person_can_read(book, shell):
    first = book.keep_lesson(transcript("a"), CUP_WITH_DRINK, "Anna")
    second = book.keep_lesson(transcript("b"), Rule("I bring no cup"), "Ben", supersedes=first.id)
    book.note_use(second.id)
    taught = shell("SELECT strftime('%Y-%m-%d %H:%M', taught_at, 'localtime') FROM lesson").split("\n")
    assert shell("SELECT * FROM lessons").splitlines() == [
        f"1|{taught[0]}|Anna|When you ask for a drink, I bring a cup with it|any drink|never|superseded by 2",
        f"2|{taught[1]}|Ben|I bring no cup|everywhere|once|active",
    ]
    assert shell("SELECT * FROM rules", "-header").splitlines() == [
        "rule|applies to|kind|lesson",
        "I bring no cup|everywhere|task|2",
    ]


def test_the_shell_names_a_scope_in_the_same_words(book, shell):
    scopes = [Scope(), Scope(*"abcdef"), Scope(place="table", time="in the morning"), Scope(route="a to b")]
    for scope in scopes:
        book.keep_lesson(transcript("a"), Rule("r", scope=scope))
    assert shell('SELECT "applies to" FROM lessons').splitlines() == [scope.words for scope in scopes]


def test_the_shell_shows_what_was_said_today(book, shell):
    book.log_utterance(Utterance("don't drop it", confidence=0.85, source="microphone", speaker="Anna"))
    book.log_utterance(Utterance("import the milk"))
    assert shell("SELECT who, said, sure FROM today").splitlines() == [
        "Anna|don't drop it|85 %",
        "someone|import the milk|100 %",
    ]
    shell("UPDATE utterance SET at = '2025-01-01T10:00:00+00:00'")
    assert shell("SELECT * FROM today") == ""


def test_what_was_begun_is_told_once_and_at_each_start_where_the_disk_takes_nothing(path):
    with LessonBook(path) as before:
        before.begin_action("move_to('sink')", "", "go to the sink")
    for _ in range(2):
        with LessonBook(path) as book:
            book._database.execute("PRAGMA query_only = 1")  # as on a disk that has become read-only
            assert book.unfinished_request() == "go to the sink"
    with LessonBook(path) as book:
        assert [book.unfinished_request(), book.unfinished_request()] == ["go to the sink", ""]
