"""What was learned, brought to where it is needed: the reading of a request, examples for it, and numbers for skills.

A lesson counts where its rule applies, and nowhere else: for the examples that the model is shown, for the rewording
of a request, and for a skill's parameter, which is set by exact scope. What was applied is named in the history.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from daemon.console.history import Turn
from daemon.console.interpretation import PARTS, Interpretation, Situation, applies, hour_now, interpret, naming
from daemon.memory.effects import Speed, read_effect, replaces
from daemon.memory.example import InteractionExample
from daemon.memory.lessons import Lesson
from daemon.memory.schema import MemoryFileError
from daemon.memory.store import Memory
from daemon.names import called
from daemon.transcript import parse_transcript
from skills.scene import Scene
from skills.skill import Observation

log = logging.getLogger(__name__)


class Recall:
    """The loop's view of the memory, in front of one scene."""

    def __init__(
        self,
        memory: Memory,
        observe: Callable[[], Observation],
        here: Callable[[], str | None],
        supposed: Sequence[Lesson] = (),
    ) -> None:
        """`here` tells where the robot stands; `supposed` lessons count as if they were kept already."""
        self._memory = memory
        self._observe = observe
        self._here = here
        self._supposed = tuple(supposed)
        self._read = Interpretation("", "")
        self._applied: list[Lesson] = []

    def interpret(self, text: str, past: Sequence[Turn] = (), speaker: str = "") -> Interpretation:
        """What an utterance means here, after these turns."""
        self._read = interpret(text, self._situation(speaker), self._lessons(), past)
        self._note_use(self._read.lessons)
        return self._read

    def examples_for(self, utterances: list[str]) -> list[str]:
        """Transcripts, the nearest last; a learned one begins with its rule as a comment, so that it can be named."""
        last = utterances[-1] if utterances else ""
        situation = self._situation()
        fitting = {lesson.id: lesson for lesson in self._read.lessons}
        fitting |= {lesson.id: lesson for lesson in self._lessons() if applies(lesson, last, situation)}
        fitting = {id: lesson for id, lesson in fitting.items() if not _of_several_parts(lesson)}
        found = self._memory.retrieve(utterances, lessons=fitting)
        return [_shown(retrieved.example, fitting) for retrieved in found]

    def every_example(self) -> list[str]:
        """All transcripts that may ever be shown, as examples_for() shows them, the newest lessons first."""
        known = {lesson.id: lesson for lesson in self._lessons()}
        return [_shown(example, known) for example in self._memory.examples()]

    def with_learned_speed(self, move_to: Callable[..., Any]) -> Callable[..., Any]:
        """move_to() that takes a learned speed where the model names none, on exactly the way it was taught for."""

        def drive(location: str, speed: float | None = None) -> Any:
            if speed is not None:
                return move_to(location, speed)
            lesson, factor = self._speed(self._here(), location)
            result = move_to(location, factor) if lesson else move_to(location)
            if lesson:
                self._applied.append(lesson)
                self._note_use([lesson])
            return result

        return drive

    def take_comments(self) -> list[str]:
        """Comments on the lessons that were applied since the last call, for the history."""
        applied, self._applied = self._applied, []
        return list(dict.fromkeys(naming(lesson) for lesson in applied))

    def _speed(self, start: str | None, end: str) -> tuple[Lesson | None, float]:
        for lesson in reversed(self._lessons()):
            match read_effect(lesson.rule.text):
                case Speed(known_start, known_end, factor) if start and called(start, known_start):
                    if called(self._name_of(end), known_end):
                        return lesson, factor
        return None, 1.0

    def _name_of(self, place: str) -> str:
        """The place's own name, where the model used another."""
        for location in Scene.from_observation(self._observe()).locations:
            if place in (location.name, *location.aliases):
                return location.name
        return place

    def _lessons(self) -> list[Lesson]:
        """Those that hold, the newest last; a supposed one replaces what it would supersede."""
        new = [effect for lesson in self._supposed if (effect := read_effect(lesson.rule.text))]
        kept = [
            lesson
            for lesson in self._memory.lessons()
            if not ((old := read_effect(lesson.rule.text)) and any(replaces(effect, old) for effect in new))
        ]
        return [*kept, *self._supposed]

    def _situation(self, speaker: str = "") -> Situation:
        return Situation(Scene.from_observation(self._observe()), speaker, hour_now())

    def _note_use(self, lessons: Sequence[Lesson]) -> None:
        """A full disk costs the count, not the deed."""
        try:
            for lesson in lessons:
                if lesson not in self._supposed:
                    self._memory.note_use(lesson.id)
        except MemoryFileError as error:
            log.error("that a lesson was used is not written down: %s", error)


def _shown(example: InteractionExample, lessons: Mapping[int, Lesson]) -> str:
    """A transcript for the prompt; a learned one begins with its rule as a comment."""
    lesson = lessons.get(example.lesson_id or 0)
    return f"{naming(lesson)}\n{example.transcript}" if lesson else example.transcript


def _of_several_parts(lesson: Lesson) -> bool:
    """Whether its example shows a request that is done part by part: each part finds examples of its own."""
    first = next(iter(parse_transcript(lesson.transcript)), None) if lesson.transcript else None
    return first is not None and PARTS in (first.meaning or "")
