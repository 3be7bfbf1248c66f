"""Where the base stands, from tags that hang on walls at known places.

Five unknowns, not three: x, y and heading, and by how much the camera is pitched and rolled off its mount. A fit of
the three alone takes a head that sags by one degree for 0.3 m of way at two metres; as unknowns that are held by a
prior, pitch and roll cost nothing. At least two tags: a small tag's rotation alone flips, so that it is never used;
the fit begins with where the middles of the tags are. Gauss-Newton; pure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from camera.fit import tag_middle
from camera.least_squares import LEAST_RESIDUAL, gauss_newton, missed_by, rms, slope_of
from camera.lens import Floats, Lens
from camera.mount import Mount, turn
from camera.printed_tags import Tag

LEAST_TAGS = 2
SAG = math.radians(1.0)
"""Radians, one standard deviation, by which a mount is pitched or rolled otherwise than it was measured."""
MISFIT = 1.5
"""Pixels, root mean square: what misses by more hangs elsewhere, or is another tag."""
HUNG, HUNG_TURN = 0.003, math.radians(0.1)
"""Metres and radians, one standard deviation: nobody hangs and measures tags more exactly."""


@dataclass(frozen=True)
class BaseFit:
    """Where the base stands, map frame."""

    x: float
    y: float
    """Metres."""
    theta: float
    """Radians."""
    covariance: Floats
    """(3, 3) of x, y, theta: square metres, square radians."""
    sag: tuple[float, float]
    """Radians by which the camera is pitched and rolled more than its mount says."""
    residual: float
    """Pixels, root mean square, by which the corners miss."""

    @property
    def sigma(self) -> float:
        """Metres: the larger of the standard deviations of x and y."""
        return math.sqrt(float(np.diag(self.covariance)[:2].max()))


def where_base_stands(tags: Sequence[Tag], pixels: Sequence[Floats], lens: Lens, mount: Mount) -> BaseFit | None:
    """Fit the base; None for fewer than LEAST_TAGS tags, and where they fit nowhere.

    `tags` hang where their `at` says, map frame; `pixels` (4, 2) each are their corners without distortion.
    """
    start = _from_middles(tags, pixels, lens, mount) if len(tags) >= LEAST_TAGS else None
    if start is None:
        return None
    corners, seen = np.vstack([tag.corners for tag in tags]), np.vstack(pixels)

    def weighed(values: Floats) -> Floats:
        missed = missed_by(_before_camera(corners, values, mount), seen, lens)
        return np.append(missed / LEAST_RESIDUAL, values[3:] / SAG)

    values, cost = gauss_newton(np.array([*start, 0.0, 0.0]), weighed)
    if not math.isfinite(cost):
        return None
    residual = rms(missed_by(_before_camera(corners, values, mount), seen, lens))
    slope = slope_of(values, weighed)
    spread = np.linalg.pinv(slope.T @ slope)[:3, :3] * max(residual / LEAST_RESIDUAL, 1.0) ** 2
    x, y, theta, pitch, roll = (float(value) for value in values)
    covariance: Floats = np.asarray(spread + np.diag([HUNG**2, HUNG**2, HUNG_TURN**2]), dtype=float)
    return BaseFit(x, y, math.remainder(theta, 2 * math.pi), covariance, (pitch, roll), residual)


def _from_middles(
    tags: Sequence[Tag], pixels: Sequence[Floats], lens: Lens, mount: Mount
) -> tuple[float, float, float] | None:
    """Return x, y and heading that bring the middles of the tags, as the robot sees them, to where they hang."""
    middles = [tag_middle(tag.corners, seen, lens) for tag, seen in zip(tags, pixels, strict=True)]
    if any(middle is None for middle in middles):
        return None
    ours = mount.to_robot(np.array(middles))[:, :2] @ (1.0, 1j)
    theirs = np.array([tag.at[:2] for tag in tags]) @ (1.0, 1j)
    heading = complex(np.vdot(ours - ours.mean(), theirs - theirs.mean()))  # complex numbers turn by multiplying
    if abs(heading) < 1e-9:
        return None
    at = complex(theirs.mean() - ours.mean() * heading / abs(heading))
    return at.real, at.imag, math.atan2(heading.imag, heading.real)


def _before_camera(corners: Floats, values: Floats, mount: Mount) -> Floats:
    """Return points of the map (n, 3) in the camera's frame, for x, y, theta, and the mount's sag in pitch and roll."""
    x, y, theta, pitch, roll = (float(value) for value in values)
    sagged = replace(mount, pitch=mount.pitch + pitch, roll=mount.roll + roll)
    return sagged.to_camera((corners - (x, y, 0.0)) @ turn("z", theta))
