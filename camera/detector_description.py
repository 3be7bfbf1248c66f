"""Detectors that an owner puts into models/vision/: NAME.onnx, and beside it NAME.toml, which says how it is read.

    licence = "AGPL-3.0"               # of the weights, as their makers say
    layout = "yolov8"                  # one of LAYOUTS
    input = [640, 640]                 # width and height, pixels
    classes = ["person", "cup"]        # all of them, in the model's order
    [things.cup]                       # of these classes heed is told; metres
    width = 0.08

An ONNX file with no such toml beside it is no detector. No I/O but for reading the toml; nothing is loaded.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camera import checked
from camera.boxes import Extent
from camera.trouble import EyesError

VISION = "vision"
"""Of the folder of model files, where detectors are."""
LAYOUTS = ("yolov5", "yolov8", "yolov10")
"""What the one output is: yolov5 (1, boxes, 5 + classes) with x, y, width, height, whether there is anything, and each
class; yolov8 (1, 4 + classes, boxes), the same without the fifth; yolov10 (1, boxes, 6) with left, top, right, bottom,
confidence, class. Pixels of the input."""
ORDERS = ("rgb", "bgr")
_KEYS = ("licence", "layout", "input", "classes", "things", "confidence", "overlap", "colours", "scale")
_THING_KEYS = ("name", "class", "width", "grip")
_LACKS = '%s is missing: licence = "...", layout = "yolov8", input = [640, 640], classes = ["cup"], [things.cup]'


@dataclass(frozen=True)
class Kind:
    """What heed is told of a class."""

    name: str
    category: str
    extent: Extent


@dataclass(frozen=True)
class DetectorDescription:
    """One model, as its toml says."""

    model: Path
    licence: str
    layout: str
    size: tuple[int, int]
    """Width and height of its input, pixels."""
    classes: tuple[str, ...]
    kinds: Mapping[str, Kind]
    """Of the classes that heed is told of."""
    confidence: float = 0.5
    """What is less sure is not told of."""
    overlap: float = 0.45
    """Share of two boxes of one class by which they overlap, above which they are one."""
    colours: str = "rgb"
    scale: float = 1 / 255
    """What a pixel's value, 0 to 255, is multiplied by."""


def describe_detectors(folder: Path) -> tuple[DetectorDescription, ...]:
    """Read what lies in a folder, by name; nothing where it is not there. Raises EyesError naming file and key."""
    return tuple(_described(file) for file in sorted(folder.glob("*.toml")) if file.with_suffix(".onnx").exists())


def _described(file: Path) -> DetectorDescription:
    try:
        return _read(tomllib.loads(file.read_text(encoding="utf-8")), file)
    except (OSError, TypeError, ValueError) as error:
        raise EyesError(f"{file}: {error}", "see docs/eyes.md, a detector") from error


def _read(table: Mapping[str, Any], file: Path) -> DetectorDescription:
    checked.keys(table, _KEYS, file.name)
    checked.needed(table, ("licence", "layout", "input", "classes", "things"), _LACKS)
    classes = tuple(checked.text(each, "a class") for each in checked.entries(table["classes"], "classes"))
    things = table["things"]
    checked.keys(things, classes, "[things]")
    width, height = checked.pair(table["input"], "input (width and height, pixels)", 32, 4096)
    return DetectorDescription(
        file.with_suffix(".onnx"),
        checked.text(table["licence"], "licence"),
        checked.one_of(table["layout"], LAYOUTS, "layout"),
        (int(width), int(height)),
        classes,
        {name: _kind(name, values) for name, values in things.items()},
        checked.number(table.get("confidence", 0.5), "confidence", 0.01, 1.0),
        checked.number(table.get("overlap", 0.45), "overlap", 0.0, 1.0),
        checked.one_of(table.get("colours", "rgb"), ORDERS, "colours"),
        checked.number(table.get("scale", 1 / 255), "scale", 1e-6, 1e6),
    )


def _kind(of: str, values: Mapping[str, Any]) -> Kind:
    checked.keys(values, _THING_KEYS, f"[things.{of}]")
    name = checked.name(values.get("name", of), f"[things.{of}] name")
    width = checked.number(values["width"], f"[things.{of}] width", 0.002, 3.0) if "width" in values else None
    grip = checked.number(values.get("grip", 0.05), f"[things.{of}] grip", 0.0, checked.WIDEST)
    return Kind(name, checked.name(values.get("class", name), f"[things.{of}] class"), Extent(width, grip))
