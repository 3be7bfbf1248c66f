"""What people taught the robot: the lessons in memory.sqlite, and what was said. Needs no model."""

import dataclasses
import json
import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, TextIO, cast

from daemon.memory.effect_rules import supersedes
from daemon.memory.example import Origin
from daemon.memory.lesson import (
    Lesson,
    LessonStatus,
    effect_text,
    identity_of,
    lesson_as_json,
    lesson_from_json,
    lesson_from_row,
)
from daemon.memory.memory_file import DamagedMemoryError, MemoryFileError, damaged, open_database, transaction
from daemon.memory.rules import Rule
from daemon.memory.sentence_to_effect import rule_in
from daemon.memory.spare_copy import keep_spare
from daemon.transcript import instructions_of, parse_transcript, render
from daemon.trigger import Utterance

log = logging.getLogger(__name__)

DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""What SQLite calls a file whose content makes no sense."""


PATIENCE_SECONDS = 5.0
"""How long a lesson waits for another program that writes to the file."""
LOG_PATIENCE_SECONDS = 0.3
"""The same for what is only written down as it happens: nobody shall wait for an answer because of that."""


class UnknownLessonError(LookupError):
    """A number that no lesson has; the message names those that exist."""


class LessonBook:
    """The lessons in one memory.sqlite. Any thread may call; other processes may use the file meanwhile.

    Every change is one transaction, on the disk when the call returns; one of lessons is in the spare copy too.
    MemoryFileError: the disk is full or the file is locked for long, and nothing is half done.
    DamagedMemoryError, from any call: the file cannot be read any more.
    """

    def __init__(self, path: Path, read_only: bool = False) -> None:
        """Open the file, or make it; read_only needs an existing one. Raises MemoryFileError."""
        self.path = path
        self._database = open_database(path, read_only)
        self._lock = threading.RLock()
        self._edition = 0  # grows whenever what may be retrieved changes through this object
        self.damage: DamagedMemoryError | None = None
        """What was found, once the file turned out to be damaged: open it anew then (store.open_memory)."""

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def lessons(self, include_forgotten: bool = False) -> list[Lesson]:
        """The active lessons, oldest first; with include_forgotten also the forgotten and superseded ones."""
        lessons = [lesson_from_row(row) for row in self._rows(f"{_LESSONS} ORDER BY lesson.id")]
        return [lesson for lesson in lessons if include_forgotten or lesson.status is LessonStatus.ACTIVE]

    def lesson(self, id: int) -> Lesson:
        """Return the lesson of this number. Raises UnknownLessonError."""
        rows = self._rows(f"{_LESSONS} WHERE lesson.id = ?", id)
        if not rows:
            known = ", ".join(str(lesson.id) for lesson in self.lessons(include_forgotten=True))
            raise UnknownLessonError(
                f"there is no lesson {id}; " + (f"known are {known}" if known else "none is taught yet")
            )
        return lesson_from_row(rows[0])

    def keep_lesson(
        self,
        transcript: str,
        rule: Rule,
        taught_by: str = "",
        heard: Sequence[str] = (),
        supersedes: int | None = None,
    ) -> Lesson:
        """Keep a lesson, and retire `supersedes` and whatever else is about the same; all or nothing.

        Raises UnknownLessonError, and ValueError for a transcript that cannot be read or in which nobody says
        anything: it would never be found again.
        """
        with self._changing_lessons():
            new = Lesson(0, rule, transcript, datetime.now(UTC), taught_by, tuple(heard))
            old = self._about_the_same(rule) | ({supersedes} if supersedes is not None else set())
            id = self._insert_lesson(new)
            for replaced in old:
                self._set_status(replaced, LessonStatus.SUPERSEDED, superseded_by=id)
        return self.lesson(id)

    def forget(self, id: int) -> Lesson:
        """Retire this lesson: it is never retrieved again, and stays in the file. Raises UnknownLessonError."""
        return self._change_status(id, LessonStatus.FORGOTTEN)

    def restore(self, id: int) -> Lesson:
        """Make a forgotten or superseded lesson active again, and retire whatever else is about the same.

        Raises UnknownLessonError.
        """
        with self._changing_lessons():
            for other in self._about_the_same(self.lesson(id).rule) - {id}:
                self._set_status(other, LessonStatus.SUPERSEDED, superseded_by=id)
            self._set_status(id, LessonStatus.ACTIVE)
            return self.lesson(id)

    def supersede(self, id: int, by: int) -> Lesson:
        """Retire a lesson for another one. Raises UnknownLessonError."""
        self.lesson(by)
        return self._change_status(id, LessonStatus.SUPERSEDED, by)

    def edit(self, id: int, text: str) -> Lesson:
        """Say a rule in other words; in a known form (daemon/memory/effects.py) its kind and scope follow the words.

        Raises UnknownLessonError, and ValueError for no words at all.
        """
        if not text.strip():
            raise ValueError("a rule needs words")
        with self._changing_lessons():
            rule = rule_in(text, self.lesson(id).rule)
            self.lesson(id)
            scope = dataclasses.asdict(rule.scope)
            self._database.table("lesson").update(
                id, {"rule": text.strip(), "kind": rule.kind.value, "effect": effect_text(rule.effect), **scope}
            )
        return self.lesson(id)

    def merge(self, ids: Sequence[int], rule: Rule) -> Lesson:
        """Put one rule in the place of several, which are superseded; it is shown by the newest one's transcript.

        Raises UnknownLessonError, and ValueError for fewer than two lessons.
        """
        if len(set(ids)) < 2:
            raise ValueError("two or more lessons can be merged")
        with self._changing_lessons():
            merged = [self.lesson(id) for id in dict.fromkeys(ids)]
            newest = max(merged, key=lambda lesson: lesson.id)
            heard = tuple(utterance for lesson in merged for utterance in lesson.heard)
            id = self._insert_lesson(Lesson(0, rule, newest.transcript, datetime.now(UTC), newest.taught_by, heard))
            for lesson in merged:
                self._set_status(lesson.id, LessonStatus.SUPERSEDED, superseded_by=id)
        return self.lesson(id)

    def note_use(self, id: int) -> None:
        """Count that the robot acted on this lesson. Raises UnknownLessonError."""
        with self._transaction(LOG_PATIENCE_SECONDS):
            uses = self.lesson(id).used_count + 1
            self._database.table("lesson").update(id, {"used_count": uses, "last_used_at": _now()})

    def log_utterance(self, utterance: Utterance) -> None:
        """Note what someone said, now; the robot's own words are utterances with heed as speaker."""
        with self._transaction(LOG_PATIENCE_SECONDS):
            self._insert(
                "utterance",
                at=_now(),
                speaker=utterance.speaker,
                source=utterance.source,
                text=utterance.text,
                confidence=utterance.confidence,
            )

    def begin_action(self, what: str, who: str, said: str) -> int:
        """Note that the robot begins to do something, for whom, and for which words; returns the action's number."""
        with self._transaction(LOG_PATIENCE_SECONDS):
            return self._insert("action", at=_now(), who=who, said=said, what=what)

    def end_action(self, id: int, outcome: str) -> None:
        """Note what came of it."""
        with self._transaction(LOG_PATIENCE_SECONDS):
            self._database.table("action").update(id, {"ended_at": _now(), "outcome": outcome})

    def unfinished_request(self) -> str:
        """The words that the robot was acting on when heed last ended; "" for none.

        Told once, or, where the disk takes nothing, at each start.
        """
        last = next(iter(self._rows("SELECT id, said, ended_at FROM action ORDER BY id DESC LIMIT 1")), None)
        if last is None or last["ended_at"] is not None:
            return ""
        try:
            self.end_action(last["id"], "interrupted")
        except MemoryFileError as error:
            log.error("that an action was interrupted is not written down: %s", error)
        return str(last["said"])

    def export_jsonl(self, stream: TextIO) -> int:
        """Write every lesson, also the forgotten ones, as a line of JSON; returns how many."""
        lessons = self.lessons(include_forgotten=True)
        for lesson in lessons:
            stream.write(json.dumps(lesson_as_json(lesson), default=datetime.isoformat, ensure_ascii=False) + "\n")
        return len(lessons)

    def import_jsonl(self, stream: Iterable[str]) -> int:
        """Add the lessons that export_jsonl() wrote and that are not here yet; returns how many.

        They get new numbers; of two about the same, here and there, the one that was taught last holds. All or
        nothing: raises ValueError, naming the line, when one cannot be read.
        """
        with self._changing_lessons():
            here = {identity_of(lesson): lesson.id for lesson in self.lessons(include_forgotten=True)}
            added: list[Lesson] = []
            ids: dict[int, int] = {}
            for number, line in enumerate(stream, start=1):
                if not line.strip():
                    continue
                try:
                    lesson = lesson_from_json(line)
                    identity = identity_of(lesson)
                    if identity not in here:
                        here[identity] = self._insert_lesson(lesson)
                        added.append(lesson)
                except (ValueError, TypeError, KeyError, AttributeError) as error:
                    raise ValueError(f"line {number} is not a lesson that heed exported: {error}") from error
                ids[lesson.id] = here[identity]
            for lesson in added:
                if lesson.superseded_by is not None:
                    self._set_status(ids[lesson.id], lesson.status, ids.get(lesson.superseded_by))
            for lesson in added:
                if lesson.status is LessonStatus.ACTIVE:
                    self._let_the_newest_hold(ids[lesson.id])
        return len(added)

    def _let_the_newest_hold(self, id: int) -> None:
        """Retire a lesson where one about the same was taught after it, else those about the same."""
        lesson = self.lesson(id)
        same = [self.lesson(other) for other in self._about_the_same(lesson.rule) - {id}]
        newer = max((other for other in same if other.taught_at > lesson.taught_at), key=_taught_at, default=None)
        if newer is not None:
            self._set_status(id, LessonStatus.SUPERSEDED, superseded_by=newer.id)
            return
        for other in same:
            self._set_status(other.id, LessonStatus.SUPERSEDED, superseded_by=id)

    def _about_the_same(self, rule: Rule) -> set[int]:
        return {lesson.id for lesson in self.lessons() if supersedes(rule, lesson.rule)}

    def _change_status(self, id: int, status: LessonStatus, superseded_by: int | None = None) -> Lesson:
        with self._changing_lessons():
            self._set_status(id, status, superseded_by)
            return self.lesson(id)

    def _set_status(self, id: int, status: LessonStatus, superseded_by: int | None = None) -> None:
        self.lesson(id)  # raises when there is none
        self._database.table("lesson").update(id, {"status": status.value, "superseded_by": superseded_by})

    def _insert_lesson(self, lesson: Lesson) -> int:
        """Insert with a new number, and without superseded_by: that lesson may be still to come."""
        id = self._insert(
            "lesson",
            taught_at=lesson.taught_at.isoformat(timespec="seconds"),
            taught_by=lesson.taught_by,
            rule=lesson.rule.text,
            kind=lesson.rule.kind.value,
            effect=effect_text(lesson.rule.effect),
            **dataclasses.asdict(lesson.rule.scope),
            heard=json.dumps(lesson.heard, ensure_ascii=False),
            status=lesson.status.value,
            used_count=lesson.used_count,
            last_used_at=lesson.last_used_at and lesson.last_used_at.isoformat(timespec="seconds"),
        )
        self._insert_example(lesson.transcript, "learned", id)
        return id

    def _insert_example(self, transcript: str, origin: Origin, lesson_id: int | None = None) -> None:
        steps = parse_transcript(transcript)
        instructions = instructions_of(steps)
        if not instructions:
            raise ValueError("nobody says anything in the transcript, so it would never be found again")
        id = self._insert("example", lesson_id=lesson_id, origin=origin, transcript=render(steps))
        for text in instructions:
            self._insert("instruction", example_id=id, text=text)

    def _insert(self, table: str, **row: Any) -> int:
        return cast(int, self._database.table(table).insert(row).last_pk)

    def _rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with self._lock, self._noticing_damage():
            return list(self._database.query(sql, values))

    @contextmanager
    def _changing_lessons(self) -> Iterator[None]:
        with self._lock:
            before = self._database.conn.total_changes
            with self._transaction():
                self._edition += 1
                yield
            if self._database.conn.total_changes != before:
                keep_spare(self._database.conn, self.path)

    @contextmanager
    def _transaction(self, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
        with self._lock, self._noticing_damage():
            self._database.execute(f"PRAGMA busy_timeout = {patience * 1000:.0f}")
            try:
                with transaction(self._database):
                    yield
            except sqlite3.OperationalError as error:
                raise MemoryFileError(
                    f"{self.path} could not be changed ({error}); nothing was kept. "
                    "Check that the disk has room and that no other program holds the file"
                ) from error

    @contextmanager
    def _noticing_damage(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorname", "") not in DAMAGE:
                raise
            self.damage = damaged(self.path, error)
            raise self.damage from error


_LESSONS = "SELECT lesson.*, example.transcript FROM lesson JOIN example ON example.lesson_id = lesson.id"


def _taught_at(lesson: Lesson) -> datetime:
    return lesson.taught_at


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
