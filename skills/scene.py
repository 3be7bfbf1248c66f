"""Objects, locations, and what is in which hand: the robot's view of the world, from one observation."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz, process

from skills.skill import Observation, SkillError

HANDS = ("left", "right")
NEAR_ENOUGH = 0.30
"""Metres between the base and a location's approach pose at which the robot counts as being there."""


@dataclass(frozen=True)
class Thing:
    """An object."""

    name: str
    category: str
    location: str
    """A place, or an object that holds it, such as a bowl; nothing while a hand holds it."""
    position: tuple[float, float, float]
    """x, y, z in metres, map frame."""
    held_by: str | None = None
    """"left", "right", or None."""
    visible: bool = True
    aliases: tuple[str, ...] = ()
    state: dict[str, Any] = field(default_factory=dict)
    holds: int = 0
    """How many things can lie in or on it, as in a bowl."""
    mass: float | None = None
    """Kilograms, where known."""
    radius: float = 0.0
    """Metres; of what stands on the floor and is not to be driven over, else 0."""
    width: float = 0.06
    """Metres; as a gripper sees it."""
    present: bool = True
    """Whether it is seen at this moment, or held; what is not is remembered."""
    age: float = 0.0
    """Seconds since it was seen."""
    source: str = ""
    """Who saw it."""
    sigma: float = 0.0
    """Metres: one standard deviation of its position."""


@dataclass(frozen=True)
class Location:
    """A place that the robot can drive to."""

    name: str
    kind: str
    """surface, container, person or spot."""
    approach: tuple[float, float, float]
    """Base pose x, y, theta from which it is reached; metres and radians, map frame."""
    surface: tuple[float, float, float] | None = None
    """A free spot to put things; metres, map frame."""
    door: str | None = None
    """"open", "closed", or None where there is no door."""
    handle: tuple[float, float, float] | None = None
    height: float = 0.7
    """Of what things stand on, metres above the floor."""
    aliases: tuple[str, ...] = ()
    state: dict[str, Any] = field(default_factory=dict)
    """Of a person, as far as perception tells: name, age (years), known (recognised), looking (at us), hands_free."""

    @property
    def present(self) -> bool:
        """Return whether a person is here, as far as perception tells."""
        return self.state.get("present", True) is not False

    def distance(self, x: float, y: float) -> float:
        """Return how far a base at x, y is from where the place is reached: metres, map frame."""
        return math.dist(self.approach[:2], (x, y))


@dataclass(frozen=True)
class Scene:
    """Everything that was seen or is remembered, at one moment."""

    objects: tuple[Thing, ...]
    locations: tuple[Location, ...]
    hands: tuple[str, ...] = HANDS
    """The robot's own."""
    drives: bool = True
    """Whether the robot has a base; without one it is at every place that it reaches."""
    partial: bool = False
    """Whether there may be things that nobody has seen yet."""
    reads_labels: bool = False
    """Whether somebody reads what stands on things."""

    @classmethod
    def from_observation(cls, observation: Observation) -> "Scene":
        return cls(
            tuple(_from_fields(Thing, fields) for fields in observation["objects"]),
            tuple(_from_fields(Location, fields) for fields in observation["locations"]),
            tuple(observation.get("hands", HANDS)),
            observation.get("drives", True),
            observation.get("partial", False),
            observation.get("reads_labels", False),
        )

    @property
    def names(self) -> list[str]:
        """Return every name of a thing, a kind of things, or a place."""
        things = [(thing.name, thing.category, *thing.aliases) for thing in self.objects]
        return [name for names in (*things, *((at.name, *at.aliases) for at in self.locations)) for name in names]

    def object(self, name: str) -> Thing:
        """The object of that name or alias; raises SkillError naming what there is."""
        return _named(name, self.objects, "object", "list_objects()")

    def location(self, name: str) -> Location:
        """The location of that name or alias; raises SkillError naming what there is."""
        return _named(name, self.locations, "location", "list_locations()")

    def target(self, name: str) -> "Location | Thing":
        """Return what things can be put at: the location of that name, else the object; raises SkillError as
        location().
        """
        try:
            return self.location(name)
        except SkillError:
            wanted = _plain(name)
            same = (thing for thing in self.objects if wanted in map(_plain, (thing.name, *thing.aliases)))
            if found := next(same, None):
                return found
            raise

    def person(self, here: Location | None = None) -> Location | None:
        """Return where somebody is: `here`, where the robot stands, when that is a person, else the first one."""
        if here is not None and here.kind == "person":
            return here
        return next((place for place in self.locations if place.kind == "person"), None)

    def contents(self, carrier: Thing) -> list[Thing]:
        """Return what lies in or on an object."""
        return [thing for thing in self.objects if thing.location == carrier.name and not thing.held_by]

    def carriers(self, thing: Thing) -> list[Thing]:
        """The objects that a thing lies in, the innermost first: a bowl, the tray below it."""
        by_name = {other.name: other for other in self.objects}
        found: list[Thing] = []
        while not thing.held_by and thing.location in by_name and len(found) < len(by_name):
            thing = by_name[thing.location]
            found.append(thing)
        return found

    def carrier_in_hand(self, thing: Thing) -> Thing | None:
        """The held object that a thing lies in."""
        return next((carrier for carrier in self.carriers(thing) if carrier.held_by), None)

    def place_of(self, thing: Thing) -> str:
        """The location of a thing, of one in a bowl that of the bowl; "left hand" for what that hand has or carries."""
        outermost = [thing, *self.carriers(thing)][-1]
        return f"{outermost.held_by} hand" if outermost.held_by else outermost.location

    def is_at(self, thing: Thing, place: str) -> bool:
        """Return whether a thing is at a place, or in or on a bowl, a tray and the like.

        A bowl is at itself, and so is what carries it. Raises SkillError as target().
        """
        target = self.target(place)
        if isinstance(target, Thing):
            return target in (thing, *self.carriers(thing)) or thing in self.carriers(target)
        return self.place_of(thing) == target.name

    def in_hand(self, hand: str) -> Thing | None:
        """Return what the hand holds."""
        if hand not in self.hands:
            raise SkillError(f"there is no hand {hand!r}", f"use {' or '.join(map(repr, self.hands))}")
        return next((thing for thing in self.objects if thing.held_by == hand), None)

    def free_hands(self) -> list[str]:
        return [hand for hand in self.hands if self.in_hand(hand) is None]

    def location_at(self, x: float, y: float) -> Location | None:
        """The location whose approach pose is at x, y (metres, map frame); none for a robot without a base."""
        if not self.drives:
            return None
        near = min(self.locations, key=lambda place: place.distance(x, y), default=None)
        return near if near and near.distance(x, y) <= NEAR_ENOUGH else None

    def mentions(self, text: str) -> list[Thing]:
        """The objects that a sentence names, in its order; a category names each of its objects."""
        found: dict[str, tuple[int, Thing]] = {}
        for thing in self.objects:
            positions = [position_of(name, text) for name in (thing.name, *thing.aliases, thing.category)]
            if heard := [p for p in positions if p >= 0]:
                found[thing.name] = (min(heard), thing)
        return [thing for _, thing in sorted(found.values(), key=lambda pair: pair[0])]


def ago(seconds: float) -> str:
    """Return how long ago, in words: "10 minutes ago"."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def spoken(name: str) -> str:
    """Return a name as one says it: "kitchen table" for kitchen_table."""
    return str(name).replace("_", " ")


def position_of(name: str, text: str) -> int:
    """Return where a name stands in a sentence as whole words, singular or plural; -1 if it does not."""
    words = r"\s+".join(re.escape(word) for word in re.split(r"[\s_]+", name.strip()) if word)
    match = re.search(rf"\b{words}(s|es)?\b", text, re.IGNORECASE) if words else None
    return match.start() if match else -1


def named_by(objects: Sequence[str], places: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return what parameters of skills that name something may be called with, by the parameter's name."""
    return {"object": objects, "location": places, "container": places, "hand": HANDS}


def _from_fields(kind: type, fields: dict[str, Any]) -> Any:
    known = {name: _frozen(value) for name, value in fields.items() if name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
    return kind(**known)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _named(name: str, among: Iterable[Any], kind: str, listing: str) -> Any:
    by_name = {_plain(alias): item for item in among for alias in (item.name, *item.aliases)}
    wanted = _plain(name)
    if wanted in by_name:
        return by_name[wanted]
    near = process.extractOne(wanted, list(by_name), scorer=fuzz.ratio, score_cutoff=60)
    advice = (
        f"did you mean {by_name[near[0]].name!r}? {listing} tells all" if near else f"{listing} tells which there are"
    )
    raise SkillError(f"there is no {kind} {name!r}", advice)


def _plain(name: str) -> str:
    return str(name).lower().replace("_", " ").strip()
