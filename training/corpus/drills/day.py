"""A world drawn at random, and what is said and done in it in one drill ."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from daemon.names import forms, spoken
from training.corpus.dialogues import Turn
from training.corpus.vary import FILLERS, FIRST_NAMES, Pool

THINGS = (5, 13)
"""In a world."""
OPEN, FILLED, PAIRED = 0.25, 0.2, 0.5
"""Share of the doors that stand open, of the sentences that begin with a filler, of the worlds with two of a kind."""
BINS = ("bin", "trash", "trash_can", "waste_bin", "rubbish_bin", "recycling")
BINNED = 0.3
"""Share of the worlds with one of these."""
POLITE = 0.15
"""Share of the orders that begin with a verb (`verbs`) and are put politely (`politely`)."""
STATES = ("dirty", "broken", "empty", "new", "wet", "old", "full", "hot", "open")
SAID: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("said.toml").read_text(encoding="utf-8"))

DESCRIBED: Mapping[str, Sequence[str]] = tomllib.loads(
    Path(__file__).with_name("described.toml").read_text(encoding="utf-8")
)
"""How people speak of a thing without naming it."""


class Unfit(Exception):
    """A world that has no such wish."""


@dataclass
class Day:
    """A world, and what is done in it."""

    chance: random.Random
    world: Mapping[str, Any]
    pool: Pool
    learned: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    expected: dict[str, Any] = field(default_factory=dict)
    reserved: set[str] = field(default_factory=set)
    """Things that a lesson is about: nobody asks for them by the way."""

    # --- what there is ---

    def thing(self, *but: str) -> str:
        lying = [name for name, about in self.world["objects"].items() if about["location"] not in self.people]
        return self.one([name for name in lying if name not in {*but, *self.moved, *self.reserved}])

    def place(self, *but: str) -> str:
        return self.one([name for name in self.places if name not in but])

    def door(self, state: str) -> str:
        return self.one([place["name"] for place in self._described if place.get("door") == state])

    def person(self) -> str:
        return self.one([name for name in self.people if name != "person"])

    def at(self, thing: str) -> str:
        return self.moved.get(thing) or self.origin(thing)

    def origin(self, thing: str) -> str:
        return str(self.world["objects"][thing]["location"])

    def of_a_kind(self) -> tuple[str, str]:
        """A thing, and the kind that it is of, by a single word that is not its name."""
        kinds = {name: str(self.world["objects"][name].get("category", "")) for name in self.world["objects"]}
        name = self.thing(*(name for name, kind in kinds.items() if not kind.isalpha() or kind in spoken(name)))
        return name, kinds[name]

    def pair(self, *, in_order: bool = False) -> tuple[str, str]:
        """The two things of a kind; `in_order`: as they come in the world, else in any order."""
        things = self.world["objects"]
        kinds = [str(about["category"]) for about in things.values() if "category" in about]
        kind = self.one([kind for kind in kinds if kinds.count(kind) == 2])
        one, other = (name for name, about in things.items() if about.get("category") == kind)
        if one in self.moved or other in self.moved:
            raise Unfit
        return (one, other) if in_order or self.chance.random() < 0.5 else (other, one)

    def inside(self, place: str) -> str:
        return "in" if self.has_door(place) else "on"

    def has_door(self, place: str) -> bool:
        return any(other["name"] == place and "door" in other for other in self._described)

    @property
    def places(self) -> list[str]:
        return [place["name"] for place in self._described if place.get("kind") != "person"]

    @property
    def people(self) -> list[str]:
        return [place["name"] for place in self._described if place.get("kind") == "person"]

    @property
    def _described(self) -> list[Mapping[str, Any]]:
        return [place for place in self.world["locations"] if isinstance(place, Mapping)]

    def one(self, names: Sequence[str]) -> str:
        if not names:
            raise Unfit
        return self.chance.choice(names)

    def absent(self) -> str:
        """Return what a thing is called that is not here, nor anything like it."""
        words = {word for name in (*self.world["objects"], *self.places) for word in spoken(name).split()}
        words |= {word for about in self.world["objects"].values() for word in _told(about)}
        away = [name for name, about in self.pool.things.items()
                if not set(spoken(name).split()) & words and not set(_told(about)) & words]  # fmt: skip
        return spoken(self.one(away))

    # --- how it is said ---

    def called(self, name: str) -> str:
        """Return what somebody calls a thing or a place, so that it is clear which one is meant."""
        about = self.world["objects"].get(name, {})
        ways = [spoken(name), spoken(name), *about.get("aliases", ())]
        others = [other for other in (*self.world["objects"], *self.places) if other != name]
        short = forms(name)[-1]
        if not any(short in f" {spoken(other)} " for other in others):
            ways += [short, short]
        kind = str(about.get("category", ""))
        if kind and sum(kind == other.get("category") for other in self.world["objects"].values()) == 1:
            ways.append(kind)
            ways += [f"{state} {kind}" for state, so in about.get("state", {}).items() if so is True]
        way = self.chance.choice(ways)
        article = (
            "" if way.startswith(("the ", "my ")) or "'" in way else self.chance.choice(("the ", "the ", "my ", ""))
        )
        return article + way

    def say(self, templates: Sequence[str], *write: str, speaker: str = "", **names: str) -> None:
        """`names` are told by their own; those that end with "_" are put in as they are."""
        told = {key.rstrip("_"): name if key.endswith("_") else self.called(name) for key, name in names.items()}
        text = self.chance.choice(templates).format(**told)
        if text.split()[0] in SAID["verbs"] and self.chance.random() < POLITE:
            text = f"{self.chance.choice(SAID['politely'])} {text}"
        if self.chance.random() < FILLED:
            text = f"{self.chance.choice(FILLERS)} {text}"
        self.turns.append(Turn(text, "\n".join(write), speaker))

    def there(self, thing: str) -> str:
        return f"say({self.chance.choice(SAID['there']).format(x=spoken(thing))!r})"


def drawn_world(world: Mapping[str, Any], pool: Pool, chance: random.Random) -> dict[str, Any]:
    """The places of a world, other people, other things at other places, other doors."""
    first, *others = world["locations"]
    places = [dict(place) if isinstance(place, Mapping) else {"name": place} for place in others]
    for place in places:
        if place.get("kind") == "person" and place["name"] != "person":
            place["name"] = chance.choice(FIRST_NAMES)
        if "door" in place:
            place["door"] = "open" if chance.random() < OPEN else "closed"
    places = list({place["name"]: place for place in places}.values())
    if chance.random() < BINNED and not any(place["name"] in BINS for place in places):
        places.append({"name": chance.choice(BINS)})
    chance.shuffle(places)
    lie = [place["name"] for place in places if place.get("kind") != "person"] or ["table"]
    names = chance.sample(sorted(pool.things), min(len(pool.things), chance.randint(*THINGS)))
    states: dict[str, dict[str, bool]] = {}
    if chance.random() < PAIRED:
        names += [name for name in _two_of_a_kind(pool, chance) if name not in names]
        states[names[-1]] = {chance.choice(STATES): True}
    objects = {name: {**pool.things[name], "location": chance.choice(lie)} for name in names}
    for name, state in states.items():
        objects[name]["state"] = state
    plain = first if isinstance(first, str) else first["name"]
    robot = {"location": chance.choice([plain, *lie])}
    return {"robot": robot, "locations": [first, *places], "objects": objects}


def _told(about: Mapping[str, Any]) -> list[str]:
    return " ".join([str(about.get("category", "")), *about.get("aliases", ()), *about.get("state", {})]).split()


def _two_of_a_kind(pool: Pool, chance: random.Random) -> list[str]:
    of: dict[str, list[str]] = {}
    for name, about in sorted(pool.things.items()):
        of.setdefault(str(about.get("category", "")), []).append(name)
    return chance.sample(chance.choice([names for kind, names in of.items() if kind and len(names) > 1]), 2)
