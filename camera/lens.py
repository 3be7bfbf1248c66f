"""Lens: how a camera maps directions to pixels, as `heed eyes calibrate lens` found it out, in a JSON file.

    {"size": [1280, 960], "fx": 912.3, "fy": 911.8, "cx": 641.0, "cy": 470.2, "distortion": [0.1, -0.2, 0, 0, 0],
     "rms": 0.31}

The camera's frame has x to the right of the picture, y down, z ahead. A pixel's centre has whole coordinates (0, 0 is
the middle of the first pixel), as OpenCV counts.
"""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camera.trouble import EyesError, package

Floats = NDArray[np.float64]

CALIBRATE = "run: heed eyes calibrate lens"


@dataclass(frozen=True)
class Lens:
    """A pinhole, and how the glass before it bends."""

    size: tuple[int, int]
    """Width and height of the picture, pixels."""
    fx: float
    fy: float
    """Focal lengths, pixels."""
    cx: float
    cy: float
    """The pixel straight ahead."""
    distortion: tuple[float, ...] = ()
    """k1, k2, p1, p2, k3 as OpenCV names them; empty: none."""
    rms: float = 0.0
    """Pixels by which calibration was off, root mean square."""

    @cached_property
    def matrix(self) -> Floats:
        """The camera matrix, (3, 3)."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    def project(self, points: Floats) -> Floats:
        """Return the pixels (n, 2) of points (n, 3) in the camera's frame, as if the glass did not bend.

        Points behind the camera give nonsense; the caller leaves them out.
        """
        return points[:, :2] / points[:, 2:] * (self.fx, self.fy) + (self.cx, self.cy)

    def straighten(self, pixels: Floats) -> Floats:
        """Return where pixels (n, 2) of the picture would be without distortion. Raises MissingError without cv2."""
        if not any(self.distortion):
            return np.asarray(pixels, dtype=float)
        bent = np.asarray(pixels, dtype=float).reshape(-1, 1, 2)
        straight = package("cv2").undistortPoints(bent, self.matrix, np.array(self.distortion), P=self.matrix)
        return np.asarray(straight, dtype=float).reshape(-1, 2)

    def of(self, width: int, height: int) -> "Lens":
        """Return the same lens for pictures of that size. Raises EyesError where they have another shape."""
        if (width, height) == self.size:
            return self
        if width * self.size[1] != height * self.size[0]:
            raise EyesError(
                f"the pictures have {width}x{height} pixels, but the lens was calibrated with {self.size[0]}x"
                f"{self.size[1]}: another shape",
                "correct width and height below [eyes], or " + CALIBRATE,
            )
        by = width / self.size[0]
        middle = (self.cx + 0.5) * by - 0.5, (self.cy + 0.5) * by - 0.5
        return Lens((width, height), self.fx * by, self.fy * by, *middle, self.distortion, self.rms * by)


def from_view(width: int, height: int, field: float) -> Lens:
    """Return the lens without distortion that sees `field` radians from the top of the picture to its bottom."""
    focal = height / 2 / math.tan(field / 2)
    return Lens((width, height), focal, focal, width / 2 - 0.5, height / 2 - 0.5)


def load_lens(path: Path) -> Lens:
    """Read a lens. Raises EyesError for a file that is missing, or is none."""
    if not path.exists():
        raise EyesError(f"there is no lens at {path}: nobody knows how the camera sees", CALIBRATE)
    try:
        return _read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise EyesError(f"{path} is no lens: {error!r}", CALIBRATE) from error


def save_lens(path: Path, lens: Lens) -> None:
    """Write all of it; whoever reads meanwhile gets the old file or the new one."""
    table = {name: getattr(lens, name) for name in ("size", "fx", "fy", "cx", "cy", "distortion", "rms")}
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    os.replace(fresh, path)


def _read(table: Mapping[str, Any]) -> Lens:
    width, height = (int(side) for side in table["size"])
    numbers = {name: float(table[name]) for name in ("fx", "fy", "cx", "cy")}
    distortion = tuple(float(value) for value in table.get("distortion", ()))
    if min(width, height) < 16 or min(numbers["fx"], numbers["fy"]) < 1:
        raise ValueError("size and focal lengths are pixels, above zero")
    if not all(map(math.isfinite, (*numbers.values(), *distortion))) or len(distortion) not in (0, 4, 5, 8):
        raise ValueError("distortion is empty or has 4, 5 or 8 finite numbers")
    return Lens((width, height), **numbers, distortion=distortion, rms=float(table.get("rms", 0.0)))
