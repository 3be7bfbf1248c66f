"""What people want later: kept in memory.sqlite, done in time, asked about after a restart, cancelled by voice.

How long something still takes is counted by the monotonic clock while heed runs, so that setting the clock moves no
"in two minutes"; times on the clock, and everything across a restart, go by the clock on the wall. What was asked for
before a restart is not simply done: heed asks first, since nobody may remember.
"""

import logging
import math
import re
import time
from collections.abc import Callable
from datetime import datetime
from threading import Event
from typing import Any

from daemon.console.learning.consent import Consent, consent_in, declines
from daemon.console.reminder_time import When, is_a_time, written
from daemon.lexicon.small_words import small_words
from daemon.memory.reminder_book import Entry, ReminderBook, ReminderState
from daemon.trigger import TIMER, Utterance
from skills.scene import Scene
from skills.skill import Observation, Skill, SkillError

log = logging.getLogger(__name__)

SAME_EVENT_SECONDS = 30.0
"""Who says "I am back" and is seen a little later has come back once."""
OFFERED_SECONDS = 60.0
"""So long a bare "yes" among people may be one to what heed offered."""
TIMES = "write it as '18:30', '2026-11-27 10:00' or 'in 20 minutes', or tell what has to happen"
TICK_SECONDS = 0.5
"""Between two looks at the clock and, where somebody waits for an event, at the scene."""


class Reminders:
    """Timers, conditions and reminders of one heed."""

    def __init__(
        self,
        book: ReminderBook,
        observe: Callable[[], Observation],
        put: Callable[[Utterance], None],
        tell: Callable[[str], None],
        free: Callable[[], bool],
        read_when: Callable[[str], When | None] = lambda words: None,
        mind_notices: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        """`put` hands a request to the console, `tell` speaks at once, `free` tells whether heed only waits.

        `read_when` reads words for a time or an event; None where they are none. `mind_notices` tells whether there is
        a mind that hears by itself that any other event has come, and calls begin_later().
        """
        self._mind_notices = mind_notices
        self._book = book
        self._observe = observe
        self._put = put
        self._tell = tell
        self._free = free
        self._read_when = read_when
        self._clock = clock
        self._now = now
        self._due: dict[int, float] = {}
        """Entry -> monotonic seconds at which it is due, of those that count down since they were said."""
        self._before = {entry.id for entry in book.waiting()}
        """What was asked for before heed was started, and nobody has confirmed since."""
        self._asked: list[Entry] = []
        """What the person was asked about, and has not answered yet."""
        self._asked_at = -math.inf
        self._asked_ids: set[int] = set()
        self._yes_keeps = self._no_keeps = False
        """Whether it is kept in mind after a yes, and after a no."""
        self._come: set[int] = set()
        """Of those that wait for an event: what has not begun since it came."""
        self._present: bool | None = None
        self._told_at = -math.inf
        """When a person last told of an event, by the clock."""

    # --- for the console ---

    @property
    def offers(self) -> bool:
        """Return whether the person was asked about something lately, and has not answered yet."""
        return bool(self._asked) and self._clock() - self._asked_at < OFFERED_SECONDS

    def answered(self, answer: str) -> str | None:
        """Take an answer to what was asked about: return the request that it agrees to, "" where it is dealt with.

        None for a sentence that answers nothing.
        """
        asked, self._asked = self._asked, []
        if not asked:
            return None
        consent = consent_in(answer)
        if not (consent is Consent.YES or declines(answer)):
            return None
        if self._no_keeps and consent is Consent.NO:
            self._tell("All right, not yet.")
            return ""
        self._before -= {entry.id for entry in asked}
        if consent is Consent.NO:
            for entry in asked:
                self._book.end(entry, ReminderState.CANCELLED)
            self._tell("All right, I forget that.")
            return ""
        if self._yes_keeps:
            self._tell("All right, I keep that in mind.")
            return ""
        self._asked_ids.discard(asked[0].id)
        self._come.discard(asked[0].id)
        self._next_time(asked[0])
        if _reminds(asked[0]):
            self._tell(f"I am to remind you: {_in_my_words(asked[0].request)}.")
            return ""
        return asked[0].request

    def announce(self, event: str) -> bool:
        """Begin what waits for an event that a person tells of; False where nothing does.

        What wants a yes first is asked about when heed is free, one after another.
        """
        waiting = self._has_come(event)
        self._told_at = self._clock() if waiting else self._told_at
        for entry in waiting:
            if not self._wants_a_yes(entry):
                self._begin(entry)
        return bool(waiting)

    def remember_later(self, when: str, request: str) -> str:
        """Do something later, "in ten minutes", "every evening at eight", "when I come back"; returns words to say."""
        read = self._read_when(when) or written(when)
        if read is None and self._mind_notices():
            if is_a_time(when):
                raise SkillError(f"nobody knows when {when!r} is", TIMES)
            read = When(when.strip())
        if read is None:
            return f"I do not understand when that is: {when}. Say in ten minutes, at eight, or when I come back."
        due = read.next(self._now())
        if due is not None and due <= self._now():
            raise SkillError(f"{when!r} is over", TIMES)
        entry = self._book.add(read.words, request, due)
        if read.after is not None:
            self._due[entry.id] = self._clock() + read.after.total_seconds()
        return f"All right, {read.words}: {_in_my_words(request)}."

    def begin_later(self, number: int) -> str:
        """Begin what waits, whose event has come: it comes next, by itself. Before its time somebody is asked first."""
        entry = next((entry for entry in self._book.waiting() if entry.id == number), None)
        if entry is None:
            raise SkillError(f"nothing of the number {number} waits", "the comments tell what is to be done later")
        if entry.due_at is not None and not self._is_due(entry):
            self._ask_about([entry], no_keeps=True)
            self._tell(f"It is not time for that yet: {_listed([entry])}. Shall I do it now?")
            return "success"
        self._told_at = self._clock()
        self._begin(entry)
        return "success"

    def forget_later(self, about: str = "") -> str:
        """Forget what was to be done later, all of it or what it is about; returns words to say."""
        gone = self._meant(about)
        for entry in gone:
            self._book.end(entry, ReminderState.CANCELLED)
        return f"I have forgotten that: {_listed(gone)}." if gone else "There is nothing of that kind to forget."

    def _meant(self, about: str) -> list[Entry]:
        """Return what waits that words are about; a number alone is that of one, as a mind reads it."""
        waiting = self._book.waiting()
        number = _NUMBER.fullmatch(about.strip())
        if number and (numbered := [entry for entry in waiting if entry.id == int(number[1])]):
            return numbered
        words = set(re.findall(r"\w+", about.lower())) - small_words("in a reminder")
        return [e for e in waiting if words <= set(re.findall(r"\w+", f"{e.words} {e.request}".lower()))]

    def about_later(self) -> str:
        """What is to be done later, in words to say."""
        waiting = self._book.waiting()
        return f"Later I am to do this: {_listed(waiting)}." if waiting else "There is nothing that I am to do later."

    def waiting(self) -> list[str]:
        """Return what is to be done later, a line each."""
        return [f"later {entry.id}: {entry.words}: {entry.request}" for entry in self._book.waiting()]

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return what the console offers."""
        return {skill.name: getattr(self, skill.name) for skill in REMINDERS}

    # --- as time goes by ---

    def left_over(self) -> str:
        """Return, after a restart, what was asked for before, and whether it still holds; "" for nothing."""
        kept = [entry for entry in self._book.waiting() if entry.id in self._before]
        if not kept:
            return ""
        self._ask_about(kept, yes_keeps=True)
        return f"Before I was started again I was asked for this: {_listed(kept)}. Shall I keep that in mind?"

    def watch(self, ended: Event) -> None:
        """Look at the clock until heed ends."""
        while not ended.wait(TICK_SECONDS):
            try:
                self.tick()
            except Exception:  # a locked file or a body that is being restarted; the next look may do better
                log.exception("what is to be done later could not be looked at")

    def tick(self) -> None:
        """Begin one thing that is due, unless something else is going on; the next one comes after it.

        While a question is open it begins no deed: what is to be done would be taken for the answer.
        """
        if not self._free():
            return
        waiting = self._book.waiting()
        if happened := self._happened([entry for entry in waiting if entry.due_at is None]):
            self._has_come(happened)
        for entry in waiting:
            may_begin = _reminds(entry) or not self.offers
            if entry.id not in self._asked_ids and self._is_due(entry) and may_begin:
                self._begin(entry)
                return

    def _has_come(self, event: str) -> list[Entry]:
        """Note, and return, what waits for an event; what was to begin after another one has missed it."""
        waiting = [entry for entry in self._book.waiting() if entry.due_at is None and self._when(entry).event == event]
        self._come = {entry.id for entry in waiting}
        self._asked_ids -= self._come
        return waiting

    def _is_due(self, entry: Entry) -> bool:
        if entry.due_at is None:
            return entry.id in self._come
        if entry.id in self._due:
            return self._clock() >= self._due[entry.id]
        return self._now() >= entry.due_at

    def _happened(self, waiting: list[Entry]) -> str:
        """The event since the last look; the scene is only looked at where somebody waits for one."""
        if not waiting:
            self._present = None
            return ""
        person = Scene.from_observation(self._observe()).person()
        before, self._present = self._present, person is not None and person.present
        told_just_now = self._clock() - self._told_at < SAME_EVENT_SECONDS
        if before is None or before == self._present or told_just_now:
            return ""
        return "return" if self._present else "leave"

    def _when(self, entry: Entry) -> When:
        return self._read_when(entry.words) or When(entry.words)

    def _ask_about(self, entries: list[Entry], yes_keeps: bool = False, no_keeps: bool = False) -> None:
        self._asked, self._yes_keeps, self._no_keeps = entries, yes_keeps, no_keeps
        self._asked_at = self._clock()

    def _begin(self, entry: Entry) -> None:
        """Remind, do, or ask whether to do it; what is repeated is put off to its next time."""
        self._come.discard(entry.id)
        moves, what = not _reminds(entry), _in_my_words(entry.request)
        if self._wants_a_yes(entry):
            self._ask_about([entry])
            self._asked_ids.add(entry.id)
            self._tell(f"It is time for this: {what}. Shall I do it now?")
            return
        self._tell(f"It is time for this: {what}." if moves else f"I am to remind you: {what}.")
        if moves:
            self._put(Utterance(entry.request, source=TIMER))
        self._next_time(entry)

    def _wants_a_yes(self, entry: Entry) -> bool:
        return entry.id in self._before and not _reminds(entry)

    def _next_time(self, entry: Entry) -> None:
        """Put off what is repeated; end what is not."""
        again = self._when(entry)
        moment = again.next(self._now()) if again.days else None
        if moment is not None:
            self._book.put_off(entry, moment)
        elif not again.each_time:
            self._book.end(entry, ReminderState.DONE)


def _reminds(entry: Entry) -> bool:
    return _REMINDER.match(entry.request) is not None


def _in_my_words(request: str) -> str:
    return _REMINDER.sub("", request)


def _listed(entries: list[Entry]) -> str:
    return "; ".join(f"{entry.words}, {_in_my_words(entry.request)}" for entry in entries)


REMINDERS = tuple(
    Skill(function.__name__, function, uses=(), confirm=False)
    for function in (Reminders.remember_later, Reminders.begin_later, Reminders.forget_later, Reminders.about_later)
)
"""What this offers the console, in the form of skills."""
_REMINDER = re.compile(r"^remind me to ", re.IGNORECASE)
_NUMBER = re.compile(r"(?:later )?(\d+)")
