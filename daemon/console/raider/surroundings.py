"""What the tools look at: things with distances, states and relations, people, and what the robot holds."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from daemon.lexicon.thing_knowledge import knowledge
from skills.scene import Location, Scene, Thing
from skills.skill import SkillContext

REACH = 1.1
"""Metres at which things count as within reach (RAIDER's evaluation)."""
HANDOVER = 0.5
"""Metres at which a person can take something from the hand."""

SEEN_FROM_THERE = {
    "left_of": ("right_of",),
    "right_of": ("left_of",),
    "on_top_of": ("below",),
    "above": ("below",),
    "below": ("on_top_of", "above"),
    "inside": ("containing",),
    "containing": ("inside",),
    "blocking": ("blocked_by",),
    "blocked_by": ("blocking",),
    "in_front_of": ("behind",),
    "behind": ("in_front_of",),
    "next_to": ("next_to",),
}
"""What the other thing of a relation may say of it."""


@dataclass(frozen=True)
class Item:
    """A thing or a place."""

    name: str
    distance: float = 0.0
    """Metres from the robot."""
    properties: frozenset[str] = frozenset()
    """pickupable, openable, toggleable, sliceable, receptacle."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """For example {"open": True, "dirty": False}."""
    relations: tuple[tuple[str, str], ...] = ()
    """(relation, other thing): ("left_of", "Plate")."""
    category: str = ""
    aliases: tuple[str, ...] = ()
    position: tuple[float, float, float] | None = None
    """Metres, map frame."""


@dataclass(frozen=True)
class Human:
    """Somebody nearby."""

    name: str
    distance: float = 1.0
    hands_free: bool = True
    looking: bool = True
    """At the robot."""
    known: bool = True
    """Recognised as the one of that name."""


@dataclass(frozen=True)
class Surroundings:
    """Everything there is to ask about, at one moment."""

    items: tuple[Item, ...]
    holding: tuple[str, ...] = ()
    hands: int = 1
    reach: float = REACH
    humans: tuple[Human, ...] = ()
    blocked: Mapping[str, str] = field(default_factory=dict)
    """Where the way is not free: destination -> what stands in it."""

    def item(self, name: str) -> Item | None:
        return next((item for item in self.items if item.name == name), None)

    def related(self, relation: str, name: str) -> list[str]:
        """Return what stands in a relation to a thing: related("inside", "Bowl") is what is in the bowl."""
        own = self.item(name)
        inverse = SEEN_FROM_THERE.get(relation, ())
        told_by_it = [other for told, other in (own.relations if own else ()) if told in inverse]
        if relation == "on_top_of":  # a bench stands over what is below it, and does not lie on it
            lying = {item.name for item in self.items if "pickupable" in item.properties}
            told_by_it = [other for other in told_by_it if other in lying]
        told = [item.name for item in self.items if (relation, name) in item.relations]
        return list(dict.fromkeys([*told, *told_by_it]))


Floor = tuple[float, float]
"""x, y in metres, map frame."""


def seen_by(robot: SkillContext) -> Surroundings:
    """Return the surroundings that a robot sees from where it stands."""
    scene, base = Scene.from_observation(robot.observe()), robot.body.state().base
    reach = max((robot.body.manner(hand).reach for hand in scene.hands), default=0.0)
    return of_scene(scene, (base.x, base.y), reach)


def of_scene(scene: Scene, standing: Floor = (0.0, 0.0), reach: float = math.inf) -> Surroundings:
    """Return the surroundings that a scene shows to a robot that stands there.

    `reach`: metres that its hand reaches from there; all there is, where the robot drives. Sides are as the robot sees
    them that stands before them.
    """
    held = tuple(thing.name for thing in scene.objects if thing.held_by)
    things = [_item_of(thing, scene, standing) for thing in scene.objects]
    places = [
        Item(place.name, _metres_to(place, standing), _properties_of(place),
             {**place.state, **({"open": place.door == "open"} if place.door else {})}, (), place.kind, place.aliases)
        for place in scene.locations
        if place.kind != "person"
    ]  # fmt: skip
    humans = tuple(_human_of(place, standing) for place in scene.locations if place.kind == "person" and place.present)
    return Surroundings((*things, *places), held, len(scene.hands), math.inf if scene.drives else reach, humans)


def _metres_to(place: Location, standing: Floor) -> float:
    """Return how far it is to where things are put, or to the handle; to a spot, to where one stands for it."""
    return math.dist((place.surface or place.handle or place.approach)[:2], standing)


BESIDE = 0.6
"""Metres between things of one place that are left and right of each other."""
SIDEWAYS = 0.05
"""Metres to the side that make one."""


def _human_of(person: Location, standing: Floor) -> Human:
    """Return what perception tells of a person; what it does not tell speaks against nothing."""
    told = {key: person.state.get(key) is not False for key in ("hands_free", "looking", "known")}
    return Human(person.name, _metres_to(person, standing), **told)


def _item_of(thing: Thing, scene: Scene, standing: Floor) -> Item:
    inside = _is_container(thing.location, scene) or knowledge().is_any_of(knowledge().deep, thing.location or "")
    relations = [("inside" if inside else "on_top_of", thing.location)] if thing.location else []
    for other in scene.objects:
        beside = other.name != thing.name and other.location == thing.location and not thing.held_by
        if beside and (side := _side(thing, other, scene)):
            relations.append((side, other.name))
    properties = frozenset(["pickupable", *(["receptacle"] if thing.holds else [])])
    distance = 0.0 if thing.held_by else math.dist(thing.position[:2], standing)
    return Item(thing.name, distance, properties, thing.state, tuple(relations), thing.category,
                thing.aliases, thing.position)  # fmt: skip


def _side(thing: Thing, other: Thing, scene: Scene) -> str:
    place = next((place for place in scene.locations if place.name == thing.location), None)
    if place is None or math.dist(thing.position, other.position) > BESIDE:
        return ""
    dx, dy = thing.position[0] - other.position[0], thing.position[1] - other.position[1]
    heading = place.approach[2]
    left = -dx * math.sin(heading) + dy * math.cos(heading)
    return "left_of" if left > SIDEWAYS else "right_of" if left < -SIDEWAYS else ""


def _is_container(place: str, scene: Scene) -> bool:
    return any(known.name == place and known.kind == "container" for known in scene.locations)


def _properties_of(place: Location) -> frozenset[str]:
    openable = {"openable"} if place.door else set()
    return frozenset({"receptacle"} | openable if place.kind != "spot" else openable)
