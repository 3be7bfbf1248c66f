"""Printed tags in the room of sim/model.py: a thin plate for each tag that a description of eyes has. Pure.

On things they move with the thing, on walls they hang in the air: the room has no walls. Tags on places and doors are
left out.
"""

from collections.abc import Mapping
from xml.etree import ElementTree as xml

import numpy as np

from camera.description import CameraDescription
from camera.printed_tags import Tag
from camera.tags import CELLS, drawn
from sim.model import SEEN
from sim.png import png

CELL = 16
"""Pixels of a tag's cell in its texture."""
THICK = 0.0005
"""Metres, half of it."""
INK, PAPER = 20, 225
"""Grey."""


def with_plates(model: str, camera: CameraDescription, grip_height: float) -> tuple[str, Mapping[str, bytes]]:
    """Return the model's XML with a plate for each tag, and the pictures on them by their file names.

    A thing's body begins where it is gripped, `grip_height` metres above what it stands on.
    """
    root = xml.fromstring(model)
    asset, world = root.find("asset"), root.find("worldbody")
    assert asset is not None
    assert world is not None
    bodies = {body.get("name"): body for body in world.iter("body")}
    carried = [(tag, bodies.get(thing.name), grip_height) for thing in camera.things for tag in thing.tags]
    plates = [(tag, body, low) for tag, body, low in carried if body is not None and not tag.kind]
    for tag, body, low in [*plates, *((tag, world, 0.0) for tag in camera.walls)]:
        _add_plate(asset, body, tag, low)
    pictures = {_file(tag): _picture(tag) for tag, _, _ in [*plates, *((tag, None, 0.0) for tag in camera.walls)]}
    return xml.tostring(root, encoding="unicode"), pictures


def _add_plate(asset: xml.Element, body: xml.Element, tag: Tag, low: float) -> None:
    name = f"tag {tag.id}"
    xml.SubElement(asset, "texture", name=name, type="2d", file=_file(tag))
    xml.SubElement(asset, "material", name=name, texture=name, specular="0", shininess="0", reflectance="0")
    right, down = tag.corners[1] - tag.corners[0], tag.corners[3] - tag.corners[0]
    half = tag.size / 2 * (CELLS + 2) / CELLS
    at = tag.corners.mean(axis=0) - (0.0, 0.0, low)
    plate = {"type": "box", "size": _numbers(np.array([half, half, THICK])), "material": name}
    where = {"pos": _numbers(at), "xyaxes": f"{_numbers(right)} {_numbers(-down)}"}
    xml.SubElement(body, "geom", plate | where | SEEN)


def _picture(tag: Tag) -> bytes:
    cells = np.kron(drawn(tag.id), np.ones((CELL, CELL), dtype=np.uint8))
    grey = np.where(cells > 0, PAPER, INK).astype(np.uint8)
    return png(np.repeat(grey[:, :, None], 3, axis=2))


def _file(tag: Tag) -> str:
    return f"tag{tag.id}.png"


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.6g}" for value in values)
