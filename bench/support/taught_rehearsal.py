"""A rehearsed heed in a world described by names, which is taught and asked: what it did is written down call by call,
for the checks of the benches.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.support.rehearsed import DESCRIPTION, Person, Rehearsed, learning, noon
from daemon.console.builtins import Learner
from daemon.console.history import InteractionHistory
from daemon.console.learning.learn_from_interaction import Ask, Lessons, Say
from daemon.console.learning.memory_care import MemoryCare
from daemon.console.learning.recall import Recall
from daemon.imitation import BeforeTheModel, English
from daemon.llm.model import LanguageModel
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.transcript import Step
from daemon.trigger import Utterance
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, load_skills


@dataclass(frozen=True)
class Call:
    """One call of a skill."""

    name: str
    arguments: tuple[Any, ...]
    start: str
    """Where the robot stood."""
    ok: bool
    holding: frozenset[str]
    """What was in its hands afterwards."""


@dataclass
class Turn:
    """What one utterance led to."""

    utterance: str
    before: dict[str, str | None]
    """Object -> location when it was said."""
    after: dict[str, str | None] = field(default_factory=dict)
    doors: dict[str, bool] = field(default_factory=dict)
    """Place -> whether it was open afterwards."""
    calls: list[Call] = field(default_factory=list)
    speech: list[str] = field(default_factory=list)
    meaning: str = ""
    """How it was understood."""
    statements: int = 0
    kept: int = 0
    """Lessons that were kept."""


def agree(question: str) -> str:
    """The answers of somebody who means what they said."""
    if question.startswith("Did you mean") or "Shall I" in question or "Is that" in question:
        return "yes"
    if question.startswith("Which one"):
        return question.split(": the ")[1].split(",")[0].split(" or ")[0].rstrip("?")
    return "nothing"


class Robot:
    """A robot in a described world; talk() to it, and read `turns`."""

    def __init__(
        self,
        description: Mapping[str, Any],
        model: LanguageModel,
        memory: Memory,
        learner: Callable[[Lessons], Learner] = lambda lessons: lessons,
        improver: Any = None,
        confirm: bool = True,
    ) -> None:
        """`learner` may put another way of learning before the usual one."""
        self.turns: list[Turn] = []
        self.after_turn: Callable[[Turn], None] = lambda _: None
        self._body = RehearsalRobot(Scene.from_description(description), DESCRIPTION)
        self._model = model
        self._memory = memory
        self._learner = learner(learning(memory, model, self._keep, improver, confirm))

    def talk(
        self,
        *sentences: str,
        answer: Callable[[str], str] = agree,
        content: Callable[[Turn], bool] = lambda _: False,
        confidence: float = 1.0,
    ) -> list[Turn]:
        """Say this, one sentence after the other, in one conversation; returns what each led to.

        The person says nothing more once they are content with a turn. `confidence`, from 0 to 1, is the recogniser's.
        """
        self._content = content
        first, self._talking = len(self.turns), False
        left = list(sentences)
        person = Person(lambda: self._next_of(left, confidence), answer)
        context = SkillContext(self._body, self._body.observe)
        skills = load_skills()
        self._here = skills["get_robot_location"].bind(context)
        functions = {skill.name: self._noted(skill.name, skill.bind(context)) for skill in skills.values()}
        talk: list[Rehearsed] = []
        recall = Recall(self._memory, self._body.observe, self._here, clock=noon, reader=English())
        before = BeforeTheModel(recall, doubt=lambda question: talk[0].ask_whether_heard(question))
        functions = recall.with_parameters(functions)
        care = MemoryCare(self._memory)
        talk.append(
            Rehearsed(
                person,
                self._model,
                recall,
                self,
                skills.values(),
                functions,
                self._body.observe,
                observer=self,
                care=care,
                understanding=before,
                memory=self._memory if self._model.leads else None,
                keep=self._keep_typed,
                lessons=self._memory.lessons,
            )
        )
        talk[0].run()
        return self.turns[first:]

    def learn(self, history: InteractionHistory, ask: Ask, say: Say) -> str:
        """Note, as a Learner, that it was tried, and learn."""
        return str(self._noted("learn_from_interaction", lambda: self._learner.learn(history, ask, say))())

    # --- what the conversation tells (Observer) ---

    def heard(self, utterance: Utterance) -> None: ...

    def result(self, result: str) -> None:
        meant = Step("wait_for_trigger()", result).meaning
        if meant and self.turns and not self.turns[-1].meaning:
            self.turns[-1].meaning = meant

    def statement(self, statement: str) -> None:
        if self.turns and not statement.startswith("wait_for_trigger"):
            self.turns[-1].statements += 1

    def said(self, text: str) -> None:
        if self.turns:
            self.turns[-1].speech.append(text)

    # --- private ---

    def _next_of(self, sentences: list[str], confidence: float) -> Utterance | None:
        """Return what the person says next, now that the last turn is over; None once they are content."""
        if self.turns:
            self.turns[-1].after = self._places()
            self.turns[-1].doors = self._doors()
            self.after_turn(self.turns[-1])
            if self._talking and self._content(self.turns[-1]):
                return None
        if not sentences:
            return None
        self.turns.append(Turn(sentences.pop(0), self._places()))
        self._talking = True
        return Utterance(self.turns[-1].utterance, confidence)

    def _places(self) -> dict[str, str | None]:
        return {seen["name"]: seen["location"] for seen in self._body.observe()["objects"]}

    def _doors(self) -> dict[str, bool]:
        return {seen["name"]: seen["door"] != "closed" for seen in self._body.observe()["locations"]}

    def _noted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            start = str(self._here() or "")
            ok = False
            try:
                result = function(*arguments, **named)
                ok = True
                return result
            finally:
                holding = {seen["name"] for seen in self._body.observe()["objects"] if seen["held_by"]}
                noted = Call(name, (*arguments, *named.values()), start, ok, frozenset(holding))
                self.turns[-1].calls.append(noted)

        return call

    def _keep(self, transcript: str, rule: Rule, heard: Sequence[str]) -> object:
        self.turns[-1].kept += 1
        return self._memory.keep_lesson(transcript, rule, "the person", heard)

    def _keep_typed(self, transcript: str, rule: Rule, heard: Sequence[str]) -> object:
        """As a mind that leads keeps a lesson, which counts like the papers' learning from the interaction."""
        return self._noted("learn_from_interaction", lambda: self._keep(transcript, rule, heard))()
