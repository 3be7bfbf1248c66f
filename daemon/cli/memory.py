"""`heed memory`: what heed was taught, without the daemon and beside it."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from daemon.config import ConfigError
from daemon.memory.lesson import Lesson
from daemon.memory.lesson_table import LessonBook, UnknownLessonError
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.sentence_to_effect import rule_in
from daemon.service.control import CommandError, Handler, Message

ACTIONS = {
    "list": "every lesson in a line; lessons says the same",
    "lessons": "every lesson in a line",
    "show": "NUMBER: one lesson with all that belongs to it",
    "forget": "NUMBER: never use it again; it stays in the file",
    "restore": "NUMBER: use it again",
    "edit": 'NUMBER "NEW WORDS": say the rule in other words; it then does what they say',
    "merge": 'NUMBER NUMBER... "ONE RULE": one rule in the place of several',
    "export": "[FILE]: all lessons as lines of JSON",
    "import": "FILE: add the lessons of an export that are not here yet",
}
"""What `heed memory` can do, and what it needs for that."""


def inspect_memory(action: str, arguments: Sequence[str], file: Path, as_json: bool) -> int:
    """Carry out one of ACTIONS. Raises CommandError and ConfigError, saying what to do."""
    if not file.exists():
        raise CommandError(f"there is no memory at {file} yet", "it is made when heed is started: make run")
    try:
        with LessonBook(file, read_only=action in ("list", "lessons", "show", "export")) as book:
            if action in ("export", "import"):
                return _exchange(book, action, arguments)
            found = _act(book, action, arguments)
    except (UnknownLessonError, MemoryFileError) as error:
        raise CommandError(str(error)) from error
    if as_json:
        print(json.dumps([_as_json(lesson) for lesson in found], indent=2))
    else:
        print("\n".join(_as_text(lesson, whole=action == "show") for lesson in found) or "nothing was taught yet")
    return 0


def _act(book: LessonBook, action: str, arguments: Sequence[str]) -> list[Lesson]:
    if action in ("list", "lessons"):
        return _carry_out(book, "lessons", 0)
    numbers = [int(argument) for argument in arguments if argument.isdecimal()]
    words = " ".join(argument for argument in arguments if not argument.isdecimal())
    if not numbers:
        raise ConfigError(f"heed memory {action} needs the number of a lesson; heed memory list tells which there are")
    try:
        match action:
            case "edit":
                return [book.edit(numbers[0], words)]
            case "merge":
                return [book.merge(numbers, rule_in(words, book.lesson(max(numbers)).rule))]
    except ValueError as error:
        raise ConfigError(f"heed memory {action}: {error}; it wants {ACTIONS[action]}") from error
    return _carry_out(book, action, numbers[0])


def _exchange(book: LessonBook, action: str, arguments: Sequence[str]) -> int:
    """Write the lessons to a file or to the terminal, or read them from a file."""
    try:
        if action == "export" and not arguments:
            book.export_jsonl(sys.stdout)
        elif action == "export":
            with Path(arguments[0]).open("w", encoding="utf-8") as out:
                print(f"{book.export_jsonl(out)} lessons are in {arguments[0]}")
        elif not arguments:
            raise ConfigError("heed memory import needs a file that heed memory export wrote")
        else:
            with Path(arguments[0]).open(encoding="utf-8") as lines:
                print(f"{book.import_jsonl(lines)} lessons were added")
    except (OSError, ValueError) as error:
        raise CommandError(f"{action} did not work: {error}", "nothing was changed") from error
    return 0


def memory_handlers(book: LessonBook) -> dict[str, Handler]:
    """The commands "lessons", "forget" and "restore" of the running daemon; the last two want an id."""

    def change(verb: str) -> Handler:
        def carry_out(request: Message) -> Message:
            number = request.get("id")
            if type(number) is not int:
                raise CommandError(f"{verb} needs the number of a lesson", "the command lessons tells which there are")
            try:
                return {"lesson": _as_json(_carry_out(book, verb, number)[0])}
            except (UnknownLessonError, MemoryFileError) as error:
                raise CommandError(str(error)) from error

        return carry_out

    def lessons(request: Message) -> Message:
        return {"lessons": [_as_json(lesson) for lesson in _carry_out(book, "lessons", 0)]}

    return {"lessons": lessons, "forget": change("forget"), "restore": change("restore")}


def _carry_out(book: LessonBook, action: str, lesson_id: int) -> list[Lesson]:
    if action == "lessons":
        return book.lessons(include_forgotten=True)
    verbs = {"show": book.lesson, "forget": book.forget, "restore": book.restore}
    return [verbs[action](lesson_id)]


def _as_text(lesson: Lesson, whole: bool) -> str:
    line = f"{lesson.id:4}  {lesson.status.value:10}  {lesson.taught_at:%Y-%m-%d}  {lesson.rule.text}"
    if not whole:
        return line
    heard = "".join(f"\n      heard: {text}" for text in lesson.heard)
    by = lesson.taught_by or "somebody"
    return f"{line}\n      taught by {by}; applies to {lesson.rule.scope.words}{heard}\n\n{lesson.transcript}"


def _as_json(lesson: Lesson) -> dict[str, Any]:
    return {
        "id": lesson.id,
        "rule": lesson.rule.text,
        "kind": lesson.rule.kind.value,
        "applies_to": lesson.rule.scope.words,
        "status": lesson.status.value,
        "taught_at": lesson.taught_at.isoformat(),
        "taught_by": lesson.taught_by,
        "heard": list(lesson.heard),
        "transcript": lesson.transcript,
    }
