"""Hand and eye in one fit: where the camera sits, and by how much the zeros of an arm's joints are off. Pure.

A tag that the hand holds is seen in many poses. Unknown are the mount (6), each joint's zero, and where in the hand the
tag is (3). What was measured before holds mount and zeros as a prior: the pan of a shoulder and the yaw of a camera are
one and the same otherwise. Gauss-Newton.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from camera.least_squares import gauss_newton
from camera.lens import Floats
from camera.mount import Mount
from camera.trouble import EyesError
from hw.kinematics import Arm

LEAST_POSES, POSES = 8, 15
"""So few are refused; so many are asked for."""
SEEN, DEPTH = 0.002, 0.006
"""Metres across and along the camera's sight by which a tag's middle is off. All of these: one standard deviation."""
MEASURED, TURNED = 0.03, math.radians(2.0)
"""Metres and radians by which a mount is otherwise than it was measured."""
ZERO = math.radians(1.5)
HELD = 0.10
"""Metres from the fingertips at which the tag is held."""


@dataclass(frozen=True)
class Pose:
    """One pose of the arm, standing still."""

    joints: tuple[float, ...]
    """Radians, as the servos tell."""
    seen: Floats
    """Metres, (3,): the middle of the tag in the camera's frame."""


@dataclass(frozen=True)
class HandEye:
    """What came of it."""

    mount: Mount
    zeros: tuple[float, ...]
    """Radians by which each joint stands farther than its servo tells."""
    held: tuple[float, float, float]
    """Metres: the middle of the tag in the frame of the fingertips."""
    residual: float
    """Metres, root mean square, by which the tag is missed."""


def fit_hand_eye(arm: Arm, poses: Sequence[Pose], mount: Mount, zeros: bool = True) -> HandEye:
    """Fit all of it at once; without `zeros` those are taken to be right. Raises EyesError for too few poses."""
    if len(poses) < LEAST_POSES:
        raise EyesError(
            f"{len(poses)} poses are too few", f"show the tag in {POSES} poses, near and far, turned each time"
        )
    rows, seen = np.array([pose.joints for pose in poses]), np.array([pose.seen for pose in poses])
    count = len(arm.joints)
    before = np.array([*mount.position, mount.pitch, mount.yaw, mount.roll])
    zero = ZERO if zeros else ZERO / 1000
    spreads = np.array([*[MEASURED] * 3, *[TURNED] * 3, *[zero] * count, *[HELD] * 3])
    start = np.concatenate([before, np.zeros(count + 3)])

    def missed(values: Floats) -> Floats:
        positions, rotations = arm.frames(rows + values[6 : 6 + count])
        return np.asarray(_mount(values).to_camera(positions + rotations @ values[6 + count :]) - seen)

    def weighed(values: Floats) -> Floats:
        return np.concatenate([(missed(values) / (SEEN, SEEN, DEPTH)).ravel(), (values - start) / spreads])

    values, _ = gauss_newton(start, weighed)
    x, y, z = (float(value) for value in values[6 + count :])
    residual = math.sqrt(float((missed(values) ** 2).sum(axis=1).mean()))
    return HandEye(_mount(values), tuple(float(value) for value in values[6 : 6 + count]), (x, y, z), residual)


def _mount(values: Floats) -> Mount:
    x, y, z, pitch, yaw, roll = (float(value) for value in values[:6])
    return Mount((x, y, z), pitch, yaw, roll)
