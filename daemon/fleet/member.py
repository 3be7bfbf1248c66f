"""One robot's part in what the fleet learns: what it tells, and what it takes over, with consent or by its policy.

Knows no network. A lesson that was taught here becomes an entry of the ledger; one from elsewhere becomes a lesson here
only when a person says yes, or when its robot is trusted by the settings, and only where it fits this body. Once it
is here, what people do to it anywhere holds here too: forgotten is forgotten, restored is restored.
"""

import dataclasses
import hashlib
import logging
import re
import secrets
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice

from daemon.fleet.fleet_store import Here, Shelf
from daemon.fleet.lesson_ledger import FORGOTTEN, Entry, FleetLesson, Ledger, LedgerError
from daemon.memory.effect_rules import supersedes
from daemon.memory.lesson import Lesson, LessonStatus
from daemon.memory.lesson_table import LessonBook
from daemon.memory.memory_file import MemoryFileError
from daemon.transcript import parse_transcript

DECLINED = "declined"
LOST = "lost"
"""It was active here, by a person's yes, and memory.sqlite was lost: it comes back unasked."""
AHEAD = timedelta(days=1)
"""A lesson from farther in the future comes from a clock that is wrong, and would hold against all others."""
TAKEN_AT_ONCE = 5
"""Lessons that are taken over by policy in one go, about once a second: each is written to the disk and read anew."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Body:
    """What decides whether a lesson fits."""

    arms: tuple[str, ...]
    functions: frozenset[str]
    """That the console offers."""

    def obstacle(self, lesson: FleetLesson) -> str:
        """Return why the lesson is not for this body; empty when it is."""
        text = f"{lesson.rule.text}\n{lesson.transcript}"
        for arm in lesson.arms:
            if arm not in self.arms and re.search(rf"\b{re.escape(arm)}\b", text):
                return f"it is about a {arm} arm"
        for step in parse_transcript(lesson.transcript):
            if step.called and step.called not in self.functions:
                return f"it needs {step.called}()"
        return ""


class Member:
    """Keeps one robot's memory and its ledger together. Any thread may call."""

    def __init__(
        self, name: str, body: Body, book: LessonBook, shelf: Shelf, trusted: Collection[str], ask: bool
    ) -> None:
        """`trusted` names robots whose lessons are taken over unasked; without `ask` others' are only listed."""
        self.name = name
        self._body, self._book, self._shelf = body, book, shelf
        self._trusted, self._ask = frozenset(trusted), ask
        self._lock = threading.RLock()
        self.ledger = shelf.ledger()
        self._here = {here.name: here for here in shelf.here()}
        self._obstacles: dict[str, str] = {}

    def hear(self, entries: Iterable[Entry], now: datetime | None = None) -> int:
        """Merge what a peer told; returns how many entries it changed. Raises LedgerError, and takes nothing then."""
        latest = (now or datetime.now(UTC)) + AHEAD
        told = list(entries)
        for entry in told:
            if datetime.fromisoformat(entry.lesson.taught_at) > latest:
                raise LedgerError(f"a lesson of {entry.lesson.robot} is from the future; is its clock right?")
        with self._lock:
            changed = self.ledger.merge(Ledger(told))
            self._keep(changed)
        return len(changed)

    def tell(self) -> list[Entry]:
        """Put into the ledger what people taught, forgot and restored here since the last call; returns that."""
        with self._lock:
            lessons = self._book.lessons(include_forgotten=True)
            self._drop_those_of_another_memory(lessons)
            known = {here.lesson: here for here in self._here.values() if here.lesson is not None}
            changed = []
            for lesson in lessons:
                here = known.get(lesson.id)
                if here is None and lesson.status is LessonStatus.ACTIVE:
                    changed.append(self._taught(lesson))
                elif here is not None and here.status != lesson.status.value:
                    changed += self._turned(here, lesson)
            self._keep(changed)
        return changed

    def settle(self) -> None:
        """Let the memory follow the ledger: take over what needs no asking, forget and restore what is here."""
        with self._lock:
            holding = self.ledger.holding()
            held = {lesson.name for lesson in holding}
            for here in list(self._here.values()):
                self._follow(here)
            for name in list(self._here):
                self._resolve(self._here[name], held)
            agreed = (le for le in holding if self._is_agreed(le) and not self._obstacle(le))
            for lesson in list(islice(agreed, TAKEN_AT_ONCE)):
                self._take_over(lesson)

    @property
    def digest(self) -> str:
        """The same for robots that know the same."""
        with self._lock:
            return self.ledger.digest()

    @property
    def sums(self) -> dict[str, str]:
        """Return what is known, in short, for lacking() of another robot."""
        with self._lock:
            return dict(self.ledger.sums())

    def lacking(self, sums: Mapping[str, str]) -> list[Entry]:
        """Return what a robot that knows otherwise may not know."""
        with self._lock:
            return self.ledger.lacking(sums)

    def offers(self) -> list[FleetLesson]:
        """Return what others were taught, fits this body, and was neither taken over nor declined here; oldest
        first.
        """
        with self._lock:
            return list(self._offered())

    def question(self) -> FleetLesson | None:
        """Return what a person should be asked about next, if anything."""
        with self._lock:
            return next(self._offered(), None) if self._ask else None

    def answer(self, lesson: FleetLesson, yes: bool) -> None:
        """A person said whether this robot shall learn it too. What was forgotten meanwhile is not learned."""
        with self._lock:
            entry = self.ledger.entry(lesson.name)
            if lesson.name in self._here or entry is None or not entry.holds:
                return
            if yes:
                self._take_over(lesson)
            else:
                self._note(Here(lesson.name, None, "", DECLINED))

    def _offered(self) -> Iterator[FleetLesson]:
        for lesson in self.ledger.holding():
            if lesson.name not in self._here and lesson.robot not in self._trusted and not self._obstacle(lesson):
                yield lesson

    def _obstacle(self, lesson: FleetLesson) -> str:
        """The body's, looked for once: thousands of lessons may be known."""
        if lesson.name not in self._obstacles:
            self._obstacles[lesson.name] = self._body.obstacle(lesson)
        return self._obstacles[lesson.name]

    def _is_agreed(self, lesson: FleetLesson) -> bool:
        """Return whether it needs no asking.

        That it names this robot as its own proves nothing: any member can write that.
        """
        here = self._here.get(lesson.name)
        return here.status == LOST if here else lesson.robot in self._trusted

    def _taught(self, lesson: Lesson) -> Entry:
        fleet_lesson = FleetLesson(
            robot=self.name,
            arms=self._body.arms,
            taught_by=lesson.taught_by,
            taught_at=lesson.taught_at.isoformat(),
            rule=lesson.rule,
            transcript=lesson.transcript,
            heard=lesson.heard,
        )
        entry = self.ledger.confirm(fleet_lesson, self._mark())
        self._note(_here(fleet_lesson.name, lesson))
        return entry

    def _turned(self, here: Here, lesson: Lesson) -> list[Entry]:
        """A person forgot, replaced or restored it here."""
        entry = self.ledger.entry(here.name)
        self._note(dataclasses.replace(here, status=lesson.status.value))
        if entry is None:
            return []
        if lesson.status is LessonStatus.ACTIVE:
            return [self.ledger.confirm(entry.lesson, self._mark())]
        newer = next((h.name for h in self._here.values() if h.lesson == lesson.superseded_by), FORGOTTEN)
        struck = self.ledger.strike(here.name, newer if lesson.superseded_by is not None else FORGOTTEN)
        return [struck] if struck else []

    def _follow(self, here: Here) -> None:
        """Do what a person did to it elsewhere."""
        entry = self.ledger.entry(here.name)
        if here.lesson is None or entry is None:
            return
        try:
            if here.status == LessonStatus.ACTIVE and not entry.holds:
                self._note(dataclasses.replace(here, status=self._book.forget(here.lesson).status.value))
            elif here.status == LessonStatus.FORGOTTEN and entry.holds:
                self._restore(here, here.lesson)
        except (LookupError, MemoryFileError) as error:
            log.error("what the fleet says of lesson %s is not kept: %s", here.lesson, error)

    def _resolve(self, here: Here, held: Collection[str]) -> None:
        """Of two that say otherwise and are both here, the one that holds in the fleet: nobody struck the other out."""
        entry = self.ledger.entry(here.name)
        if here.lesson is None or entry is None:
            return
        try:
            if here.status == LessonStatus.SUPERSEDED and here.name in held:
                if not self._is_replaced(here.lesson, held):
                    self._restore(here, here.lesson)
            elif here.status == LessonStatus.ACTIVE and here.name not in held:
                later = self._rival(entry.lesson, held)
                if later is not None and later.lesson is not None:
                    self._book.supersede(here.lesson, later.lesson)
                    self._note(dataclasses.replace(here, status=LessonStatus.SUPERSEDED.value))
        except (LookupError, MemoryFileError) as error:
            log.error("lesson %s stays as it is: %s", here.lesson, error)

    def _restore(self, here: Here, number: int) -> None:
        self._note(dataclasses.replace(here, status=self._book.restore(number).status.value))
        self._note_what_is_replaced_by(number)

    def _take_over(self, lesson: FleetLesson) -> None:
        by = f"{lesson.taught_by or 'somebody'}, at {lesson.robot}" if lesson.robot != self.name else lesson.taught_by
        try:
            kept = self._book.keep_lesson(lesson.transcript, lesson.rule, by, lesson.heard)
        except (ValueError, MemoryFileError) as error:
            log.error("a lesson of %s is not taken over: %s", lesson.robot, error)
            return
        self._note(_here(lesson.name, kept))
        self._note_what_is_replaced_by(kept.id)

    def _note_what_is_replaced_by(self, number: int) -> None:
        """Note what is replaced by it here alone: nobody at the other robots was asked."""
        for here in list(self._here.values()):
            if here.lesson is not None and self._book.lesson(here.lesson).superseded_by == number:
                self._note(dataclasses.replace(here, status=LessonStatus.SUPERSEDED.value))

    def _is_replaced(self, number: int, held: Collection[str]) -> bool:
        """Return whether what replaced it is active here, and holds, or was never told to the fleet."""
        newer = self._book.lesson(number).superseded_by
        if newer is None or self._book.lesson(newer).status is not LessonStatus.ACTIVE:
            return False
        return all(here.name in held for here in self._here.values() if here.lesson == newer)

    def _rival(self, lesson: FleetLesson, held: Collection[str]) -> Here | None:
        """Return which of those that hold, and are active here, says otherwise."""
        for here in self._here.values():
            if here.status == LessonStatus.ACTIVE and here.name in held:
                entry = self.ledger.entry(here.name)
                if entry and supersedes(entry.lesson.rule, lesson.rule):
                    return here
        return None

    def _drop_those_of_another_memory(self, lessons: list[Lesson]) -> None:
        """memory.sqlite was put aside or brought back from a copy: its numbers mean other lessons now."""
        identities = {lesson.id: _identity(lesson) for lesson in lessons}
        for here in list(self._here.values()):
            if here.lesson is None or identities.get(here.lesson) == here.identity:
                continue
            if here.status == LessonStatus.ACTIVE:
                self._note(Here(here.name, None, "", LOST))
            else:
                del self._here[here.name]
                self._shelf.drop(here)

    def _keep(self, changed: list[Entry]) -> None:
        if changed:
            self._shelf.keep(changed)

    def _note(self, here: Here) -> None:
        self._here[here.name] = here
        self._shelf.note(here)

    def _mark(self) -> str:
        return f"{self.name}-{secrets.token_hex(6)}"


def _here(name: str, lesson: Lesson) -> Here:
    return Here(name, lesson.id, _identity(lesson), lesson.status.value)


def _identity(lesson: Lesson) -> str:
    """The same for this lesson as long as it lives: a rule may be said in other words."""
    return hashlib.sha256(f"{lesson.taught_at.isoformat()}\n{lesson.transcript}".encode()).hexdigest()
