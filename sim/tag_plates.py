"""Printed tags and labels in the room of sim/model.py: a thin plate for each tag that a description of eyes has.

On things they move with the thing, on walls they hang in the air: the room has no walls. Tags on places and doors are
left out.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as xml

import numpy as np

from camera.description import CameraDescription
from camera.lens import Floats
from camera.printed_tags import Tag
from camera.tags import CELLS, drawn
from camera.trouble import package
from sim.model import SEEN
from sim.png import png

CELL = 16
"""Pixels of a tag's cell in its texture."""
THICK = 0.0005
"""Metres, half of it."""
INK, PAPER = 20, 225
"""Grey."""
LABEL, DOTS = (0.060, 0.024), 8
"""Metres of a label's width and height, and pixels of its texture for a millimetre."""


@dataclass(frozen=True)
class Plate:
    """A thin printed plate on a body."""

    name: str
    body: xml.Element
    corners: Floats
    """Of the paper, (4, 3) metres in the body's frame: top left, top right, bottom right, bottom left."""
    picture: bytes
    """PNG."""


def with_plates(
    model: str, camera: CameraDescription, grip_height: float, labels: Mapping[str, str] | None = None
) -> tuple[str, Mapping[str, bytes]]:
    """Return the model's XML with a plate for each tag, and the pictures on them by their file names.

    A thing's body begins where it is gripped, `grip_height` metres above what it stands on. `labels` has the words that
    are printed above the tags of a thing, by its name.
    """
    root = xml.fromstring(model)
    asset, world = root.find("asset"), root.find("worldbody")
    assert asset is not None
    assert world is not None
    bodies = {body.get("name"): body for body in world.iter("body")}
    plates = [_tag_plate(tag, world, 0.0) for tag in camera.walls]
    for thing in camera.things:
        if (body := bodies.get(thing.name)) is not None and not thing.kind:
            plates += [_tag_plate(tag, body, grip_height) for tag in thing.tags]
            if text := (labels or {}).get(thing.name):
                plates += [_label_plate(tag, text, body, grip_height) for tag in thing.tags]
    for plate in plates:
        _add_plate(asset, plate)
    return xml.tostring(root, encoding="unicode"), {_file(plate): plate.picture for plate in plates}


def read_labels(file: Path) -> Mapping[str, str]:
    """Read the words that are printed on things, by their names; nothing where there is no such file."""
    return tomllib.loads(file.read_text(encoding="utf-8"))["labels"] if file.exists() else {}


def _tag_plate(tag: Tag, body: xml.Element, low: float) -> Plate:
    middle = tag.corners.mean(axis=0)
    paper = (tag.corners - middle) * (CELLS + 2) / CELLS + middle - (0.0, 0.0, low)
    return Plate(f"tag {tag.id}", body, paper, _picture(tag))


def _label_plate(tag: Tag, text: str, body: xml.Element, low: float) -> Plate:
    """Return the plate above a tag that says so."""
    right, down = (
        side / np.linalg.norm(side) for side in (tag.corners[1] - tag.corners[0], tag.corners[3] - tag.corners[0])
    )
    width, height = LABEL
    top = tag.corners.mean(axis=0) - (0.0, 0.0, low) - (tag.size * (CELLS + 2) / CELLS / 2 + height) * down
    corners = [
        top + x * right + y * down
        for x, y in ((-width / 2, 0), (width / 2, 0), (width / 2, height), (-width / 2, height))
    ]
    return Plate(f"label {tag.id}", body, np.array(corners), _printed(text))


def _add_plate(asset: xml.Element, plate: Plate) -> None:
    xml.SubElement(asset, "texture", name=plate.name, type="2d", file=_file(plate))
    xml.SubElement(asset, "material", name=plate.name, texture=plate.name, specular="0", shininess="0", reflectance="0")
    right, down = plate.corners[1] - plate.corners[0], plate.corners[3] - plate.corners[0]
    half = np.array([np.linalg.norm(right) / 2, np.linalg.norm(down) / 2, THICK])
    geom = {"type": "box", "size": _numbers(half), "material": plate.name}
    where = {"pos": _numbers(plate.corners.mean(axis=0)), "xyaxes": f"{_numbers(right)} {_numbers(-down)}"}
    xml.SubElement(plate.body, "geom", geom | where | SEEN)


def _printed(text: str) -> bytes:
    """Return words as large as they fit onto a label, as a PNG."""
    cv2 = package("cv2")
    width, height = (round(side * 1000 * DOTS) for side in LABEL)
    page = np.full((height, width), PAPER, dtype=np.uint8)
    font, thick = cv2.FONT_HERSHEY_DUPLEX, 6
    (wide, tall), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = min(0.9 * width / wide, 0.6 * height / tall)
    at = round((width - scale * wide) / 2), round((height + scale * tall) / 2)
    cv2.putText(page, text, at, font, scale, INK, thick, cv2.LINE_AA)
    return png(np.repeat(page[:, :, None], 3, axis=2))


def _picture(tag: Tag) -> bytes:
    cells = np.kron(drawn(tag.id), np.ones((CELL, CELL), dtype=np.uint8))
    grey = np.where(cells > 0, PAPER, INK).astype(np.uint8)
    return png(np.repeat(grey[:, :, None], 3, axis=2))


def _file(plate: Plate) -> str:
    return f"{plate.name.replace(' ', '')}.png"


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.6g}" for value in values)
