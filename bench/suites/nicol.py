"""`heed bench nicol`: five tasks by voice: alone, one after the other, interrupted halfway and resumed, and killed.

NICOL's memory paper (2024) has a robot sort, arrange, point, hand over and stack. `success`: every required action was
done, none wrong, none twice; `task_retention`: asked afterwards, it names the task's state; `environment_retention`: it
names what is left on the table. Consecutive: all five in one conversation. Intervened: each is interrupted by voice at
half of its actions, all five in turn, then each is resumed. Killed, which the paper lacks: kill -9 with an action under
way; a new process asks whether to go on. Suffix `.no_memory`: the same with a log that forgets at every interruption.
--method by-model: code reads no task; a language model is the coordinator, which decides on each action, and the same
or that of --worker FILE.gguf is the worker, which tells what matters. `killed` is left out then.
"""

import argparse
import contextlib
import dataclasses
import json
import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.mind.brain import needs_language_model, open_brain
from bench.report import BenchError, Options, Report, share
from bench.support.conversation_diary import outcome, write
from bench.support.rehearsed import DESCRIPTION
from daemon.console.tasks import Tasks
from daemon.imitation import English
from daemon.imitation.english.task_talk.task_requests import statements_about_tasks
from daemon.lexicon.thing_knowledge import spoken_name
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import LanguageModel
from daemon.memory.memory_file import open_database, transaction
from daemon.memory.task_book import TaskBook
from hw.state import Pose2D
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, load_skills

MODES = ("standalone", "consecutive", "intervened", "killed")
BY_MODEL = "by-model"
METHODS = ("full", "no-memory", BY_MODEL)
PLACES = ("table", "box 1", "box 2", "bowl", "tower", "person")
WORDS_FOR_ACTIONS = {
    "move_to_box_1": ("put", "box 1"),
    "move_to_box_2": ("put", "box 2"),
    "put_on_tower": ("put", "tower"),
    "place_in_bowl": ("put", "bowl"),
    "give": ("give", "person"),
    "point": ("point", ""),
}
TOLD_AS = {"given": "gave", "pointed": "pointed"}
"""States of a task that are no places, and how an answer begins that tells of them."""
Task = Mapping[str, Any]
Done = tuple[str, str, str]
"""(action, thing, target)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The second model."""
    parser.add_argument("--worker", default="", help="with --method by-model: FILE.gguf that reads for the brain")


def run(options: Options) -> Report:
    """Every task in every mode, with memory and without."""
    if options.method not in METHODS:
        raise BenchError(f"there is no method {options.method!r} here; use {', '.join(METHODS)}")
    data = options.read()
    modes: Sequence[str] = MODES
    with ExitStack() as opened:
        models: list[LanguageModel] = []
        if options.method == BY_MODEL:
            modes = MODES[:-1]
            needs_language_model(options)
            named = (options.brain, *([f"llama:{options.own.worker}"] if options.own.worker else []))
            for brain in named:
                models.append(open_brain(dataclasses.replace(options, brain=brain), MiniLmEmbedder()))
                opened.callback(models[-1].close)
        figures = _measure(options, data, modes, models)
    brain = " and ".join(model.name for model in models) or "-"
    name = options.data.name if options.data else "-"
    return Report("nicol", len(data["tasks"]) * len(modes), figures, brain, options.method, name)


def _measure(
    options: Options, data: Mapping[str, Any], modes: Sequence[str], models: Sequence[LanguageModel]
) -> dict[str, float | int | None]:
    figures: dict[str, float | int | None] = {}
    for memory in (False,) if options.method == "no-memory" else (True, False):
        for mode in options.progress(modes):
            with tempfile.TemporaryDirectory() as folder:
                outcomes = _MODES[mode](data, Path(folder), Memory(memory, models))
            for name in ("success", "task_retention", "environment_retention"):
                suffix = "" if memory else ".no_memory"
                figures[f"{mode}.{name}{suffix}"] = share(getattr(outcome, name) for outcome in outcomes)
    return figures


@dataclass(frozen=True)
class Memory:
    """Kinds of memory: is anything kept, and who leads? The first model, and the last reads; else code."""

    kept: bool
    models: Sequence[LanguageModel] = ()


@dataclass(frozen=True)
class Outcome:
    """How one task ended."""

    success: bool
    task_retention: bool
    environment_retention: bool


@dataclass
class Table:
    """The world of one task: a body, and what it did, in a file that outlives the robot's process."""

    task: Task
    file: Path
    after_skill: Callable[[str], None] = lambda name: None
    done: list[Done] = field(default_factory=list)
    skills: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file.exists():
            seen = json.loads(self.file.read_text())
            self.done = [tuple(done) for done in seen["done"]]
            scene = Scene.from_observation(seen["observation"], Pose2D(*seen["base"]))
        else:
            scene = Scene.from_description(_described(self.task))
        self.robot = RehearsalRobot(scene, DESCRIPTION)
        context = SkillContext(self.robot, self.robot.observe)
        self.skills = {name: self._noted(name, skill.bind(context)) for name, skill in load_skills().items()}

    def _noted(self, name: str, skill: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = skill(*arguments)
            if name in _EFFECTS:
                self.done.append(_EFFECTS[name](*arguments))
                write(f">>> {name}{arguments}")
            base = self.robot.scene.base
            seen = {"observation": self.robot.observe(), "base": [base.x, base.y, base.theta], "done": self.done}
            self.file.write_text(json.dumps(seen))
            self.after_skill(name)
            return result

        return call


_EFFECTS: dict[str, Callable[..., Done]] = {
    "place": lambda thing, place: ("put", thing, place),
    "handover": lambda thing: ("give", thing, "person"),
    "point_at": lambda thing: ("point", thing, ""),
}


class Heed:
    """Heed's tasks before one table after the other, and a person who speaks."""

    def __init__(self, file: Path, data: Mapping[str, Any], memory: Memory) -> None:
        self.book = TaskBook(file)
        self._file = file
        self.speech: list[str] = []
        self._memory = memory
        self._stop_after: int | None = None
        self._table: Table
        english = English()
        for task in data["tasks"]:
            self.book.define(task["id"], _in_our_words(task, task["spec"]))
        self.tasks = Tasks(
            self.book,
            lambda: self._table.robot.observe(),
            _Skills(self),
            self._is_interrupted,
            coordinators=lambda: memory.models[:1],
            workers=lambda: memory.models[-1:],
            reader=None if memory.models else english,
            answer=english.answer,
        )

    def sit(self, table: Table) -> None:
        """Set up what the robot stands before now."""
        self._table = table
        if not self._memory.kept:
            self.forget_runs()

    def forget_runs(self) -> None:
        """Forget everything that was done for any task; what the tasks are stays known."""
        with contextlib.closing(open_database(self._file)) as database, transaction(database):
            database.execute("DELETE FROM task_run")

    @property
    def skills(self) -> Mapping[str, Callable[..., Any]]:
        return self._table.skills

    def hear(self, text: str, stop_after: int | None = None) -> str:
        """Do what is said; the person interrupts after so many actions. Returns what is said last."""
        self._stop_after = stop_after
        said = ""
        with outcome(self._table.robot.observe):
            for statement in statements_about_tasks(text, self.tasks) or []:
                said = str(eval(statement, {"say": lambda words: words} | self.tasks.functions()))
            self.speech.append(said)
            write(f"heard: {text}")
            write(f"says: {said}")
        return said

    def _is_interrupted(self) -> bool:
        return self._stop_after is not None and len(self._table.done) >= self._stop_after


class _Skills(dict[str, Callable[..., Any]]):
    """The skills of the table that is sat before."""

    def __init__(self, heed: Heed) -> None:
        super().__init__()
        self._heed = heed

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return self._heed.skills[name]


def _standalone(data: Any, folder: Path, memory: Memory) -> list[Outcome]:
    outcomes = []
    for task in data["tasks"]:
        heed = Heed(folder / f"{task['id']}.sqlite", data, memory)
        table = Table(task, folder / f"{task['id']}.json")
        heed.sit(table)
        heed.hear(data["voice_script"]["start"][task["id"]])
        outcomes.append(_judged(heed, table, data))
    return outcomes


def _consecutive(data: Any, folder: Path, memory: Memory) -> list[Outcome]:
    heed = Heed(folder / "memory.sqlite", data, memory)
    outcomes = []
    for task in data["tasks"]:
        table = Table(task, folder / f"{task['id']}.json")
        heed.sit(table)
        heed.hear(data["voice_script"]["start"][task["id"]])
        outcomes.append(_judged(heed, table, data))
    return outcomes


def _intervened(data: Any, folder: Path, memory: Memory) -> list[Outcome]:
    heed = Heed(folder / "memory.sqlite", data, memory)
    tables = {task["id"]: Table(task, folder / f"{task['id']}.json") for task in data["tasks"]}
    script = data["voice_script"]
    for index, (name, table) in enumerate(tables.items()):
        heed.sit(table)
        start = script["start"][name]
        said = start if index == 0 else script["interrupt"].replace("{next task start}", start)
        heed.hear(said, table.task["interrupt_after_actions"])
    outcomes = []
    for name, table in tables.items():
        heed.sit(table)
        heed.hear(script["resume"].replace("{task}", name))
        outcomes.append(_judged(heed, table, data))
    return outcomes


def _killed(data: Any, folder: Path, memory: Memory) -> list[Outcome]:
    outcomes = []
    for index, task in enumerate(data["tasks"]):
        process = multiprocessing.get_context("spawn").Process(target=_until_killed, args=(data, folder, memory, index))
        process.start()
        process.join()
        if process.exitcode not in (0, -signal.SIGKILL):  # 0: it did too little for that
            raise BenchError(f"the robot's process was to be killed, but ended with {process.exitcode}")
        heed = Heed(folder / f"{task['id']}.sqlite", data, Memory(kept=True))
        table = Table(task, folder / f"{task['id']}.json")
        if not memory.kept:
            heed.forget_runs()
        heed.sit(table)
        asked = heed.tasks.left_over()
        heed.hear("yes, go on" if asked else data["voice_script"]["resume"].replace("{task}", task["id"]))
        outcomes.append(_judged(heed, table, data))
    return outcomes


def _until_killed(data: Any, folder: Path, memory: Memory, index: int) -> None:
    """Carry out a task until the power goes, in the middle of the action after half of them."""
    task = data["tasks"][index]
    heed = Heed(folder / f"{task['id']}.sqlite", data, memory)

    def after_skill(name: str) -> None:
        moment = ("grasp",) if index % 2 and "point" not in task["actions"] else ("grasp", "move_to")
        if name in moment and len(table.done) == task["interrupt_after_actions"]:
            os.kill(os.getpid(), signal.SIGKILL)

    table = Table(task, folder / f"{task['id']}.json", after_skill)
    heed.sit(table)
    heed.hear(data["voice_script"]["start"][task["id"]])


_MODES: dict[str, Callable[[Any, Path, Memory], list[Outcome]]] = {
    "standalone": _standalone,
    "consecutive": _consecutive,
    "intervened": _intervened,
    "killed": _killed,
}


def _judged(heed: Heed, table: Table, data: Mapping[str, Any]) -> Outcome:
    task = table.task
    questions = data["voice_script"]["retention_questions"][task["id"]]
    state, left = (heed.hear(question) for question in questions)
    names = [_name(task, thing) for thing in task["objects"]]
    expected = [_name(task, thing) for thing in task["environment_state"]]
    return Outcome(
        _as_required(table),
        _tells(state, task["task_state"], task, names),
        set(_mentioned(left, names)) == set(expected),
    )


def _as_required(table: Table) -> bool:
    """Return whether each required action was done once, in order where that matters, and nothing else."""
    task, done = table.task, list(table.done)
    for stage in task.get("expected_order") or [task["expected"]]:
        wanted = [
            (action, _name(task, thing), target)
            for name, things in stage.items()
            for action, target in [WORDS_FOR_ACTIONS[name]]
            for thing in things
        ]
        if sorted(done[: len(wanted)]) != sorted(wanted):
            return False
        done = done[len(wanted) :]
    return not done


def _tells(answer: str, state: Mapping[str, Sequence[str]], task: Task, names: Sequence[str]) -> bool:
    """Return whether an answer names exactly what is in each place, place by place."""
    sentences = [sentence for sentence in answer.split(". ") if sentence]
    for place, things in state.items():
        about = [sentence for sentence in sentences if TOLD_AS.get(place, place) in sentence.partition(":")[0]]
        about = about or sentences
        if set(_mentioned(about[0] if about else "", names)) != {_name(task, thing) for thing in things}:
            return False
    return True


def _mentioned(text: str, names: Sequence[str]) -> list[str]:
    words = spoken_name(text.partition(":")[2] or text).replace(",", " ").replace(".", " ").replace(":", " ")
    return [name for name in names if f" {spoken_name(name)} " in f" {words} "]


def _described(task: Task) -> dict[str, Any]:
    """The world of a task for sim.scene: everything on the table, colours as states."""
    colours = task.get("colours_for_our_world", {})
    objects = {
        _name(task, thing): {"location": "table"} | ({"state": {"colour": colours[thing]}} if thing in colours else {})
        for thing in task["objects"]
    }
    places = [place for place in PLACES if place not in objects]
    kinds = {"table": "surface", "person": "person"}
    return {
        "locations": [{"name": place, "kind": kinds.get(place, "container")} for place in places],
        "objects": objects,
        "robot": {"location": "table"},
    }


def _name(task: Task, thing: str) -> str:
    return str(task.get("object_names_for_our_world", {}).get(thing, thing))


def _in_our_words(task: Task, text: str) -> str:
    for thing, name in task.get("object_names_for_our_world", {}).items():
        text = text.replace(thing, name)
    return text
