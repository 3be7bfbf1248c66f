"""Drawers and cups, drawn: shapes decide how they are grasped, colours must not."""

import numpy as np
from numpy.typing import NDArray

from bench.support.look_vectors import Image

SHAPES = {
    "drawer": ("bar handle", "knob"),
    "cup": ("upright", "flipped"),
}
"""Two kinds of things, each with two shapes that are grasped differently."""
COLOURS = ((200, 60, 50), (60, 110, 190), (70, 160, 80), (220, 200, 70), (150, 90, 160))
SIDE = 96


def draw(kind: str, shape: str, colour: tuple[int, int, int], chance: np.random.Generator) -> Image:
    """A picture of such a thing, of random size and at a random place, with noise."""
    image = np.full((SIDE, SIDE, 3), chance.integers(190, 240), float)
    scale, left, top = chance.uniform(0.55, 0.85), chance.integers(4, 14), chance.integers(4, 14)
    y, x = np.mgrid[0:SIDE, 0:SIDE] / (SIDE * scale) - np.array([top, left])[:, None, None] / (SIDE * scale)
    body, detail = _drawer(x, y, shape) if kind == "drawer" else _cup(x, y, shape)
    image[body] = colour
    image[detail] = np.array(colour) * 0.45
    return np.clip(image + chance.normal(0, 6, image.shape), 0, 255).astype(np.uint8)


Field = NDArray[np.float64]
Region = NDArray[np.bool_]


def _drawer(x: Field, y: Field, shape: str) -> tuple[Region, Region]:
    body = (x > 0) & (x < 1) & (y > 0.2) & (y < 0.8)
    if shape == "knob":
        return body, np.hypot(x - 0.5, y - 0.5) < 0.09
    return body, (x > 0.2) & (x < 0.8) & (y > 0.45) & (y < 0.55)


def _cup(x: Field, y: Field, shape: str) -> tuple[Region, Region]:
    height = y if shape == "upright" else 1 - y
    half = 0.34 - 0.12 * height
    body = (y > 0) & (y < 1) & (np.abs(x - 0.45) < half)
    handle = np.abs(np.hypot(x - 0.8, (height - 0.4) * 0.9) - 0.14) < 0.035
    opening = ((x - 0.45) / 0.32) ** 2 + ((height - 0.06) / 0.07) ** 2 < 1
    return body | (handle & (x > 0.45 + half)), opening & (height > 0)
