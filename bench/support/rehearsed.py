"""One heed without time: the real console, executor, skills and memory, on a body that is only thought of, and a person
who follows a script.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.support.conversation_diary import Diary, outcome
from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.as_said import AsSaid
from daemon.console.builtins import TALK, Care, Conversation, Learner, Observer
from daemon.console.executor import Executor
from daemon.console.goals.planner import Planner
from daemon.console.learning.learn_from_interaction import Improver, Keep, Lessons
from daemon.console.learning.lesson_rehearsal import SceneRehearsal
from daemon.console.learning.memory_calls import TEACHING, Teaching
from daemon.console.learning.memory_care import MemoryCare
from daemon.console.learning.model_improver import ModelImprover
from daemon.console.learning.number_trial import Trial
from daemon.console.learning.recall import Recall
from daemon.console.loop import Console
from daemon.console.raider.examination import Examination
from daemon.console.reading import Understanding
from daemon.console.reminders import REMINDERS, Reminders
from daemon.console.situation import surveyed
from daemon.console.veto import Veto
from daemon.imitation import BeforeTheModel, English, LookFirst, RuleImprover
from daemon.llm.model import Embedder, LanguageModel
from daemon.memory.lesson import Lesson
from daemon.memory.reminder_book import ReminderBook
from daemon.memory.store import Memory
from daemon.service.observers import Observers
from daemon.trigger import TriggerQueue, Utterance
from hw.description import RobotDescription, load_description
from hw.state import Pose2D
from sim.rehearsal import RehearsalGoal, RehearsalRobot
from sim.scene import Scene
from skills.skill import Observation, Skill, SkillContext, load_skills, stubs


def noon() -> datetime:
    """The clock of every bench: what was taught for the evening must not depend on when it is run."""
    return datetime(2026, 1, 14, 12, 0)


DESCRIPTION: RobotDescription = load_description(Path(__file__).parents[2] / "hw" / "robots" / "sim.toml", Path("."))


class Person(TriggerQueue):
    """Says what a script says next, answers questions, and leaves when there is nothing more to say."""

    def __init__(
        self, speak: Callable[[], Utterance | str | None], answer: Callable[[str], Utterance | str | None]
    ) -> None:
        """`speak` gives the next thing to say, `answer` the answer to a question; None ends the conversation."""
        super().__init__()
        self.questions: list[str] = []
        """What the robot asked."""
        self.asked: Callable[[], str | None] = lambda: None
        """What is being asked; set by whoever talks to this person."""
        self._speak = speak
        self._answer = answer

    def get(self, timeout: float | None = None, since: float = 0.0) -> Utterance | None:
        if waiting := super().get(0, since):
            return waiting  # put back, since it was no answer
        question = self.asked()
        if question is not None:
            self.questions.append(question)
        said = self._speak() if question is None else self._answer(question)
        return Utterance(said) if isinstance(said, str) else said

    def next_errand(self) -> None:
        """Return nothing: no other program wants anything."""


class Notes:
    """An Observer that writes down."""

    def __init__(self) -> None:
        self.speech: list[str] = []
        """What the robot said."""
        self.statements: list[tuple[str, str]] = []
        """Every statement with its result."""

    def transcript(self) -> str:
        """Return everything, as on the console."""
        return "".join(f">>> {statement}\n{result}\n" for statement, result in self.statements)

    def heard(self, utterance: Utterance) -> None: ...

    def statement(self, statement: str) -> None:
        self.statements.append((statement, ""))

    def result(self, result: str) -> None:
        if self.statements:
            self.statements[-1] = (self.statements[-1][0], result)

    def said(self, text: str) -> None:
        self.speech.append(text)


class Rehearsed:
    """A conversation with a heed in some world; run() has it to its end."""

    def __init__(
        self,
        person: Person,
        model: LanguageModel,
        recall: Recall,
        learner: Learner,
        skills: Iterable[Skill],
        functions: Mapping[str, Callable[..., Any]],
        observe: Callable[[], Observation],
        observer: Observer,
        care: Care | None = None,
        understanding: Understanding | None = None,
        memory: Memory | None = None,
        keep: Keep | None = None,
        waiting: Callable[[], Sequence[str]] = tuple,
        robot: SkillContext | None = None,
        lessons: Callable[[], Sequence[Lesson]] = tuple,
    ) -> None:
        """`skills` are what the model may call besides talking, `functions` what then happens.

        In `memory` is kept what a mind is taught by typed calls, through `keep` if given; without it there are none.
        `waiting` tells what is to be done later. With a `robot`, what a mind that leads calls is examined first.
        `lessons` tells what is remembered, for the diary.

        `understanding` reads what is said before the model does; None for the stages of the case-based brain that
        need nothing but `recall`.
        """
        config = ConsoleConfig()
        skills = tuple(skills)
        offered = [*skills, *TALK, *(TEACHING if memory else ())]
        watched = Observers(Diary(), observer)
        english = English()
        conversation = Conversation(person, lambda text: None, learner, watched, observe, care, english)
        self.ask_whether_heard = conversation.ask_whether_heard
        self.history = conversation.history
        person.asked = lambda: conversation.question
        veto = Veto(lambda: conversation.history.words, lambda: recall.scene, lambda: recall.here)
        if robot:
            examination = Examination(
                config.look_first, robot, lambda: conversation.history, lambda: model, rules=lambda: recall.sentences
            )
            functions = examination.guarded(functions, {skill.name: skill for skill in skills})
        every = {**veto.guarded(functions, skills), **conversation.bound()}
        if memory:
            trial = Trial({skill.name: skill for skill in skills}, imagine, observe)
            every |= Teaching(conversation, keep or _keeping(memory), memory, observe, trial).functions()
        self._observe, self._lessons = observe, lessons
        self._executor = Executor(every, stubs(offered), config.statement_seconds)
        before = understanding or BeforeTheModel(recall)
        self._console = Console(
            config, model, offered, self._executor, conversation, recall, before, english,
            survey=surveyed(recall, waiting=waiting), offers=AsSaid(english, lambda: bool(waiting())),
            planner=Planner(recall),
        )  # fmt: skip

    def read_ahead(self) -> None:
        """Read what the next words will stand below, as heed does while nobody speaks."""
        self._console.prepare()

    def run(self) -> None:
        """Talk until the person has left."""
        try:
            with outcome(self._observe, self._lessons):
                self._console.run()
        finally:
            self._executor.close()


@dataclass(frozen=True)
class Untaught:
    """A heed that was never taught anything, and where it keeps what it is told now."""

    talk: Rehearsed
    memory: Memory
    book: ReminderBook
    functions: Mapping[str, Callable[..., Any]]


@contextmanager
def untaught(
    person: Person, robot: RehearsalRobot, notes: Notes, model: LanguageModel, embedder: Embedder
) -> Iterator[Untaught]:
    """All that a heed has, lessons, timers and care of memory included, until the end of the context."""
    skills = load_skills()
    context = SkillContext(robot, robot.observe)
    functions = {skill.name: skill.bind(context) for skill in skills.values()}
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "m.sqlite", embedder, MemoryConfig()) as memory:
        book = ReminderBook(Path(folder) / "m.sqlite")
        english = English()
        later = Reminders(
            book, robot.observe, person.put, notes.said, lambda: True, english.read_when, lambda: model.leads
        )
        lessons = learning(memory, model, lambda text, rule, heard: memory.keep_lesson(text, rule))
        talk: list[Rehearsed] = []
        recall = Recall(memory, robot.observe, functions["get_robot_location"], clock=noon, reader=english)
        functions = recall.with_parameters(functions) | later.functions()
        offered, look_first = [*skills.values(), *REMINDERS], LookFirst(ConsoleConfig().look_first, context)
        before = BeforeTheModel(recall, look_first, later, doubt=lambda text: talk[0].ask_whether_heard(text))
        care = MemoryCare(memory)
        parts = (offered, functions, robot.observe, notes, care, before, memory)
        talk.append(
            Rehearsed(
                person, model, recall, lessons, *parts, waiting=later.waiting, robot=context, lessons=memory.lessons
            )
        )
        try:
            yield Untaught(talk[0], memory, book, functions)
        finally:
            book.close()


def learning(
    memory: Memory, model: LanguageModel, keep: Keep, improver: Improver | None = None, confirm: bool = True
) -> Lessons:
    """Learn as heed does: worked out, rehearsed on a copy of the scene, agreed to, kept by `keep`."""
    english = English()
    rehearse = SceneRehearsal(
        load_skills().values(), imagine, ConsoleConfig(), memory, lambda: model, BeforeTheModel, english
    )
    return Lessons(improver or ModelImprover(lambda: model, RuleImprover()), rehearse, keep, confirm, english)


class Walker(RehearsalRobot):
    """A rehearsed robot that notes where it has been."""

    def __init__(self, scene: Scene, description: RobotDescription = DESCRIPTION) -> None:
        super().__init__(scene, description)
        self.visited: list[Pose2D] = [scene.base]

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> RehearsalGoal:
        goal = super().drive_to(x, y, theta, speed)
        self.visited.append(self.scene.base)
        return goal


def _keeping(memory: Memory) -> Keep:
    return lambda transcript, rule, heard: memory.keep_lesson(transcript, rule, heard=heard)


class NoLessons:
    """A Learner for benches without learning."""

    def learn(self, history: Any, ask: Any, say: Any) -> str:
        return "nothing learned: learning is off"


def imagine(observation: Mapping[str, Any]) -> SkillContext:
    """A body in a copy of an observed scene."""
    robot = RehearsalRobot(Scene.from_observation(observation, Pose2D()), DESCRIPTION)
    return SkillContext(robot, robot.observe)
