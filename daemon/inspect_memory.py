"""`heed memory`: what heed was taught, without the daemon and beside it."""

import json
from pathlib import Path
from typing import Any

from daemon.config import ConfigError
from daemon.control import CommandError, Handler, Message
from daemon.memory.lessons import Lesson, LessonBook, UnknownLessonError
from daemon.memory.schema import MemoryFileError


def inspect_memory(action: str, lesson_id: int | None, file: Path, as_json: bool) -> int:
    """Carry out "lessons", "show", "forget" or "restore"; the last three need the number of a lesson."""
    if not file.exists():
        raise CommandError(f"there is no memory at {file} yet", "it is made when heed is started: make run")
    if action != "lessons" and lesson_id is None:
        raise ConfigError(f"heed memory {action} needs the number of a lesson; heed memory lessons lists them")
    try:
        with LessonBook(file, read_only=action in ("lessons", "show")) as book:
            found = _carry_out(book, action, lesson_id or 0)
    except (UnknownLessonError, MemoryFileError) as error:
        raise CommandError(str(error)) from error
    if as_json:
        print(json.dumps([_as_json(lesson) for lesson in found], indent=2))
    else:
        print("\n".join(_as_text(lesson, whole=action == "show") for lesson in found) or "nothing was taught yet")
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
