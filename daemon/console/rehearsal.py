"""Trying a lesson on a copy of the scene before it is offered: a lesson that does not work is never stored."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from daemon.console.conversation import TALK
from daemon.console.executor import Executor
from daemon.console.history import Turn
from daemon.console.lesson import NoLesson
from daemon.transcript import Step
from skills.skill import Skill, SkillContext, stubs


class SceneRehearsal:
    """Runs transcripts on a body that is only thought of."""

    def __init__(
        self,
        skills: Iterable[Skill],
        imagine: Callable[[Any], SkillContext],
        seconds: float,
    ) -> None:
        """`imagine` makes a body in a copy of an observed scene."""
        self._skills = tuple(skills)
        self._imagine = imagine
        self._seconds = seconds

    def __call__(self, steps: Sequence[Step], turn: Turn) -> tuple[Step, ...]:
        """Run the steps after the trigger as if `turn` had just begun; returns them with the results they had.

        Raises NoLesson for a statement that fails, or when nothing was seen at the time.
        """
        if turn.scene is None:
            raise NoLesson("I cannot try that out, since I did not see how things were.")
        context = self._imagine(turn.scene)
        offered = {skill.name: skill.bind(context) for skill in self._skills}
        offered |= {skill.name: _acted for skill in TALK}
        executor = Executor(offered, stubs([*self._skills, *TALK]), self._seconds)
        try:
            return (steps[0], *(self._try(executor, step) for step in steps[1:]))
        finally:
            executor.close()

    def _try(self, executor: Executor, step: Step) -> Step:
        outcome = executor.run(step.statement)
        if not outcome.ok:
            raise NoLesson(f"I tried to imagine that, and it would not work: {outcome.result}")
        return Step(step.statement, outcome.result)


def _acted(*_: Any, **__: Any) -> None:
    """A person is not part of a rehearsal: nothing is said, nothing is answered."""
