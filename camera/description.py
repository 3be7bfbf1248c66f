"""The section [eyes] of a robot's description (docs/eyes.md explains each key), as checked values. No I/O, no cv2."""

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from camera.lens import Floats
from camera.mount import Mount
from camera.names import is_name
from hw.state import HardwareError

FACING = {"front": 0.0, "left": math.pi / 2, "back": math.pi, "right": -math.pi / 2}
"""Where a tag on the side of a thing looks, radians from the thing's front; "up" is besides."""
UP = "up"
TAGS = 587
SMALLEST, LARGEST = 0.005, 2.0
"""Metres of a black square: what is beyond is millimetres by mistake."""
WIDEST = 3.0
"""Metres from a thing's foot, and from the robot, within which tags and cameras sit."""
STEEP = math.pi / 2
_KEYS = ("source", "stale", "device", "width", "height", "fps", "lens", "mount", "unknown_size", "tag")
_TAG_KEYS = ("id", "size", "on", "class", "at", "facing", "grip")
_SEE = "see docs/eyes.md, a webcam and a printer"


@dataclass(frozen=True)
class Tag:
    """One printed tag on a thing."""

    id: int
    size: float
    """Metres of the black square's side."""
    on: str
    """Name of the thing."""
    at: tuple[float, float, float]
    """Its middle in the thing's frame, metres: z up from what the thing stands on, x to its front, y to its left."""
    facing: str | float = "front"
    """A word of FACING, radians from the front anticlockwise, or UP: it lies flat, its top towards the thing's back."""
    grip: float | None = None
    """Metres above what the thing stands on at which a hand takes it."""
    category: str = ""

    @cached_property
    def corners(self) -> Floats:
        """Of the black square in the thing's frame, (4, 3) metres, in the order of eyes.tags."""
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
    """A thing that stands upright and carries tags."""

    name: str
    category: str
    tags: tuple[Tag, ...]
    grip: tuple[float, float, float]
    """Where a hand takes it, in its frame; metres."""


@dataclass(frozen=True)
class CameraDescription:
    """A robot's own camera, and what the tags before it mean."""

    device: str
    """A path as in /dev/v4l/by-id, or "file:" and a picture or a folder of pictures."""
    width: int
    height: int
    fps: float
    lens: Path
    mount: Mount | None
    """None while nobody has measured it: then nothing is told of where things are."""
    things: tuple[TaggedThing, ...]
    unknown_size: float | None = None
    """Metres of the tags that no thing has; None: they are not told of, since nobody knows how far away they are."""

    @cached_property
    def known(self) -> Mapping[int, TaggedThing]:
        """Tag id to its thing."""
        return {tag.id: thing for thing in self.things for tag in thing.tags}


def describe_camera(table: Mapping[str, Any], file: Path) -> CameraDescription:
    """Read the section [eyes] of a parsed robot description; `file` is that description's path.

    Raises HardwareError naming the key that is missing or wrong, and what may stand there.
    """
    try:
        eyes = table.get("eyes", {})
        _check_keys(eyes, _KEYS, "[eyes]")
        size = _whole(eyes, "width", 1280), _whole(eyes, "height", 960)
        return CameraDescription(
            device=_device(eyes),
            width=size[0],
            height=size[1],
            fps=_number(eyes.get("fps", 15), "fps", 2.0, 240.0),
            lens=file.parent / str(eyes.get("lens", f"{file.stem}.lens.json")),
            mount=_mount(eyes["mount"]) if "mount" in eyes else None,
            things=_things([_tag(entry) for entry in _list(eyes.get("tag", []), "[[eyes.tag]]")]),
            unknown_size=_size(eyes["unknown_size"], "unknown_size") if "unknown_size" in eyes else None,
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise HardwareError(f"{file}: {error}", _SEE) from error


def _device(eyes: Mapping[str, Any]) -> str:
    device = eyes.get("device")
    if not isinstance(device, str) or not device.startswith(("/", "file:")):
        raise ValueError(
            f'[eyes] device is {device!r}; it is a path as `ls /dev/v4l/by-id/*` shows, or "file:" and a path'
        )
    return device


def _mount(table: Mapping[str, Any]) -> Mount:
    _check_keys(table, ("position", "pitch", "yaw", "roll"), "mount")
    angles = {name: _number(table.get(name, 0.0), f"mount {name}", -2 * STEEP, 2 * STEEP) for name in ("yaw", "roll")}
    pitch = _number(table.get("pitch", 0.0), "mount pitch (radians, positive looks down)", -STEEP, STEEP)
    return Mount(_point(table.get("position"), "mount position"), pitch, **angles)


def _tag(entry: Mapping[str, Any]) -> Tag:
    _check_keys(entry, _TAG_KEYS, "[[eyes.tag]]")
    id = entry.get("id")
    if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id < TAGS:
        raise ValueError(f"a tag's id is a whole number from 0 to {TAGS - 1}, not {id!r}")
    what = f"tag {id}"
    facing = entry.get("facing", "front")
    if isinstance(facing, str):
        if facing not in (*FACING, UP):
            raise ValueError(
                f"{what}: facing is {facing!r}; it is {', '.join(FACING)}, {UP}, or radians from the front"
            )
    else:
        facing = _number(facing, f"{what}: facing", -2 * math.pi, 2 * math.pi)
    for key in ("size", "on", "at"):
        if key not in entry:
            raise ValueError(f'{what} lacks {key}: size = 0.04, on = "juice", at = [0.03, 0.0, 0.06]')
    name, category = _name(entry["on"], f"{what}: on"), entry.get("class", "")
    grip = _number(entry["grip"], f"{what}: grip", 0.0, WIDEST) if "grip" in entry else None
    return Tag(
        id,
        _size(entry["size"], f"{what}: size"),
        name,
        _point(entry["at"], f"{what}: at"),
        facing,
        grip,
        _name(category, f"{what}: class") if category else "",
    )


def _things(tags: Iterable[Tag]) -> tuple[TaggedThing, ...]:
    """Put together what belongs to one thing; two words about one thing that differ are an error."""
    by_name: dict[str, list[Tag]] = {}
    ids: dict[int, str] = {}
    for tag in tags:
        if tag.id in ids:
            raise ValueError(f"tag {tag.id} is on {ids[tag.id]} and on {tag.on}; each tag is printed and used once")
        ids[tag.id] = tag.on
        by_name.setdefault(tag.on, []).append(tag)
    return tuple(_thing(name, carried) for name, carried in by_name.items())


def _thing(name: str, tags: list[Tag]) -> TaggedThing:
    grips = {tag.grip for tag in tags if tag.grip is not None}
    categories = {tag.category for tag in tags if tag.category}
    if len(grips) > 1 or len(categories) > 1:
        raise ValueError(f"the tags of {name} differ in grip or class; say it on one of them")
    height = grips.pop() if grips else tags[0].at[2]
    return TaggedThing(name, categories.pop() if categories else name, tuple(tags), (0.0, 0.0, height))


def _name(value: Any, what: str) -> str:
    if not isinstance(value, str) or not is_name(value):
        raise ValueError(f"{what} is {value!r}; it is one to four plain words in small letters")
    return value


def _size(value: Any, what: str) -> float:
    return _number(value, f"{what} (of the black square, metres)", SMALLEST, LARGEST)


def _point(value: Any, what: str) -> tuple[float, float, float]:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError(f"{what} is a list of three numbers, metres, not {value!r}")
    x, y, z = (_number(number, what, -WIDEST, WIDEST) for number in value)
    return x, y, z


def _number(value: Any, what: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{what} is a number from {low:g} to {high:g}, not {value!r}")
    return float(value)


def _whole(table: Mapping[str, Any], key: str, usual: int) -> int:
    value = table.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not 64 <= value <= 8192:
        raise ValueError(f"[eyes] {key} is a whole number of pixels from 64 to 8192, not {value!r}")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{what} is a list: write it with two brackets, once for each tag")
    return value


def _check_keys(table: Any, known: tuple[str, ...], what: str) -> None:
    if not isinstance(table, Mapping):
        raise ValueError(f"{what} is a table of keys, not {table!r}")
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            raise ValueError(f"{what} has no key {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
