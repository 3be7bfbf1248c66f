"""Heed's own way: the console, statement by statement, with retrieval and lessons (Baermann et al. 2024, sec. 3)."""

from collections.abc import Callable, Sequence
from typing import Any

from bench.baselines.method import Agent, Brain, World
from bench.support.rehearsed import NoLessons, Notes, Person, Rehearsed, noon
from daemon.config import ConsoleConfig
from daemon.console.builtins import Learner
from daemon.console.history import InteractionHistory
from daemon.console.learning.learn_from_interaction import Lessons
from daemon.console.learning.lesson_rehearsal import SceneRehearsal
from daemon.console.learning.model_improver import ModelImprover
from daemon.console.learning.recall import Recall
from daemon.imitation import BeforeTheModel, English, RuleImprover
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.transcript import render

MakeLearner = Callable[[Brain, World], Learner]


def improved_lessons(brain: Brain, world: World) -> Learner:
    """Improve lessons as in earnest: rehearsed on a copy of the world, and kept after a yes (sec. 3.5)."""
    model, memory = brain.model, brain.memory
    english = English()
    rehearse = SceneRehearsal(
        world.skills, world.imagine, ConsoleConfig(), memory, lambda: model, BeforeTheModel, english
    )

    def keep(transcript: str, rule: Rule, heard: Sequence[str]) -> object:
        return memory.keep_lesson(transcript, rule, "the bench", heard)

    return Lessons(ModelImprover(lambda: model, RuleImprover()), rehearse, keep, confirm=True, reader=english)


def no_lessons(brain: Brain, world: World) -> Learner:
    """Learning is off."""
    return NoLessons()


def raw_history(brain: Brain, world: World) -> Learner:
    """Return what happened is stored as it happened, mistakes included (sec. 4, without improvement)."""
    return RawHistory(brain.memory)


class ConsoleMethod:
    """The console, with one way to learn."""

    def __init__(self, brain: Brain, learner: MakeLearner) -> None:
        self._brain = brain
        self._learner = learner

    def agent(self, person: Person, world: World) -> Agent:
        return ConsoleAgent(person, world, self._brain, self._learner(self._brain, world))

    def ended(self, agent: Agent, success: bool) -> None:
        """Keep nothing more: what is learned is learned in the conversation."""


class ConsoleAgent:
    """A rehearsed heed."""

    def __init__(self, person: Person, world: World, brain: Brain, learner: Learner) -> None:
        self.notes = Notes()
        observe = world.context.observe
        functions = {skill.name: skill.bind(world.context) for skill in world.skills}
        here = functions.get("get_robot_location", lambda: None)
        recall = Recall(brain.memory, observe, here, clock=noon, reader=English())
        self._heed = Rehearsed(
            person,
            brain.model,
            recall,
            learner,
            world.skills,
            functions,
            observe,
            observer=self.notes,
            lessons=brain.memory.lessons,
        )

    def run(self) -> None:
        self._heed.run()


class RawHistory:
    """A Learner that keeps the turns since the last lesson as they are."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def learn(self, history: InteractionHistory, ask: Any, say: Any) -> str:
        turns = history.turns_since_lesson()[:-1]
        if not turns:
            return "nothing learned: nothing has happened"
        transcript = render(step for turn in turns for step in turn.steps)
        rule = Rule(f"When you say something like {turns[0].utterance!r}, I will do it as shown.")
        self._memory.keep_lesson(transcript, rule, "the bench", [turn.utterance for turn in turns])
        history.mark_learned()
        return "learned"
