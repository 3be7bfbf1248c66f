"""What happened in the conversations of a bench, line by line, for those who compare two versions of heed."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from daemon.memory.lesson import Lesson
from daemon.transcript import ERROR_LINE, MEANING
from daemon.trigger import Utterance
from skills.skill import Observation

_lines: ContextVar[list[str] | None] = ContextVar("journal", default=None)
QUIET = ("wait_for_trigger(", "list_", "other_names(", "get_", "say(", "ask(")
"""Statements that are not written down: what is said is, and looking changes nothing."""


@contextmanager
def journal() -> Iterator[list[str]]:
    """Collect everything that is written until the end of the context."""
    lines: list[str] = []
    token = _lines.set(lines)
    try:
        yield lines
    finally:
        _lines.reset(token)


def write(line: str) -> None:
    """Write a line down, where anybody collects them."""
    lines = _lines.get()
    if lines is not None:
        lines.append(" ".join(line.split()))


@contextmanager
def outcome(observe: Callable[[], Observation], lessons: Callable[[], Sequence[Lesson]] = tuple) -> Iterator[None]:
    """Write down, at the end of the context, what it changed: "moved: cup: sink > table; fridge: closed > open", and a
    line for each rule that is kept since, or kept no more.
    """
    if _lines.get() is None:
        yield
        return
    seen, rules = _states(observe()), _rules(lessons())
    try:
        yield
    finally:
        seen_now, rules_now = _states(observe()), _rules(lessons())
        changes = [f"{what}: {seen.get(what, '-')} > {now}" for what, now in seen_now.items() if seen.get(what) != now]
        gone = [f"{what}: {before} > -" for what, before in seen.items() if what not in seen_now]
        if changes or gone:
            write(f"moved: {'; '.join(changes + gone)}")
        for sign, texts in (("kept", rules_now - rules), ("kept no more", rules - rules_now)):
            for text in sorted(texts.elements()):
                write(f"{sign}: {text}")


def _states(observation: Observation) -> dict[str, str]:
    """Return where each thing is, how each door stands, what else is told: {"cup": "sink", "cup filled": "True"}."""
    doors = {seen["name"]: seen["door"] for seen in observation["locations"] if seen["door"]}
    things = {seen["name"]: seen["location"] or f"{seen['held_by']} hand" for seen in observation["objects"]}
    told = {
        f"{seen['name']} {key}": str(value)
        for seen in (*observation["locations"], *observation["objects"])
        for key, value in seen.get("state", {}).items()
    }
    return doors | things | told


def _rules(lessons: Sequence[Lesson]) -> Counter[str]:
    return Counter(lesson.rule.text for lesson in lessons)


class Diary:
    """An Observer that writes down what was said, how it was read, what was done, and what failed."""

    def __init__(self) -> None:
        write("---")
        self._statement = ""

    def heard(self, utterance: Utterance) -> None:
        write(f"heard: {utterance.text}")

    def statement(self, statement: str) -> None:
        self._statement = statement
        if not statement.startswith(QUIET):
            write(f">>> {statement}")

    def result(self, result: str) -> None:
        for line in result.split("\n"):
            if line.startswith((MEANING, "# Learned")):
                write(_DAY.sub(": ", line))
            elif ERROR_LINE.match(line):
                write(f"    {line}")

    def said(self, text: str) -> None:
        write(f"says: {text}")


_DAY = re.compile(r" on \d+ \w+ \d{4}: ")
"""When a lesson was taught: today."""
