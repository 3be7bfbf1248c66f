"""The section [eyes] of a robot's description (docs/eyes.md explains each key), as checked values. No I/O, no cv2."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from camera import checked
from camera.mount import Mount
from camera.printed_tags import (
    Tag,
    TaggedDoor,
    TaggedThing,
    check_used_once,
    describe_doors,
    describe_things,
    describe_walls,
)
from hw.state import HardwareError

STEEP = math.pi / 2
_KEYS = ("source", "stale", "device", "width", "height", "fps", "lens", "mount", "unknown_size", "tag", "wall", "door")
_SEE = "see docs/eyes.md, a webcam and a printer"


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
    walls: tuple[Tag, ...] = ()
    """Tags that hang where the description says, map frame: they tell where the base stands."""
    doors: tuple[TaggedDoor, ...] = ()

    @cached_property
    def known(self) -> Mapping[int, TaggedThing]:
        """Tag id to its thing, place, or leaf of a door."""
        upright = [*self.things, *(door.leaf for door in self.doors)]
        return {tag.id: thing for thing in upright for tag in thing.tags}

    @property
    def names(self) -> dict[int, str]:
        """Tag id to the name of what carries it."""
        return {id: thing.name for id, thing in self.known.items()} | {tag.id: tag.on for tag in self.walls}


def describe_camera(table: Mapping[str, Any], file: Path) -> CameraDescription:
    """Read the section [eyes] of a parsed robot description; `file` is that description's path.

    Raises HardwareError naming the key that is missing or wrong, and what may stand there.
    """
    try:
        eyes = table.get("eyes", {})
        checked.keys(eyes, _KEYS, "[eyes]")
        size = checked.whole(eyes, "width", 1280), checked.whole(eyes, "height", 960)
        things = describe_things(checked.entries(eyes.get("tag", []), "[[eyes.tag]]"))
        walls = describe_walls(checked.entries(eyes.get("wall", []), "[[eyes.wall]]"))
        doors = describe_doors(checked.entries(eyes.get("door", []), "[[eyes.door]]"))
        upright = [*things, *(door.leaf for door in doors)]
        check_used_once([*(tag for thing in upright for tag in thing.tags), *walls])
        return CameraDescription(
            device=_device(eyes),
            width=size[0],
            height=size[1],
            fps=checked.number(eyes.get("fps", 15), "fps", 2.0, 240.0),
            lens=file.parent / str(eyes.get("lens", f"{file.stem}.lens.json")),
            mount=_mount(eyes["mount"]) if "mount" in eyes else None,
            things=things,
            unknown_size=checked.size(eyes["unknown_size"], "unknown_size") if "unknown_size" in eyes else None,
            walls=walls,
            doors=doors,
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
    checked.keys(table, ("position", "pitch", "yaw", "roll"), "mount")
    angles = {
        name: checked.number(table.get(name, 0.0), f"mount {name}", -2 * STEEP, 2 * STEEP) for name in ("yaw", "roll")
    }
    pitch = checked.number(table.get("pitch", 0.0), "mount pitch (radians, positive looks down)", -STEEP, STEEP)
    return Mount(checked.point(table.get("position"), "mount position"), pitch, **angles)
