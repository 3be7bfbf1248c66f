"""Printed tags on things, places, doors and walls, as the tables of [eyes] have them (docs/eyes.md)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from camera import checked
from camera.lens import Floats

FACING = {"front": 0.0, "left": math.pi / 2, "back": math.pi, "right": -math.pi / 2}
"""Where a tag on the side of a thing looks, radians from the thing's front; "up" is besides."""
UP = "up"
WALL = "the wall"
KINDS = ("surface", "container")
"""Of what is no thing but a place: things are put onto it, or into it."""
BEFORE = 0.2
"""Metres before a place's origin, for the "grip" of a place: what is unsure of its front is unsure of that point."""
_TAG_KEYS = ("id", "size", "on", "class", "kind", "at", "facing", "grip")
_DOOR_KEYS = ("id", "size", "of", "at", "handle")
_WALL_KEYS = ("id", "size", "at", "facing")


@dataclass(frozen=True)
class Tag:
    """One printed tag on a thing, or on a wall: then what is called the thing's frame is the map."""

    id: int
    size: float
    """Metres of the black square's side."""
    on: str
    """Name of the thing or place, or WALL."""
    at: tuple[float, float, float]
    """Its middle in the thing's frame, metres: z up from what the thing stands on, x to its front, y to its left."""
    facing: str | float = "front"
    """A word of FACING, radians from the front anticlockwise, or UP: it lies flat, its top towards the thing's back."""
    grip: float | None = None
    """Metres above what the thing stands on at which a hand takes it."""
    category: str = ""
    kind: str = ""
    """One of KINDS where it is on a place: its frame begins where things are put, its front is to the robot."""

    @cached_property
    def corners(self) -> Floats:
        """Corners of the black square in the thing's frame, (4, 3) metres, in the order of eyes.tags."""
        if self.facing == UP:
            right, down = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
        else:
            angle = FACING[self.facing] if isinstance(self.facing, str) else self.facing
            right, down = np.array([-math.sin(angle), math.cos(angle), 0.0]), np.array([0.0, 0.0, -1.0])
        half = self.size / 2
        square = ((-half, -half), (half, -half), (half, half), (-half, half))
        return np.array([np.array(self.at) + x * right + y * down for x, y in square])


@dataclass(frozen=True)
class TaggedThing:
    """A thing that stands upright and carries tags, or a place that does."""

    name: str
    category: str
    tags: tuple[Tag, ...]
    grip: tuple[float, float, float]
    """Where a hand takes it, in its frame; metres."""
    kind: str = ""
    """"" for a thing, one of KINDS for a place."""


@dataclass(frozen=True)
class TaggedDoor:
    """The leaf of a door, or the front of a drawer, with a tag on it."""

    place: str
    """That it closes."""
    leaf: TaggedThing
    """Its frame begins in the middle of the tag, x out of the leaf; its grip is the handle."""
    closed: tuple[float, float, float]
    """Where the middle of the tag is while it is closed; metres, map frame."""


def describe_things(entries: Sequence[Any]) -> tuple[TaggedThing, ...]:
    """Read [[eyes.tag]]. Raises ValueError also where two words about one thing differ."""
    by_name: dict[str, list[Tag]] = {}
    for tag in map(_tag, entries):
        by_name.setdefault(tag.on, []).append(tag)
    return tuple(_thing(name, carried) for name, carried in by_name.items())


def describe_doors(entries: Sequence[Any]) -> tuple[TaggedDoor, ...]:
    """Read [[eyes.door]]. Raises ValueError."""
    return tuple(map(_door, entries))


def describe_walls(entries: Sequence[Any]) -> tuple[Tag, ...]:
    """Read [[eyes.wall]]: tags that hang upright at known places, in the map frame. Raises ValueError."""
    return tuple(map(_wall_tag, entries))


def check_used_once(tags: Iterable[Tag]) -> None:
    """Raise ValueError for an id that is used twice."""
    places: dict[int, str] = {}
    for tag in tags:
        if tag.id in places:
            raise ValueError(f"tag {tag.id} is on {places[tag.id]} and on {tag.on}; each tag is printed and used once")
        places[tag.id] = tag.on


def _tag(entry: Mapping[str, Any]) -> Tag:
    checked.keys(entry, _TAG_KEYS, "[[eyes.tag]]")
    what = f"tag {checked.tag_id(entry)}"
    checked.needed(entry, ("size", "on", "at"), f'{what} lacks %s: size = 0.04, on = "juice", at = [0.03, 0.0, 0.06]')
    category, kind = entry.get("class", ""), entry.get("kind", "")
    if kind not in ("", *KINDS):
        raise ValueError(f"{what}: kind is {kind!r}; of a place it is {' or '.join(KINDS)}, and is left out of a thing")
    return Tag(
        checked.tag_id(entry),
        checked.size(entry["size"], f"{what}: size"),
        checked.name(entry["on"], f"{what}: on"),
        checked.point(entry["at"], f"{what}: at"),
        _facing(entry.get("facing", "front"), what),
        checked.number(entry["grip"], f"{what}: grip", 0.0, checked.WIDEST) if "grip" in entry else None,
        checked.name(category, f"{what}: class") if category else "",
        kind,
    )


def _facing(value: Any, what: str) -> str | float:
    if not isinstance(value, str):
        return checked.angle(value, f"{what}: facing")
    if value not in (*FACING, UP):
        raise ValueError(f"{what}: facing is {value!r}; it is {', '.join(FACING)}, {UP}, or radians from the front")
    return value


def _door(entry: Mapping[str, Any]) -> TaggedDoor:
    checked.keys(entry, _DOOR_KEYS, "[[eyes.door]]")
    what = f"door tag {checked.tag_id(entry)}"
    checked.needed(
        entry, _DOOR_KEYS, f'{what} lacks %s: of = "fridge", at = [1.6, 0.9, 0.8], handle = [0.1, 0.0, 0.04]'
    )
    place = checked.name(entry["of"], f"{what}: of")
    name = f"door of {place}"
    tag = Tag(checked.tag_id(entry), checked.size(entry["size"], f"{what}: size"), name, (0.0, 0.0, 0.0))
    right, up, out = checked.point(entry["handle"], f"{what}: handle (right, up and out of the tag's middle)")
    leaf = TaggedThing(name, name, (tag,), (out, right, up))
    return TaggedDoor(place, leaf, checked.point(entry["at"], f"{what}: at (map frame, closed)", checked.FARTHEST))


def _wall_tag(entry: Mapping[str, Any]) -> Tag:
    checked.keys(entry, _WALL_KEYS, "[[eyes.wall]]")
    what = f"wall tag {checked.tag_id(entry)}"
    checked.needed(entry, _WALL_KEYS, f"{what} lacks %s: size = 0.15, at = [1.2, 2.0, 0.9], facing = -1.57")
    return Tag(
        checked.tag_id(entry),
        checked.size(entry["size"], f"{what}: size"),
        WALL,
        checked.point(entry["at"], f"{what}: at (map frame)", checked.FARTHEST),
        checked.angle(entry["facing"], f"{what}: facing (radians on the map)"),
    )


def _thing(name: str, tags: list[Tag]) -> TaggedThing:
    grips = {tag.grip for tag in tags if tag.grip is not None}
    categories = {tag.category for tag in tags if tag.category}
    kinds = {tag.kind for tag in tags if tag.kind}
    if len(grips) > 1 or len(categories) > 1 or len(kinds) > 1:
        raise ValueError(f"the tags of {name} differ in grip, class or kind; say it on one of them")
    if kinds:
        return TaggedThing(name, name, tuple(tags), (BEFORE, 0.0, 0.0), kinds.pop())
    height = grips.pop() if grips else tags[0].at[2]
    return TaggedThing(name, categories.pop() if categories else name, tuple(tags), (0.0, 0.0, height))
