"""Where something is that is only a box in a picture: the upright cylinder whose outline the box is. Pure.

The four edges tell four numbers. What else is known joins them: the height of what it stands on, its width, a depth
that was measured. What is not known is held by wide priors only, and shows in sigma; so does a mount that sags, as in
base_fit.py. None of it is as good as a tag. Gauss-Newton.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from camera.camera import Depth
from camera.least_squares import gauss_newton, slope_of
from camera.lens import Floats, Lens
from camera.mount import Mount

EDGE = 3.0
"""Pixels by which a detector's edges miss those of the thing. This and what follows: one standard deviation."""
SAG = math.radians(1.0)
SIZE = 0.05
"""Share by which things of one kind differ in width."""
LEVEL = 0.01
"""Metres by which a surface is higher or lower than it was told."""
DEPTH_LEAST, DEPTH_SHARE = 0.005, 0.01
"""Metres, and share of the distance, by which depth cameras miss."""
WIDE, WIDE_SPREAD = 0.07, 0.04
TALL, TALL_SPREAD = 0.12, 0.10
HIGH, HIGH_SPREAD = 0.70, 0.40
"""Metres: width and height of a thing, and height of what it stands on, where nobody says."""
LARGEST_SIGMA = 0.15
"""Metres: what is less sure is not told of."""
MEASURED = 0.1
"""Share of a box's middle in which a depth must have been measured."""
_TURN = np.linspace(0.0, 2 * math.pi, 32, endpoint=False)
_RING = np.column_stack([np.cos(_TURN), np.sin(_TURN), np.zeros_like(_TURN)])
_BEHIND = 1e4

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Box:
    """Something in a picture."""

    name: str
    """Its class, or the words that were read there."""
    confidence: float
    """0 to 1."""
    left: float
    top: float
    right: float
    bottom: float
    """Pixels."""

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def holds(self, pixel: Sequence[float] | Floats) -> bool:
        """Return whether a pixel is within it."""
        return bool(self.left <= pixel[0] <= self.right and self.top <= pixel[1] <= self.bottom)


@dataclass(frozen=True)
class Extent:
    """What is known of the size of a kind of things; metres."""

    width: float | None = None
    grip: float = 0.05
    """Above what it stands on, where a hand takes it."""


@dataclass(frozen=True)
class Placed:
    """Where a thing is, robot frame."""

    position: Point
    """Metres, where a hand takes it."""
    sigma: float
    """Metres: one standard deviation in the direction in which it is the largest."""


def placed(
    box: Box, extent: Extent, lens: Lens, mount: Mount, surface: float | None = None, depth: Depth | None = None
) -> Placed | None:
    """Return where the thing in a box is; None where that is not known to LARGEST_SIGMA.

    `surface` is how high things stand there, metres; `depth` is that of the same picture.
    """
    measured = _depth_in(box, depth)
    edges = lens.straighten(np.array([[box.left, box.top], [box.right, box.bottom]]))
    width, width_spread = (extent.width, SIZE * extent.width) if extent.width else (WIDE, WIDE_SPREAD)
    height, height_spread = (HIGH, HIGH_SPREAD) if surface is None else (surface, LEVEL)
    middles = np.array([height, width, TALL, 0.0])
    spreads = np.array([height_spread, width_spread, TALL_SPREAD, SAG])

    def weighed(values: Floats) -> Floats:
        seen = _outline(values, lens, mount)
        rows = [((seen - edges) / EDGE).ravel(), (values[2:] - middles) / spreads]
        if measured is not None:
            rows.append(np.array([(_front(values, mount) - measured) / (DEPTH_LEAST + DEPTH_SHARE * measured)]))
        return np.concatenate(rows)

    foot = _start(box, lens, mount, height, width, measured)
    values, cost = gauss_newton(np.array([*foot, *middles]), weighed)
    if not math.isfinite(cost) or cost > _BEHIND / EDGE:
        return None
    slope = slope_of(values, weighed)
    sigma = math.sqrt(float(np.linalg.eigvalsh(np.linalg.pinv(slope.T @ slope)[:3, :3]).max()))
    x, y, z = (float(value) for value in values[:3])
    return Placed((x, y, z + extent.grip), sigma) if sigma <= LARGEST_SIGMA else None


def beam(pixel: tuple[float, float], lens: Lens, mount: Mount) -> Floats:
    """Return the direction of a pixel, robot frame, (3,); it comes from the mount's position, 1 ahead of the lens."""
    x, y = lens.straighten(np.array([pixel]))[0]
    return np.asarray(mount.rotation @ np.array([(x - lens.cx) / lens.fx, (y - lens.cy) / lens.fy, 1.0]))


def _start(
    box: Box, lens: Lens, mount: Mount, height: float, width: float, measured: float | None
) -> tuple[float, float]:
    """Return about where it stands on the floor's plane: as far away as a depth, or else its width, lets it be."""
    pixels = max(box.right - box.left, 1.0)
    away = measured or lens.fx * width / pixels
    x, y, _ = np.array(mount.position) + away * beam(box.middle, lens, mount)
    return float(x), float(y)


def _outline(values: Floats, lens: Lens, mount: Mount) -> Floats:
    """Return the left upper and the right lower corner (2, 2) of the box around an upright cylinder.

    `values` are x, y and z of its foot, its width and height, and by how much the mount is pitched more.
    """
    x, y, z, width, tall, pitch = (float(value) for value in values)
    ring = width / 2 * _RING + (x, y, z)
    points = replace(mount, pitch=mount.pitch + pitch).to_camera(np.vstack([ring, ring + np.array([0.0, 0.0, tall])]))
    if points[:, 2].min() < 0.02:
        return np.full((2, 2), _BEHIND)
    pixels = lens.project(points)
    return np.array([pixels.min(axis=0), pixels.max(axis=0)])


def _front(values: Floats, mount: Mount) -> float:
    """Return how far ahead of the lens the middle of its front is, metres."""
    x, y, z, width, tall, pitch = (float(value) for value in values)
    level = np.array([mount.position[0] - x, mount.position[1] - y, 0.0])
    middle = np.array([x, y, z + tall / 2]) + width / 2 * level / max(float(np.linalg.norm(level)), 1e-9)
    return float(replace(mount, pitch=mount.pitch + pitch).to_camera(middle[None])[0, 2])


def _depth_in(box: Box, depth: Depth | None) -> float | None:
    """Return the median of what was measured in the box's inner half, metres; None for too little."""
    if depth is None:
        return None
    (x, y), w, h = box.middle, (box.right - box.left) / 4, (box.bottom - box.top) / 4
    inner = depth[max(int(y - h), 0) : int(y + h) + 1, max(int(x - w), 0) : int(x + w) + 1]
    known = inner[inner > 0]
    return float(np.median(known)) if known.size > MEASURED * inner.size else None
