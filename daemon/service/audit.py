"""Who set the robot in motion, by which words, and what came of it: the table `action` in memory.sqlite.

A motion is written down before it begins, so that a power cut leaves it "under way". A disk that is full
does not keep the robot from doing what it is told; the log says so.
"""

import functools
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from daemon.memory.lesson_table import LessonBook
from daemon.memory.memory_file import MemoryFileError
from skills.skill import Skill

ARGUMENT_LIMIT = 200
"""Characters of a call or an outcome that are kept."""

log = logging.getLogger(__name__)


class Audit:
    """Writes down motions and the verbs of persons. Any thread may call."""

    def __init__(self, book: LessonBook, asked: Callable[[], tuple[str, str]]) -> None:
        """`asked` tells who spoke last, and what was said: for that something is done, unless a program wants it."""
        self._book = book
        self._asked = asked
        self._program: tuple[str, str] | None = None

    @contextmanager
    def on_behalf_of(self, client: str, what: str) -> Iterator[None]:
        """Write down what is done meanwhile as done for a program, which asked for `what`."""
        self._program = client, what
        try:
            yield
        finally:
            self._program = None

    def watched(self, skill: Skill, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function of a skill; one that moves is written down, before and after."""
        if skill.read_only:
            return function

        @functools.wraps(function)
        def written_down(*args: Any, **kwargs: Any) -> Any:
            who, said = self._program or self._asked()
            number = self._begin(_call(skill.name, args, kwargs), who, said)
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                self._end(number, f"{type(error).__name__}: {error}")
                raise
            self._end(number, str(result))
            return result

        return written_down

    def note(self, what: str, said: str, outcome: str) -> None:
        """Write down what a person did to the robot at once, such as a stop."""
        self._end(self._begin(what, "", said), outcome)

    def _begin(self, what: str, who: str, said: str) -> int | None:
        try:
            return self._book.begin_action(what[:ARGUMENT_LIMIT], who, said)
        except MemoryFileError as error:
            log.error("%s is not written down: %s", what[:ARGUMENT_LIMIT], error)
            return None

    def _end(self, number: int | None, outcome: str) -> None:
        if number is None:
            return
        try:
            self._book.end_action(number, outcome[:ARGUMENT_LIMIT])
        except MemoryFileError as error:
            log.error("the outcome of action %d is not written down: %s", number, error)


def _call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    given = [*(repr(value) for value in args), *(f"{key}={value!r}" for key, value in kwargs.items())]
    return f"{name}({', '.join(given)})"
