"""Trying a lesson on a copy of the scene before it is offered: a lesson that does not work is never stored."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from daemon.config import ConsoleConfig
from daemon.console.as_said import AsSaid
from daemon.console.builtins import TALK, Conversation
from daemon.console.executor import Executor
from daemon.console.history import Turn
from daemon.console.learning.memory_care import MemoryCare
from daemon.console.learning.no_lesson import NoLesson
from daemon.console.learning.recall import Recall
from daemon.console.loop import Console
from daemon.console.reading import Reader, Understanding
from daemon.llm.model import LanguageModel
from daemon.memory.lesson import Lesson
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.transcript import Step
from daemon.trigger import TriggerQueue, Utterance
from skills.skill import Skill, SkillContext, stubs

GIVEN_UP = (
    "I could not",
    "I have not learned",
    "Sorry",
    "I do not know which",
    "I have tried many",
    "My language model",
)
"""How the robot says that it did not manage."""


class SceneRehearsal:
    """Runs transcripts, and requests, on a body that is only thought of."""

    def __init__(
        self,
        skills: Iterable[Skill],
        imagine: Callable[[Any], SkillContext],
        config: ConsoleConfig,
        memory: Memory,
        model: Callable[[], LanguageModel],
        understanding: Callable[[Recall], Understanding] = lambda recall: AsSaid(),
        reader: Reader | None = None,
    ) -> None:
        """`imagine` makes a body in a copy of an observed scene; `model` is the brain in use.

        `understanding` makes what reads the request before the model, as in the conversation; so does `reader`.
        """
        self._skills = tuple(skills)
        self._imagine = imagine
        self._config = config
        self._memory = memory
        self._model = model
        self._understanding = understanding
        self._reader = reader

    def __call__(self, steps: Sequence[Step], turn: Turn) -> tuple[Step, ...]:
        """Run the steps after the trigger as if `turn` had just begun; returns them with the results they had.

        Raises NoLesson for a statement that fails, or when nothing was seen at the time.
        """
        context = self._context(turn)
        offered = {skill.name: skill.bind(context) for skill in self._skills}
        offered |= {skill.name: _acted for skill in TALK}
        executor = Executor(offered, stubs([*self._skills, *TALK]), self._config.statement_seconds)
        try:
            return (steps[0], *(self._try(executor, step) for step in steps[1:]))
        finally:
            executor.close()

    def perform(self, turn: Turn, rule: Rule) -> tuple[Step, ...]:
        """Return what the brain would do about the turn's request if it knew the rule.

        Raises NoLesson where it gives up, asks something, or when nothing was seen at the time.
        """
        context = self._context(turn)
        supposed = Lesson(0, rule, "", datetime.now(UTC), "you", ())
        here = {skill.name: skill.bind(context) for skill in self._skills}
        location = here.get("get_robot_location", lambda: None)
        recall = Recall(self._memory, context.observe, location, [supposed], reader=self._reader)
        request = TriggerQueue()
        request.put(Utterance(turn.utterance, speaker=rule.scope.person))
        request.close()
        silent = Silent()
        care = MemoryCare(self._memory)
        conversation = Conversation(request, lambda _: None, silent, silent, context.observe, care, self._reader)
        here = recall.with_parameters(here)
        offered = [*self._skills, *TALK]
        executor = Executor(here | conversation.bound(), stubs(offered), self._config.statement_seconds)
        try:
            before = self._understanding(recall)
            Console(self._config, self._model(), offered, executor, conversation, recall, before, self._reader).run()
        finally:
            executor.close()
        return self._judged(conversation.history.turns[0].steps, silent)

    def _judged(self, steps: Sequence[Step], silent: "Silent") -> tuple[Step, ...]:
        if silent.speech and silent.speech[-1].startswith(GIVEN_UP):
            raise NoLesson(f"I tried to imagine that, and would have had to say: {silent.speech[-1]}")
        if not steps[1:]:
            raise NoLesson("I tried to imagine that, and do not know what I would do.")
        return tuple(steps)

    def _context(self, turn: Turn) -> SkillContext:
        if turn.scene is None:
            raise NoLesson("I cannot try that out, since I did not see how things were.")
        return self._imagine(turn.scene)

    def _try(self, executor: Executor, step: Step) -> Step:
        outcome = executor.run(step.statement)
        if not outcome.ok:
            raise NoLesson(f"I tried to imagine that, and it would not work: {outcome.result}")
        return Step(step.statement, outcome.result)


class Silent:
    """Hears nothing, shows nothing and learns nothing; remembers what would have been said."""

    def __init__(self) -> None:
        self.speech: list[str] = []

    def heard(self, utterance: Utterance) -> None: ...

    def statement(self, statement: str) -> None: ...

    def result(self, result: str) -> None: ...

    def said(self, text: str) -> None:
        self.speech.append(text)

    def learn(self, *_: Any) -> str:
        return "nothing learned: this is only imagined"


def _acted(*_: Any, **__: Any) -> None:
    """A person is not part of a rehearsal: nothing is said, nothing is answered."""
