"""A robot's camera and the tagged things before it, for tests: no camera is needed."""

import math
from pathlib import Path
from typing import Any

from bench.body.drawn_pictures import Conditions, Painter, Standing
from eyes.description import CameraDescription, TaggedThing, describe_camera
from eyes.lens import Lens, from_view

LENS = from_view(1280, 960, math.radians(70))
SIDES = (("front", 0.03, 0.0), ("left", 0.0, 0.03), ("back", -0.03, 0.0), ("right", 0.0, -0.03))
MOUNT = {"position": [0.12, 0.0, 1.28], "pitch": 0.6435}


def tags_of(name: str, first: int, size: float = 0.03) -> list[dict[str, Any]]:
    """Four tags around a thing, as [[eyes.tag]] has them."""
    return [
        {"id": first + side, "size": size, "on": name, "at": [x, y, 0.06], "facing": facing, "grip": 0.10}
        for side, (facing, x, y) in enumerate(SIDES)
    ]


def camera(*names: str, **keys: Any) -> CameraDescription:
    """The description of a camera that knows these things, with tags 0 to 3, 4 to 7, and so on."""
    tags = [tag for number, name in enumerate(names) for tag in tags_of(name, 4 * number)]
    table = {"eyes": {"device": "file:none", "mount": MOUNT, "tag": tags} | keys}
    return describe_camera(table, Path("robot.toml"))


def painter(described: CameraDescription, lens: Lens = LENS, conditions: Conditions | None = None) -> Painter:
    assert described.mount is not None
    return Painter(lens, described.mount, conditions or Conditions())


def standing(thing: TaggedThing, x: float, y: float, z: float = 0.75, yaw: float = 0.3) -> Standing:
    return Standing(thing, (x, y, z), yaw)
