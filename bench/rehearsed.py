"""One heed without time: the real console, executor, skills and memory, on a body that is only thought of, and a person
who follows a script.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from daemon.config import ConsoleConfig
from daemon.console.conversation import TALK, Conversation, Learner
from daemon.console.executor import Executor
from daemon.console.loop import Console, Retrieval
from daemon.console.prompt import base_prompt
from daemon.llm.model import LanguageModel
from daemon.trigger import TriggerQueue, Utterance
from hw.description import RobotDescription, load_description
from hw.state import Pose2D
from sim.rehearsal import RehearsalGoal, RehearsalRobot
from sim.scene import Scene
from skills.skill import Skill, SkillContext, stubs

DESCRIPTION: RobotDescription = load_description(Path(__file__).parents[1] / "hw" / "robots" / "sim.toml", Path("."))


class Person(TriggerQueue):
    """Says what a script says next, answers questions, and leaves when there is nothing more to say."""

    def __init__(self, speak: Callable[[], str | None], answer: Callable[[str], str | None]) -> None:
        """`speak` gives the next thing to say, `answer` the answer to a question; None ends the conversation."""
        super().__init__()
        self.questions: list[str] = []
        """What the robot asked."""
        self._speak = speak
        self._answer = answer

    def get(self, timeout: float | None = None) -> Utterance | None:
        said = self._speak()
        return Utterance(said) if said is not None else None

    def asked(self, question: str) -> str | None:
        """The answer to a question."""
        self.questions.append(question)
        return self._answer(question)


class Rehearsed:
    """A conversation with a heed in some world; run() has it to its end."""

    def __init__(
        self,
        person: Person,
        model: LanguageModel,
        retrieval: Retrieval,
        learner: Learner,
        skills: Iterable[Skill],
        context: SkillContext,
        config: ConsoleConfig | None = None,
    ) -> None:
        """`skills` are what the model may call besides talking, in `context`."""
        config = config or ConsoleConfig()
        offered = [*skills, *TALK]
        self.speech: list[str] = []
        """What the robot said."""
        self.statements: list[tuple[str, str]] = []
        """Every statement with its result."""
        self._person = person
        self.conversation = Conversation(person, lambda text: None, learner, self, context.observe)
        functions = {skill.name: skill.bind(context) for skill in skills} | self.conversation.bound()
        functions["ask"] = self._ask
        self._executor = Executor(functions, stubs(offered), config.statement_seconds)
        base = base_prompt(offered)
        self.console = Console(config, model, base, self._executor, self.conversation, retrieval)

    def run(self) -> None:
        """Talk until the person has left."""
        try:
            self.console.run()
        finally:
            self._executor.close()

    def transcript(self) -> str:
        """Everything, as on the console."""
        return "".join(f">>> {statement}\n{result}\n" for statement, result in self.statements)

    # --- what an Observer sees ---

    def heard(self, utterance: Utterance) -> None: ...

    def statement(self, statement: str) -> None:
        self.statements.append((statement, ""))

    def result(self, result: str) -> None:
        if self.statements:
            self.statements[-1] = (self.statements[-1][0], result)

    def said(self, text: str) -> None:
        self.speech.append(text)

    def _ask(self, question: str) -> str:
        self.said(str(question))
        answer = self._person.asked(str(question))
        return "" if answer is None else answer


class Walker(RehearsalRobot):
    """A rehearsed robot that notes where it has been."""

    def __init__(self, scene: Scene, description: RobotDescription = DESCRIPTION) -> None:
        super().__init__(scene, description)
        self.visited: list[Pose2D] = [scene.base]

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> RehearsalGoal:
        goal = super().drive_to(x, y, theta, speed)
        self.visited.append(self.scene.base)
        return goal


class NoLessons:
    """A Learner for benches without learning."""

    def learn(self, history: Any, ask: Any, say: Any) -> str:
        return "nothing learned: learning is off"


def skills_but(skills: Iterable[Skill], *names: str) -> Sequence[Skill]:
    """The skills without those of these names."""
    return [skill for skill in skills if skill.name not in names]
