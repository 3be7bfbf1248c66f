"""The whole console on a body that is only thought of: the real loop, executor, skills and memory, without bytes."""

from collections.abc import Callable, Sequence
from pathlib import Path

from daemon.config import ConsoleConfig
from daemon.console.builtins import TALK, Conversation
from daemon.console.executor import Executor
from daemon.console.goals.planner import Planner
from daemon.console.learning.learn_from_interaction import Lessons
from daemon.console.learning.lesson_rehearsal import SceneRehearsal
from daemon.console.learning.memory_calls import TEACHING, Teaching
from daemon.console.learning.memory_care import MemoryCare
from daemon.console.learning.number_trial import Trial
from daemon.console.learning.recall import Recall
from daemon.console.loop import Console
from daemon.console.raider.examination import Examination
from daemon.console.reading import Understanding
from daemon.console.situation import surveyed
from daemon.console.veto import Veto
from daemon.console.waiting_words import Patience
from daemon.console.who_speaks import PersonalLessons
from daemon.imitation import BeforeTheModel, English, LookFirst, RuleImprover
from daemon.llm.model import LanguageModel
from daemon.memory.store import Memory
from daemon.trigger import TriggerQueue, Utterance
from hw.description import load_description
from hw.state import Pose2D
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, load_skills, stubs

ROOT = Path(__file__).parents[2]
DESCRIPTION = load_description(ROOT / "hw" / "robots" / "sim.toml", Path("."))


class Sentences(TriggerQueue):
    """A person who speaks in turn: each sentence is said when somebody listens; then they leave."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences: list[str] = []
        self.confidence = 1.0
        """How sure a recogniser is of them; 1 where they are typed."""
        self.meanwhile: dict[str, Callable[[], object]] = {}
        """What somebody does just before a sentence is said."""

    def get(self, timeout: float | None = None, since: float = 0.0) -> Utterance | None:
        if (waiting := super().get(0, since)) or not self.sentences:
            return waiting
        self.meanwhile.get(self.sentences[0], lambda: None)()
        return Utterance(self.sentences.pop(0), self.confidence)

    def next_errand(self) -> None:
        """No other program wants anything."""


class Seen:
    """An Observer that writes down."""

    def __init__(self) -> None:
        self.speech: list[str] = []
        self.statements: list[str] = []
        self.results: list[str] = []

    def heard(self, utterance: Utterance) -> None: ...

    def statement(self, statement: str) -> None:
        self.statements.append(statement)

    def result(self, result: str) -> None:
        self.results.append(result)

    def said(self, text: str) -> None:
        self.speech.append(text)


class Kitchen:
    """A conversation in the kitchen; hear what people say, see what the robot said and did."""

    def __init__(
        self,
        model: LanguageModel,
        memory: Memory,
        config: ConsoleConfig | None = None,
        scene: Scene | None = None,
        understanding: Understanding | None = None,
        patience: Patience | None = None,
        language: str = "",
        robot: type[RehearsalRobot] = RehearsalRobot,
    ) -> None:
        kitchen = scene or Scene.load(ROOT / "sim" / "scenes" / "kitchen.toml")
        self.robot = robot(kitchen, DESCRIPTION)
        self.triggers = Sentences()
        self.memory = memory
        self.seen = Seen()
        config = config or ConsoleConfig()
        skills = load_skills()
        english = English()
        rehearse = SceneRehearsal(skills.values(), imagine, config, memory, lambda: model, BeforeTheModel, english)
        lessons = Lessons(
            RuleImprover(), rehearse, self._keep, config.confirm_lessons, english, lambda: conversation.ask_who()
        )  # fmt: skip
        self.conversation = conversation = Conversation(
            self.triggers, lambda text: None, lessons, self.seen, self.robot.observe, MemoryCare(memory), english,
            PersonalLessons(memory.lessons, self.robot.observe, english),
        )  # fmt: skip
        context = SkillContext(self.robot, self.robot.observe)
        trial = Trial(skills, imagine, self.robot.observe)
        teaching = Teaching(conversation, self._keep, memory, self.robot.observe, trial, config.confirm_lessons)
        offered = [*skills.values(), *TALK, *TEACHING]
        functions = {skill.name: skill.bind(context) for skill in skills.values()}
        recall = Recall(memory, self.robot.observe, functions["get_robot_location"], reader=english)
        functions = recall.with_parameters(functions)
        veto = Veto(lambda: conversation.history.words, lambda: recall.scene, lambda: recall.here)
        examination = Examination(
            config.look_first, context, lambda: conversation.history, lambda: model, rules=lambda: recall.sentences
        )
        functions = veto.guarded(examination.guarded(functions, skills), skills.values())
        every = functions | conversation.bound() | teaching.functions()
        self.executor = Executor(every, stubs(offered), config.statement_seconds)
        before: Understanding = BeforeTheModel(
            recall, LookFirst(config.look_first, context), doubt=conversation.ask_whether_heard
        )
        self.console = Console(
            config, model, offered, self.executor, conversation, recall, understanding or before, english,
            survey=surveyed(recall, language=language), planner=Planner(recall), patience=patience,
        )  # fmt: skip

    def talk(self, *sentences: str) -> None:
        """Say all this, one after the other, and wait until the robot has nothing left to do."""
        self.triggers.sentences += sentences
        self.console.run()

    def where(self, name: str) -> str | None:
        """The location of an object now."""
        return self.robot.scene.thing(name).location

    def trips_to(self, place: str) -> int:
        return self.seen.statements.count(f"move_to({place!r})")

    def _keep(self, transcript: str, rule: object, heard: Sequence[str]) -> object:
        who = self.conversation.speaker or "tester"
        return self.memory.keep_lesson(transcript, rule, who, heard)  # type: ignore[arg-type]


def imagine(observation: object) -> SkillContext:
    robot = RehearsalRobot(Scene.from_observation(observation, Pose2D()), DESCRIPTION)  # type: ignore[arg-type]
    return SkillContext(robot, robot.observe)
