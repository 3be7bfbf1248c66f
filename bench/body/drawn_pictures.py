"""Pictures of tagged things as a camera would see them, drawn by exact projection: no GL, no renderer, no camera.

Each tag is warped into the picture by the homography of its corners, at three times the resolution; then come the
lens's distortion, blur, vignetting and a sensor's noise. What is not drawn: shadows, glossy paper, motion, a rolling
shutter, and whatever else a real lens does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from camera.description import CameraDescription
from camera.lens import Floats, Lens
from camera.mount import Mount, turn
from camera.printed_tags import TaggedThing
from camera.tags import CELLS, Picture, drawn

FINER = 3
"""Times the resolution at which tags are drawn before they are made smaller."""
CELL = 8
"""Pixels of a tag's cell before it is warped."""
LEAST_FACING = 0.4
"""Cosine between a tag's normal and the line of sight above which it counts as shown: 66 degrees aside."""

Map = NDArray[np.float32]


@dataclass(frozen=True)
class Conditions:
    """How good the camera and the light are."""

    blur: float = 0.8
    """Pixels, standard deviation."""
    noise: float = 4.0
    """Grey, standard deviation."""
    vignetting: float = 0.3
    """Share of the light that the corners lack."""
    gain: float = 1.0
    """Of the light; 0.3 is a dim room."""


@dataclass(frozen=True)
class Standing:
    """A tagged thing, upright, robot frame."""

    thing: TaggedThing
    position: tuple[float, float, float]
    """Metres, of its foot."""
    yaw: float

    @property
    def grip(self) -> Floats:
        """Return where a hand takes it: metres, robot frame."""
        return self._placed(np.array([self.thing.grip]))[0]

    def corners(self) -> Iterable[tuple[int, Floats]]:
        """Each tag's id and its corners (4, 3), robot frame."""
        return ((tag.id, self._placed(tag.corners)) for tag in self.thing.tags)

    def _placed(self, points: Floats) -> Floats:
        return np.asarray(points @ turn("z", self.yaw).T + np.array(self.position))


class Painter:
    """Draws what one camera sees."""

    def __init__(self, lens: Lens, mount: Mount, conditions: Conditions, seed: int = 0) -> None:
        self._lens = lens
        self._mount = mount
        self._conditions = conditions
        self._random = np.random.default_rng(seed)
        self._bend = _bending(lens)
        self._light = _vignette(lens, conditions.vignetting)

    def room(self) -> Floats:
        """Return a background without tags: blocks and edges of many greys."""
        width, height = self._lens.size
        coarse = self._random.uniform(60, 190, (12, 16)).astype(np.float32)
        room = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        for _ in range(25):
            x, y = self._random.integers(0, (width, height))
            w, h = self._random.integers(10, 200, 2)
            grey = float(self._random.uniform(30, 220))
            cv2.rectangle(room, (int(x), int(y)), (int(x + w), int(y + h)), grey, -1)
        return np.asarray(room, dtype=float)

    def picture(self, things: Sequence[Standing], room: Floats | None = None) -> Picture:
        """Draw the things, those that are farther away first."""
        ideal = self.room() if room is None else room.copy()
        squares = [(id, corners) for standing in things for id, corners in standing.corners()]
        squares.sort(key=lambda square: -float(self._mount.to_camera(square[1])[:, 2].mean()))
        for id, corners in squares:
            self._paste(ideal, id, corners)
        return self._seen(ideal)

    def is_in_view(self, corners: Floats) -> bool:
        """Return whether all corners of a tag are in the picture, on its near side."""
        pixels = self._pixels(corners)
        if pixels is None:
            return False
        width, height = self._lens.size
        inside = ((pixels > 8) & (pixels < (width - 8, height - 8))).all()
        return bool(inside)

    def _pixels(self, corners: Floats) -> Floats | None:
        """Return where the corners are in the picture; None where the tag is behind the camera or shows its back."""
        points = self._mount.to_camera(corners)
        if points[:, 2].min() < 0.05:
            return None
        normal = np.cross(points[1] - points[0], points[3] - points[0])
        return self._lens.project(points) if float(normal @ points[0]) > 0 else None

    def _paste(self, ideal: Floats, id: int, corners: Floats) -> None:
        """Draw one tag with its white margin."""
        middle = corners.mean(axis=0)
        paper = middle + (corners - middle) * (CELLS + 2) / CELLS
        pixels = self._pixels(paper)
        if pixels is None:
            return
        width, height = self._lens.size
        low = np.floor(pixels.min(axis=0)).astype(int) - 2
        high = np.ceil(pixels.max(axis=0)).astype(int) + 3
        low, high = np.maximum(low, 0), np.minimum(high, (width, height))
        if (high - low).min() <= 0:
            return
        tag = np.kron(drawn(id), np.ones((CELL, CELL))).astype(np.float32) * 0.8 + 20
        side = tag.shape[0]
        ours = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) - 0.5
        theirs = ((pixels - low + 0.5) * FINER - 0.5).astype(np.float32)
        warp = cv2.getPerspectiveTransform(ours, theirs)
        size = tuple(int(length) for length in (high - low) * FINER)
        fine = cv2.warpPerspective(tag, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        inside = cv2.warpPerspective(np.ones_like(tag), warp, size, flags=cv2.INTER_LINEAR)
        small = tuple(int(length) for length in high - low)
        cover = cv2.resize(inside, small, interpolation=cv2.INTER_AREA)
        shade = cv2.resize(fine * inside, small, interpolation=cv2.INTER_AREA)
        patch = ideal[low[1] : high[1], low[0] : high[0]]
        patch *= 1 - cover
        patch += shade

    def _seen(self, ideal: Floats) -> Picture:
        """Return what the sensor makes of it."""
        if self._bend is not None:
            straight = ideal.astype(np.float32)
            bent = cv2.remap(straight, *self._bend, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
            ideal = np.asarray(bent, dtype=float)
        how = self._conditions
        blurred = cv2.GaussianBlur(ideal, (0, 0), how.blur) if how.blur > 0 else ideal
        lit = blurred * self._light * how.gain
        return np.clip(lit + self._random.normal(0, how.noise, lit.shape), 0, 255).astype(np.uint8)


def _bending(lens: Lens) -> tuple[Map, Map] | None:
    """Return where each pixel of the bent picture comes from in the straight one."""
    if not any(lens.distortion):
        return None
    width, height = lens.size
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(float)
    straight = lens.straighten(grid).reshape(height, width, 2).astype(np.float32)
    return straight[..., 0], straight[..., 1]


def _vignette(lens: Lens, share: float) -> Floats:
    width, height = lens.size
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    return np.asarray(1 - share * (x**2 + y**2) / 2)


def is_shown(painter: Painter, standing: Standing, seen_by: CameraDescription) -> bool:
    """Return whether one of its tags is wholly in the picture, and not edge-on."""
    assert seen_by.mount is not None
    eye = np.array(seen_by.mount.position)
    for _, corners in standing.corners():
        normal = np.cross(corners[3] - corners[0], corners[1] - corners[0])
        sight = eye - corners.mean(axis=0)
        facing = float(normal @ sight) / float(np.linalg.norm(normal) * np.linalg.norm(sight))
        if facing > LEAST_FACING and painter.is_in_view(corners):
            return True
    return False
