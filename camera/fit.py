"""Where a thing stands, from the corners of its tags: it stands upright, so that x, y, z and yaw are all there is.

A small tag's rotation alone is worth little: seen from the front it flips by 20 degrees and more. A thing that stands
has one angle left, all of its tags speak for it together, and what cannot be told shows in sigma. Gauss-Newton, from
several guesses of yaw. Pure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from camera.least_squares import LEAST_RESIDUAL, gauss_newton, missed_by, rms, slope_of
from camera.lens import Floats, Lens
from camera.mount import Mount, mount_of, turn

GUESSES = 12
"""Of yaw around the circle; the best few are refined."""
REFINED = 3
TWIN = 1.5
"""Times the best residual, at which another yaw fits as well as makes no difference."""


@dataclass(frozen=True)
class Fit:
    """Where a thing stands, robot frame."""

    position: tuple[float, float, float]
    """Metres, of the foot of the thing."""
    yaw: float
    """Radians from the robot's x axis to the thing's front."""
    grip: tuple[float, float, float]
    """Metres, where a hand takes it."""
    sigma: float
    """Metres: one standard deviation of the grip, in the direction in which it is the largest."""
    residual: float
    """Pixels, root mean square, by which the corners miss."""


def stands_upright(
    points: Sequence[Floats], pixels: Sequence[Floats], grip: Sequence[float], lens: Lens, mount: Mount
) -> Fit | None:
    """Fit an upright thing; None where its corners fit no thing before the camera.

    `points` are its tags' corners in its frame, (4, 3) metres each; `pixels` the same corners without distortion,
    (4, 2) each; `grip` is in its frame, too.
    """
    model, seen = np.vstack(points), np.vstack(pixels)
    first = tag_middle(points[0], pixels[0], lens)
    if first is None:
        return None
    foot = mount.to_robot(first[None])[0]
    rows = []
    for yaw in np.linspace(0.0, 2 * math.pi, GUESSES, endpoint=False):
        guess = np.array([*(foot - turn("z", float(yaw)) @ model[:4].mean(axis=0)), yaw])
        rows.append((_cost(guess, model, seen, lens, mount), guess))
    rows.sort(key=lambda row: row[0])
    refined = [_refine(guess, model, seen, lens, mount) for cost, guess in rows[:REFINED] if math.isfinite(cost)]
    found = [(cost, values) for cost, values in refined if math.isfinite(cost)]
    if not found:
        return None
    return _as_fit(sorted(found, key=lambda row: row[0]), model, np.array(grip, dtype=float), lens, mount)


def flat(points: Floats, pixels: Floats, lens: Lens) -> tuple[Floats, Floats] | None:
    """Return the rotation (3, 3) and position (3), camera's frame, of a flat pattern with z = 0; None where none fits.

    By the homography, so that the rotation of a small pattern is not to be relied on; its position is.
    """
    rays = (pixels - (lens.cx, lens.cy)) / (lens.fx, lens.fy)
    zero = np.zeros((len(points), 3))
    flat_points = np.column_stack([points[:, :2], np.ones(len(points))])
    rows = np.vstack(
        [
            np.hstack([flat_points, zero, -rays[:, :1] * flat_points]),
            np.hstack([zero, flat_points, -rays[:, 1:] * flat_points]),
        ]
    )
    matrix = np.linalg.svd(rows)[2][-1].reshape(3, 3)
    scale = float(np.linalg.norm(matrix[:, :2], axis=0).mean())
    if not math.isfinite(scale) or scale < 1e-12:
        return None
    matrix = matrix / math.copysign(scale, matrix[2, 2])
    left, _, right = np.linalg.svd(np.column_stack([matrix[:, 0], matrix[:, 1], np.cross(matrix[:, 0], matrix[:, 1])]))
    return left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right, matrix[:, 2]


def tag_middle(corners: Floats, pixels: Floats, lens: Lens) -> Floats | None:
    """Return where the middle of one tag is, (3,), camera's frame; None where it fits nothing.

    `corners` (4, 3) metres are those of any frame: only how large the square is, is taken from them.
    """
    found = flat(square(float(np.linalg.norm(corners[1] - corners[0]))), pixels, lens)
    return None if found is None else found[1]


def square(side: float) -> Floats:
    """Return the corners (4, 3) of a square about the origin, metres, in the order of camera/tags.py."""
    half = side / 2
    return np.array([[-half, -half, 0.0], [half, -half, 0.0], [half, half, 0.0], [-half, half, 0.0]])


def camera_before(points: Floats, pixels: Floats, lens: Lens) -> tuple[Mount, float] | None:
    """Return where a camera is that sees flat, level `points` (n, 3; robot frame, one z), and the residual in pixels.

    All six unknowns, so that the pattern has to be large: a sheet of tags, not one of them. None where nothing fits.
    """
    middle = points.mean(axis=0)
    found = flat(points - middle, pixels, lens)
    if found is None:
        return None
    rotation, position = found
    mount = mount_of(rotation.T, middle - rotation.T @ position)
    values = np.array([*mount.position, mount.pitch, mount.yaw, mount.roll])

    def off(guess: Floats) -> Floats:
        return missed_by(_mount(guess).to_camera(points), pixels, lens)

    values, cost = gauss_newton(values, off)
    return (_mount(values), cost) if math.isfinite(cost) else None


def _mount(values: Floats) -> Mount:
    x, y, z, pitch, yaw, roll = (float(value) for value in values)
    return Mount((x, y, z), pitch, yaw, roll)


def _placed(values: Floats, model: Floats) -> Floats:
    return np.asarray(model @ turn("z", float(values[3])).T + values[:3])


def _cost(values: Floats, model: Floats, seen: Floats, lens: Lens, mount: Mount) -> float:
    return rms(missed_by(mount.to_camera(_placed(values, model)), seen, lens))


def _refine(values: Floats, model: Floats, seen: Floats, lens: Lens, mount: Mount) -> tuple[float, Floats]:
    def off(guess: Floats) -> Floats:
        return missed_by(mount.to_camera(_placed(guess, model)), seen, lens)

    best, cost = gauss_newton(values, off)
    return cost, best


def _as_fit(found: list[tuple[float, Floats]], model: Floats, grip: Floats, lens: Lens, mount: Mount) -> Fit:
    cost, values = found[0]

    def projected(guess: Floats) -> Floats:
        return lens.project(mount.to_camera(_placed(guess, model))).ravel()

    def held(guess: Floats) -> Floats:
        return _placed(guess, grip[None])[0]

    slope = slope_of(values, projected)
    spread = np.linalg.pinv(slope.T @ slope) * max(cost, LEAST_RESIDUAL) ** 2
    lever = slope_of(values, held)
    sigma = math.sqrt(float(np.linalg.eigvalsh(lever @ spread @ lever.T).max()))
    twins = (held(other) for rms, other in found[1:] if rms <= TWIN * max(cost, LEAST_RESIDUAL))
    apart = max((float(np.linalg.norm(held(values) - twin)) for twin in twins), default=0.0)
    x, y, z = (float(value) for value in values[:3])
    gx, gy, gz = (float(value) for value in held(values))
    yaw = math.remainder(float(values[3]), 2 * math.pi)
    return Fit((x, y, z), yaw, (gx, gy, gz), max(sigma, apart / 2), cost)
