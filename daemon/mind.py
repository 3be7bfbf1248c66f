"""The mind of one robot: what it can be told to do, the conversation, and the console. The wiring of daemon/console."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import Any

from daemon.brains import Brain
from daemon.config import Config, ConsoleConfig
from daemon.console.as_said import AsSaid
from daemon.console.builtins import TALK, Conversation
from daemon.console.executor import Executor
from daemon.console.goals.planner import Planner
from daemon.console.learning.learn_from_interaction import Keep, Lessons
from daemon.console.learning.lesson_rehearsal import SceneRehearsal
from daemon.console.learning.memory_calls import TEACHING, Teaching
from daemon.console.learning.memory_care import MemoryCare
from daemon.console.learning.model_improver import ModelImprover
from daemon.console.learning.number_trial import Trial
from daemon.console.learning.recall import Recall
from daemon.console.loop import Console
from daemon.console.offers import Offers
from daemon.console.place_functions import PLACES, Places
from daemon.console.raider.examination import Examination
from daemon.console.reminders import REMINDERS, Reminders
from daemon.console.situation import surveyed
from daemon.console.tag_questions import TagQuestions
from daemon.console.tasks import TASKS, Tasks
from daemon.console.veto import Veto
from daemon.console.waiting_words import Patience
from daemon.console.who_speaks import PersonalLessons
from daemon.imitation import BeforeTheModel, English, LookFirst, RuleImprover
from daemon.llm.model import following
from daemon.mcp.outside_tools import OtherTools, tool_names
from daemon.memory.reminder_book import ReminderBook
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.memory.task_book import TaskBook
from daemon.phrasebook import foreign
from daemon.service.announcer import Announcer
from daemon.service.audit import Audit
from daemon.service.body import RobotBody
from daemon.service.hearing import Hearing
from daemon.service.metrics import Metrics
from daemon.service.outside_calls import OutsideCalls
from daemon.service.permission import Permissions
from daemon.trigger import TriggerQueue
from skills.scene import Scene
from skills.skill import Skill, SkillContext, load_skills, stubs

Function = Callable[..., Any]


class Activity:
    """Activity: what is being done and thought for a request; a person, a stop, or who wanted it ends it."""

    def __init__(self, console: Console, executor: Executor, brain: Brain, others: OtherTools, body: RobotBody) -> None:
        self._console = console
        self._executor = executor
        self._brain = brain
        self._others = others
        self._body = body

    def interrupt(self, reason: str) -> None:
        """End the running statement; takes no time."""
        self._others.cancel()
        self._executor.interrupt(reason)

    def end_thought(self, reason: str) -> None:
        """Let whatever is being done or thought end soon; the body does as it would."""
        self._console.cancel(reason)
        self._brain.end_reading()

    def cancel(self, reason: str) -> None:
        """End what is being done; the robot stays ready."""
        self.end_thought(reason)
        self._others.cancel()
        self._body.robot.cancel_all()


@dataclass(frozen=True)
class Mind:
    """What thinks for one robot, and what is told to it."""

    conversation: Conversation
    console: Console
    activity: Activity
    outside: OutsideCalls
    audit: Audit
    tasks: Tasks
    later: Reminders
    tag_questions: TagQuestions
    known: frozenset[str]
    """Names of the functions that a lesson of another robot may call."""
    expected_sentences: Callable[[Scene], Iterable[str]]
    """Return what people are likely to say in front of a scene."""


def build_mind(
    config: Config,
    skills: Mapping[str, Skill],
    others: OtherTools,
    body: RobotBody,
    memory: Memory,
    brain: Brain,
    triggers: TriggerQueue,
    announcer: Announcer,
    hearing: Hearing,
    metrics: Metrics,
    built: ExitStack,
) -> Mind:
    """Return a mind that waits for `triggers`; what has to be closed of it goes onto `built`."""
    english = English()
    conversation = _conversation(config.console, english, triggers, announcer, body, memory, brain)
    audit = Audit(memory, lambda: _last_said(conversation))
    permissions = _permissions(config, skills, conversation, hearing, body)
    robot = SkillContext(
        body, body.observe, lambda seconds: metrics.looked(1, seconds), body.look, body.face, body.trouble, body.labels
    )
    guarded = _guarded(skills, robot, permissions, audit)
    recall = Recall(memory, body.last_seen, guarded["get_robot_location"], reader=english)
    veto = Veto(lambda: conversation.history.words, lambda: recall.scene, guarded["get_robot_location"])
    seen = replace(robot, observe=body.last_seen)
    examination = Examination(
        config.console.look_first, seen, lambda: conversation.history, lambda: brain.model, metrics.looked,
        lambda: recall.sentences,
    )  # fmt: skip
    examined = examination.guarded(recall.with_parameters(guarded), skills)
    functions = veto.guarded(examined, skills.values())
    book = built.enter_context(closing(TaskBook(memory.path)))
    tasks = _tasks(book, english, functions, body, memory, brain, triggers)
    reminded = built.enter_context(closing(ReminderBook(memory.path)))
    later = _later(reminded, english, conversation, body, announcer, triggers, brain)
    teaching = Teaching(
        conversation, _keeping(memory, conversation), memory, body.last_seen,
        Trial(skills, body.imagine, body.last_seen), config.console.confirm_lessons,
    )  # fmt: skip
    places = Places(conversation, body.places, body, config.console.confirm_lessons)
    offered = [*skills.values(), *TALK, *TEACHING, *TASKS, *REMINDERS, *PLACES]
    every = {
        **functions, **conversation.bound(), **teaching.functions(), **tasks.functions(), **later.functions(),
        **places.functions(),
    }  # fmt: skip
    executor = built.enter_context(closing(Executor(every, stubs(offered), config.console.statement_seconds)))
    look_first = LookFirst(config.console.look_first, seen, metrics.looked, lambda: brain.model)
    before = BeforeTheModel(recall, look_first, later, tasks, conversation.ask_whether_heard)
    survey = surveyed(
        recall, tasks.working_memory, later.waiting, announcer.told_lately, foreign(config.speech.language)
    )
    console = Console(
        config.console, brain.model, offered, executor, conversation, recall, before, english,
        tasks.working_memory, survey, Offers(later, AsSaid(english, lambda: bool(later.waiting())), tasks),
        metrics.read, Planner(recall), Patience(announcer.remark, announcer.silence),
    )  # fmt: skip
    activity = Activity(console, executor, brain, others, body)
    outside = OutsideCalls(permissions.marked(skills), functions, triggers, conversation, audit, activity.cancel, body)
    known = frozenset(skill.name for skill in (*skills.values(), *TALK, *TASKS))
    tag_questions = TagQuestions(
        conversation, body.places, body.last_seen, triggers.put_errand, lambda: _is_free(conversation, triggers)
    )
    return Mind(
        conversation, console, activity, outside, audit, tasks, later, tag_questions, known, english.expected_sentences
    )


def _conversation(
    config: ConsoleConfig,
    english: English,
    triggers: TriggerQueue,
    announcer: Announcer,
    body: RobotBody,
    memory: Memory,
    brain: Brain,
) -> Conversation:
    def keep(transcript: str, rule: Rule, heard: Sequence[str]) -> object:
        return _keeping(memory, conversation)(transcript, rule, heard)

    skills = load_skills().values()
    rehearsal = SceneRehearsal(skills, body.imagine, config, memory, lambda: brain.model, BeforeTheModel, english)
    improver = ModelImprover(lambda: brain.model, RuleImprover())
    lessons = Lessons(improver, rehearsal, keep, config.confirm_lessons, english, lambda: conversation.ask_who())
    conversation = Conversation(
        triggers, announcer.speak, lessons, announcer.observer, body.last_seen, MemoryCare(memory), english,
        PersonalLessons(memory.lessons, body.last_seen, english),
    )  # fmt: skip
    return conversation


def _keeping(memory: Memory, conversation: Conversation) -> Keep:
    """Return what keeps a lesson in the name of who speaks."""

    def keep(transcript: str, rule: Rule, heard: Sequence[str]) -> object:
        return memory.keep_lesson(transcript, rule, conversation.speaker or "owner", heard)

    return keep


def _last_said(conversation: Conversation) -> tuple[str, str]:
    """Return who spoke last, and what was said."""
    turn = conversation.history.current_turn
    return conversation.speaker, turn.utterance if turn else ""


def _permissions(
    config: Config, skills: Mapping[str, Skill], conversation: Conversation, hearing: Hearing, body: RobotBody
) -> Permissions:
    return Permissions(
        config.permission,
        [*skills, *tool_names(config.mcp)],
        conversation.ask,
        lambda: conversation.heard_count,
        deaf=lambda: hearing.deaf,
        stopped=lambda: bool(body.state().stopped),
    )


def _guarded(
    skills: Mapping[str, Skill], robot: SkillContext, permissions: Permissions, audit: Audit
) -> dict[str, Function]:
    """Return the functions of all skills: asked about where they need a yes, and written down once they begin."""
    return {
        skill.name: permissions.guarded(skill, audit.watched(skill, skill.bind(robot))) for skill in skills.values()
    }


def _tasks(
    book: TaskBook,
    english: English,
    functions: Mapping[str, Function],
    body: RobotBody,
    memory: Memory,
    brain: Brain,
    triggers: TriggerQueue,
) -> Tasks:
    return Tasks(
        book,
        body.last_seen,
        functions,
        lambda: len(triggers) > 0,
        memory.unfinished_request,
        lambda: following([brain.model]),
        lambda: following([brain.worker, brain.model]),
        english,
        english.answer,
    )


def _later(
    book: ReminderBook,
    english: English,
    conversation: Conversation,
    body: RobotBody,
    announcer: Announcer,
    triggers: TriggerQueue,
    brain: Brain,
) -> Reminders:
    return Reminders(
        book, body.last_seen, triggers.put, announcer.tell, lambda: _is_free(conversation, triggers),
        english.read_when, lambda: brain.model.leads,
    )  # fmt: skip


def _is_free(conversation: Conversation, triggers: TriggerQueue) -> bool:
    """Return whether heed only waits for somebody to speak."""
    return conversation.waiting and not conversation.asking and not len(triggers)
