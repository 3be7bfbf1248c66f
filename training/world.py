"""A simulated world, and the console in it: what a statement returns is what the robot's skills really returned.

Not imitated: the reach of the arms. A hand is at once where it is sent, since in worlds that are laid out by names
everything is within reach; that saves nine tenths of the time, and a test holds the transcripts against the real thing.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from daemon.transcript import Step
from hw.description import RobotDescription, load_description
from hw.state import TipPose
from sim.rehearsal import RehearsalGoal, RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, SkillError, load_skills
from training import words

BODY: RobotDescription = load_description(Path(__file__).parents[1] / "hw" / "robots" / "sim.toml", Path("."))
HINT = re.compile(r"Hint: (\w+\([^()]+\))")
HELD = " hand"
"""The end of the location of something that is held."""


class Hands(RehearsalRobot):
    """A rehearsed robot whose hands are at once where they are sent."""

    def move_tip(self, arm: str, x: float, y: float, z: float, pitch: float = 0.0, speed: float = 1.0) -> RehearsalGoal:
        self.scene.set_tip(arm, TipPose(x, y, z))
        return RehearsalGoal()


@dataclass
class World:
    """Things and places by name, as drawn; `console()` lets a robot act in it."""

    description: dict[str, Any]
    """For sim.scene.Scene.from_description."""
    things: list[str]
    places: list[str]
    """Without the person."""
    containers: list[str]
    bin: str
    """The name of where waste goes; "" where there is none."""

    def console(self) -> "Console":
        return Console(Scene.from_description(self.description))

    def category(self, name: str) -> str:
        return str(self.description["objects"][name].get("category", "thing"))

    def aliases(self, name: str) -> list[str]:
        """What people also call a thing or place here."""
        entries = [*self.description["locations"], {"name": name, **self.description["objects"].get(name, {})}]
        return [alias for entry in entries if entry["name"] == name for alias in entry.get("aliases", [])]


@dataclass
class Console:
    """Runs statements in a scene and writes them down."""

    scene: Scene
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        body = Hands(self.scene, BODY)
        self.observe = body.observe
        context = SkillContext(body, self.observe)
        self._names: dict[str, Any] = {name: skill.bind(context) for name, skill in _skills().items()}
        self._names |= {name: lambda *_: None for name in ("say",)} | _care()

    def hear(self, text: str, comments: Sequence[str] = ()) -> None:
        """A person says this; `comments` are the lines below it."""
        heard = repr({"type": "dialog", "text": text})
        self.steps.append(Step("wait_for_trigger()", "\n".join([heard, *comments])))

    def ask(self, question: str, answer: str) -> None:
        """Ask the person, who answers."""
        self.steps.append(Step(f"ask({question!r})", repr(answer)))

    def do(self, statement: str) -> str:
        """Run a statement; returns what the console prints."""
        result = self.evaluate(statement)
        self.steps.append(Step(statement, result))
        return result

    def evaluate(self, statement: str) -> str:
        """What a statement comes to: a repr, "" for nothing, or an error line."""
        try:
            value = eval(statement, {"__builtins__": {}, **self._names})
        except SkillError as error:
            return f"RuntimeError: {error}"
        return "" if value is None else repr(value)

    def attempt(self, statement: str) -> bool:
        """Run a statement; where it fails, do what the hint says and try again, else say why it cannot be done."""
        for _ in range(3):
            result = self.do(statement)
            if not result.startswith("RuntimeError"):
                return True
            hint = HINT.search(result)
            if hint is None or hint[1] == statement:
                break
            if self.do(hint[1]).startswith("RuntimeError"):
                break
        self.say(f"I could not do that: {self.reason()}.")
        return False

    def reason(self) -> str:
        """Why the last statement failed."""
        return re.sub(r"^\w+: |\.? Hint: .*$", "", self.steps[-1].result)

    def say(self, text: str) -> None:
        self.do(f"say({text!r})")

    def where(self, name: str) -> str:
        """Where a thing is, as list_objects() tells it."""
        thing = self.scene.thing(name)
        return f"{thing.held_by}{HELD}" if thing.held_by else str(thing.location)

    def held(self) -> list[str]:
        return [thing.name for thing in self.scene.things() if thing.held_by]


def draw_world(dice: random.Random, unseen: bool = False, strange: float | None = None) -> World:
    """A world with three to eight things in four to nine places, a person among them.

    `strange` is the share of made-up names, drawn too where it is None; with `unseen`, half of the other names are
    held-out ones.
    """
    strange = dice.choice((0.0, 0.15, 0.5, 1.0)) if strange is None else strange
    containers = _distinct(dice.randint(0, 2), lambda: words.place(dice, strange, True, unseen and dice.random() < 0.5))
    places = _distinct(dice.randint(2, 5), lambda: words.place(dice, strange, False, unseen and dice.random() < 0.5))
    places = [name for name in places if name not in containers]
    waste = dice.choice(words.BINS) if dice.random() < 0.8 else ""
    kinds = dict(_distinct(dice.randint(3, 7), lambda: words.thing(dice, strange, unseen and dice.random() < 0.5)))
    if dice.random() < 0.2:
        kinds = _with_twins(dice, kinds)
    plain = dice.random() < 0.4
    locations: list[dict[str, Any]] = [{"name": name} for name in places]
    locations += [
        {"name": name, "kind": "container", "door": "open" if dice.random() < 0.3 else "closed"} for name in containers
    ]
    locations += [{"name": waste}] if waste else []
    dice.shuffle(locations)
    locations.append({"name": "person", "kind": "person"})
    objects = {
        name: {"location": dice.choice([*places, *places, *containers])} | ({} if plain else {"category": category})
        for name, category in kinds.items()
        if name not in (*places, *containers)
    }
    if dice.random() < 0.4:
        _add_aliases(dice, locations, objects)
    if dice.random() < 0.1:
        held = dice.choice(list(objects))
        objects[held] = {**objects[held], "held_by": dice.choice(("left", "right"))}
        del objects[held]["location"]
    start = dice.choice([*places, "person"])
    description = {"locations": locations, "objects": objects, "robot": {"location": start}}
    everywhere = [*places, *containers, *([waste] if waste else [])]
    return World(description, list(objects), everywhere, containers, waste)


def _with_twins(dice: random.Random, kinds: dict[str, str]) -> dict[str, str]:
    """The first thing is there twice: "red_cup", "blue_cup"."""
    (name, category), *others = kinds.items()
    noun = name.rpartition("_")[2]
    twins = [f"{adjective}_{noun}" for adjective in dice.sample(words.ADJECTIVES, 2)]
    return dict.fromkeys(twins, category) | dict(others)


def _add_aliases(dice: random.Random, locations: list[dict[str, Any]], objects: dict[str, dict[str, Any]]) -> None:
    """One to six of them have another name, too; the person usually has."""
    entries = [*locations, *objects.values()]
    taken = {entry["name"] for entry in locations} | set(objects)
    for entry in dice.sample(entries, min(len(entries), dice.randint(1, 5))):
        alias = _alias(dice, entry.get("name", ""))
        if alias.replace(" ", "_") not in taken:
            entry["aliases"] = [alias]
    if dice.random() < 0.5:
        locations[-1]["aliases"] = dice.sample(["me", "human", "operator", "user", "you"], dice.randint(1, 3))


def _alias(dice: random.Random, name: str) -> str:
    other = words.made_up(dice) if dice.random() < 0.5 else words.thing(dice, 0.0)[0].replace("_", " ")
    return f"{dice.choice(words.ADJECTIVES)} {name.replace('_', ' ')}" if name and dice.random() < 0.4 else other


def _distinct(count: int, draw: Callable[[], Any]) -> list[Any]:
    found: list[Any] = []
    while len(found) < count:
        one = draw()
        if one not in found:
            found.append(one)
    return found


@cache
def _skills() -> dict[str, Any]:
    return load_skills()


def _care() -> dict[str, Callable[..., Any]]:
    """What the conversation offers beside the skills; spoken at once, so that only that it was called matters."""
    told = ("recount", "explain", "list_lessons", "forget_lesson", "undo_lesson", "tidy_memory")
    return {name: lambda *_: "" for name in told} | {"learn_from_interaction": lambda: "learned"}
