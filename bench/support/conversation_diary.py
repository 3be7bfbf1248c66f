"""What happened in the conversations of a bench, line by line, for those who compare two versions of heed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from daemon.transcript import ERROR_LINE, MEANING
from daemon.trigger import Utterance

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
