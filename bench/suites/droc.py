"""`heed bench droc`: how many corrections a person needs for a second task, after the first one taught something.

The pairs of tasks of DROC (Zha et al. 2024) at the level of plans: in the first task the person says their correction
where the outcome is not theirs; in the second, what was learned should make it unnecessary. Counted are the
corrections until the second task is as wanted (at most three), with what was learned, without it, and with the first
task stored as it went. Whether a correction is about the plan or a motion, and to what it refers, is classified by
its words alone.

Visual retrieval: of two drawers with different handles, and of a cup upright and flipped, the one that looks alike is
retrieved for a new picture, drawn in the colour that the other one had. With the image encoder in models/vision/, else
with heed's own descriptor; heed's own descriptor was made while looking at such pictures.

Not measured on this body: what needs heating or slicing (those pairs are left out of the corrections).
"""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.mind.brain import open_brain
from bench.report import Options, Report, share
from bench.suites.household import RawHistory
from bench.support.correction_kinds import Level, level_of, refers_to
from bench.support.drawn_cups import COLOURS, SHAPES, draw
from bench.support.household_kinds import kind_of
from bench.support.look_vectors import ImageEncoder, most_alike, open_encoder
from bench.support.taught_rehearsal import Robot, Turn
from daemon.config import MemoryConfig
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import LanguageModel
from daemon.memory.store import Memory

MOST_CORRECTIONS = 3
MEASURABLE = {"in", "same_container"}
PICTURES = 25
"""Of each kind of thing, in each of its two shapes."""
LEVELS = {"plan": Level.PLAN, "skill": Level.SKILL}


def run(options: Options) -> Report:
    """Measure every pair that this body can do, and classify every example."""
    data = options.read()
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    pairs = [pair for pair in data["plan_level"] if _measurable(pair)]
    counts: dict[str, list[int]] = {"": [], ".no_knowledge": [], ".raw_plans": []}
    for pair in options.progress(pairs):
        for suffix in counts:
            counts[suffix].append(_corrections(pair, model, embedder, suffix))
    model.close()
    figures: dict[str, float | int | None] = {
        f"corrections{suffix}": sum(numbers) / len(numbers) if numbers else None for suffix, numbers in counts.items()
    }
    figures |= _classified(data)
    figures |= {
        "visual_retrieval": _visual(open_encoder(options.config.models_directory)),
        "pairs_measured": len(pairs),
        "pairs": len(data["plan_level"]),
    }
    name = options.data.name if options.data else "-"
    return Report("droc", len(data["plan_level"]), figures, options.brain, options.method, name)


def _visual(encoder: ImageEncoder) -> float | None:
    """Return how often the lesson about the thing of the same shape is retrieved, its colour being that of the
    other.
    """
    right = []
    for kind, shapes in SHAPES.items():
        for seed in range(PICTURES):
            chance = np.random.default_rng(seed)
            first, second = (COLOURS[i] for i in chance.permutation(len(COLOURS))[:2])
            known = [
                encoder.encode(draw(kind, shape, colour, chance))
                for shape, colour in zip(shapes, (first, second), strict=True)
            ]
            seen = [draw(kind, shape, colour, chance) for shape, colour in zip(shapes, (second, first), strict=True)]
            right += [most_alike(encoder.encode(picture), known) == number for number, picture in enumerate(seen)]
    return share(right)


def _classified(data: Mapping[str, Any]) -> dict[str, float | None]:
    levels = data["level_examples_from_paper"]
    history = data["history_dependence"]
    dependences = {**history["paper_examples"], **history["authored_examples"]}
    return {
        "level_accuracy": share(level_of(item["correction"]) is LEVELS[item["level"]] for item in levels),
        "dependence_accuracy": share(refers_to(said).value == wanted for said, wanted in dependences.items()),
    }


def _measurable(pair: Mapping[str, Any]) -> bool:
    goals = [*pair["train"]["goal"], *pair["test"]["goal"]]
    return all(set(goal) <= MEASURABLE for goal in goals)


def _corrections(pair: Mapping[str, Any], model: LanguageModel, embedder: MiniLmEmbedder, suffix: str) -> int:
    """Return how many corrections the second task needs."""
    improver, confirm = (RawHistory(), False) if suffix == ".raw_plans" else (None, True)
    corrections = [item["say"] for item in pair["train"]["corrections"]]
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "m.sqlite", embedder, MemoryConfig()) as memory:
        if suffix != ".no_knowledge":
            trained = Robot(describe(pair["train"]), model, memory, improver=improver, confirm=confirm)
            _teach(trained, pair["train"], corrections)
            if suffix == ".raw_plans":
                trained.talk("remember that for next time")
        return _teach(
            Robot(describe(pair["test"]), model, memory, improver=improver, confirm=confirm), pair["test"], corrections
        )


def _teach(robot: Robot, task: Mapping[str, Any], corrections: Sequence[str]) -> int:
    """Ask for the task, and correct until it is as wanted; returns how often."""
    said = [task["instruction"], *corrections, task["instruction"], *corrections][: MOST_CORRECTIONS + 1]

    def content(turn: Turn) -> bool:
        return all(_reached(goal, turn) for goal in task["goal"])

    turns = robot.talk(*said, content=content)
    return len(turns) - 1 if content(turns[-1]) else MOST_CORRECTIONS


def _reached(goal: Mapping[str, Any], turn: Turn) -> bool:
    if "in" in goal:
        thing, container = goal["in"]
        return turn.after.get(thing) == container
    one, other = goal["same_container"]
    return turn.after[one] == turn.after[other] != turn.before[one]


def describe(task: Mapping[str, Any]) -> dict[str, Any]:
    """The scene of a task: its containers with their doors, and where its things are."""
    places: dict[str, dict[str, Any]] = {"room_center": {"name": "room_center", "kind": "spot"}}
    for name, state in task["containers"].items():
        door = {"door": state} if state == "closed" else {}
        places[name] = {"name": name, **door}
    for place in task["objects"].values():
        places.setdefault(place, {"name": place})
    places["person"] = {"name": "person", "kind": "person", "height": 0.75}
    objects = {name: {"category": kind_of(name), "location": place} for name, place in task["objects"].items()}
    return {"locations": list(places.values()), "objects": objects, "robot": {"location": "room_center"}}
