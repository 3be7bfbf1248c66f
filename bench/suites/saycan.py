"""`heed bench saycan`: everyday requests in eight families, carried out by the real console on a symbolic kitchen.

Ahn et al. (2022) collected the instructions; how they are scored follows Baermann et al. (2024, the SayCan part):
each instruction is one conversation, the robot acts until it waits for the next, and then the world must be as the
goal says, with nothing else moved. k = 8 examples are retrieved, questions are answered from the data, and nobody
corrects or teaches, so that full, no-learning and raw-history are the same here.

--method NAME   how the brain is used: bench/baselines has the console with parts left out, and the papers' other ways
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.baselines import open_method
from bench.baselines.method import Method, World
from bench.report import Options, Report, share
from bench.support.rehearsed import Person, Walker, imagine
from sim.scene import Scene
from skills.skill import SkillContext, load_skills

EXAMPLES = 8
"""k of the protocol."""
NO_PREFERENCE = "I do not mind, you choose."
"""What the person says to a question for which the data has no answer."""

Goal = Mapping[str, Any]
Task = Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """How one instruction ended."""

    id: str
    family: str
    success: bool
    questions: int
    transcript: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--show", action="store_true", help="show the transcripts of what failed")


def run(options: Options) -> Report:
    """Carry out every instruction of the file. Figures: success per family and of all, and questions asked."""
    data = options.read()
    with open_method(options, EXAMPLES) as (method, brain):
        runs = [run_task(task, data["world"], method) for task in options.progress(data["tasks"])]
    for failed in runs:
        if not failed.success and getattr(options.own, "show", False):
            options.note(f"\n--- {failed.id} failed ---\n{failed.transcript}")
    families = dict.fromkeys(run.family for run in runs)
    figures = {family: share(run.success for run in runs if run.family == family) for family in families}
    figures |= {"all": share(run.success for run in runs), "clarifications": sum(run.questions for run in runs)}
    name = options.data.name if options.data else "-"
    return Report("saycan", len(runs), figures, brain, options.method, name)


def run_task(task: Task, kitchen: Task, method: Method) -> Run:
    """One instruction in a fresh kitchen."""
    scene = Scene.from_description(describe(task, kitchen))
    before = scene.copy()
    robot = Walker(scene)
    context = SkillContext(robot, robot.observe)
    script = iter([task["instruction"]])
    answer = task.get("answer") or task["goal"].get("answer") or NO_PREFERENCE
    person = Person(lambda: next(script, None), lambda question: answer)
    agent = method.agent(person, World(list(load_skills().values()), context, imagine))
    try:
        agent.run()
        success = reached(task["goal"], before, robot)
    except Exception as error:  # counted as a failure, as the protocol has it
        agent.notes.said(f"{type(error).__name__}: {error}")
        success = False
    method.ended(agent, success)
    return Run(task["id"], task["family"], success, len(person.questions), agent.notes.transcript())


def describe(task: Task, world: Task) -> dict[str, Any]:
    """The task's kitchen in the terms of sim.scene: names alone, no categories."""
    containers = task.get("containers", {})
    names = [*world["locations"], *(name for name in containers if name not in world["locations"])]
    aliases = world.get("location_aliases", {})
    locations = [
        {"name": name, "aliases": aliases.get(name, [])} | ({"door": containers[name]} if name in containers else {})
        for name in names
    ]
    objects = {name: {"location": place} for name, place in task["objects"].items()}
    if task.get("in_hand"):
        objects[task["in_hand"]] = {"held_by": "right"}
    for name, entry in objects.items():
        entry["aliases"] = world.get("object_aliases", {}).get(name, [])
    return {"locations": locations, "objects": objects, "robot": {"location": task["robot_at"]}}


def reached(goal: Goal, before: Scene, robot: Walker) -> bool:
    """Return whether the world is now as the goal says; its language is explained in the data file."""
    scene = robot.scene
    for word, wanted in goal.items():
        if word == "all":
            good = all(reached(part, before, robot) for part in wanted)
        elif word == "any":
            good = any(reached(part, before, robot) for part in wanted)
        else:
            good = word in _FOR_PEOPLE or _CHECKS[word](wanted, before, robot, scene)
        if not good:
            return False
    return True


def _at(wanted: Sequence[str], before: Scene, robot: Walker, scene: Scene) -> bool:
    name, place = wanted
    return scene.thing(name).location == place


def _held(wanted: str, before: Scene, robot: Walker, scene: Scene) -> bool:
    return scene.thing(wanted).held_by is not None


def _robot_at(wanted: str, before: Scene, robot: Walker, scene: Scene) -> bool:
    return scene.base == scene.location(wanted).approach


def _visited(wanted: Sequence[str], before: Scene, robot: Walker, scene: Scene) -> bool:
    return all(scene.location(name).approach in robot.visited for name in wanted)


def _unmoved(wanted: Sequence[str], before: Scene, robot: Walker, scene: Scene) -> bool:
    return all(scene.thing(name).location == before.thing(name).location for name in wanted)


def _kinds(wanted: Mapping[str, Any], before: Scene, robot: Walker, scene: Scene) -> bool:
    there = [kind for kind in wanted["kinds"] if any(scene.thing(name).location == wanted["loc"] for name in kind)]
    return len(there) == wanted["exactly"]


def _closed(wanted: str | Sequence[str], before: Scene, robot: Walker, scene: Scene) -> bool:
    return not any(scene.is_open(name) for name in ([wanted] if isinstance(wanted, str) else wanted))


_FOR_PEOPLE = ("ambiguous", "answer", "preferred")
"""Words of the goal language that explain, and check nothing."""
_CHECKS: dict[str, Callable[[Any, Scene, Walker, Scene], bool]] = {
    "at": _at,
    "held": _held,
    "robot_at": _robot_at,
    "visited": _visited,
    "unmoved": _unmoved,
    "count_kinds_at": _kinds,
    "closed": _closed,
}
