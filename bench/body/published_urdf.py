"""The geometry of arms as their makers publish it, to hold our descriptions against.

Numbers from Simulation/ of TheRobotStudio/SO-ARM100, Apache-2.0: so101_new_calib.urdf at 96f799e0 and so100.urdf at
0c8e2892; of the Koch v1.1 from follower_arm_v1.1.urdf of haosulab/ManiSkill at 8b77fd48, Apache-2.0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hw.kinematics import Arm

Floats = NDArray[np.float64]
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Hinge:
    """A revolute joint of a URDF."""

    origin: Point
    """Metres, in the frame of the joint before it."""
    rpy: Point
    """Roll, pitch and yaw of its frame; radians."""
    axis: Point = (0, 0, 1)


@dataclass(frozen=True)
class PublishedArm:
    """An arm from its first joint to its tip."""

    hinges: tuple[Hinge, ...]
    tip: Point
    """In the frame of the last joint; metres. (0, 0, 0) where the URDF has none: then the wrist is compared."""
    zeros: tuple[float, ...]
    """Its angles where our description has all its joints at zero; radians."""
    signs: tuple[int, ...] = (-1, 1, 1, 1, -1)
    """1 where a positive angle of the URDF, and of LeRobot, turns as a positive one of ours."""
    heading: float = -math.pi / 2
    """Of our x axis in its frame; radians."""

    def tip_at(self, angles: Sequence[float]) -> Floats:
        """The tip for these angles of ours, seen from the first joint in our axes: (3,), metres."""
        position, rotation = np.zeros(3), np.eye(3)
        for hinge, angle, zero, sign in zip(self.hinges, angles, self.zeros, self.signs, strict=True):
            position = position + rotation @ np.array(hinge.origin)
            roll, pitch, yaw = hinge.rpy
            fixed = _about((0, 0, 1), yaw) @ _about((0, 1, 0), pitch) @ _about((1, 0, 0), roll)
            rotation = rotation @ fixed @ _about(hinge.axis, zero + sign * angle)
        tip = position + rotation @ np.array(self.tip)
        return np.asarray(_about((0, 0, 1), self.heading).T @ (tip - np.array(self.hinges[0].origin)))


SO101 = PublishedArm(
    hinges=(
        Hinge((0.0207909, -0.0230745, 0.0948817), (-3.14159, 0, 1.5708)),
        Hinge((-0.0303992, -0.0182778, -0.0542), (-1.5708, -1.5708, 0)),
        Hinge((-0.11257, -0.028, 0), (0, 0, 1.5708)),
        Hinge((-0.1349, 0.0052, 0), (0, 0, -1.5708)),
        Hinge((0, -0.0611, 0.0181), (1.5708, 0, 3.14159)),
    ),
    tip=(-0.0079, -0.000218121, -0.0981274),
    zeros=(0.0,) * 5,
)
SO100 = PublishedArm(
    hinges=(
        Hinge((0, -0.0452, 0.0165), (1.57079, 0, 0), (0, 1, 0)),
        Hinge((0, 0.1025, 0.0306), (-1.8, 0, 0), (1, 0, 0)),
        Hinge((0, 0.11257, 0.028), (1.57079, 0, 0), (1, 0, 0)),
        Hinge((0, 0.0052, 0.1349), (-1, 0, 0), (1, 0, 0)),
        Hinge((0, -0.0601, 0), (0, 1.57079, 0), (0, 1, 0)),
    ),
    tip=(0.0, 0.0, 0.0),
    zeros=(0.0, 1.8, -math.pi / 2, 1 - math.pi / 2, 0.0),
    signs=(1, 1, 1, 1, -1),
)
POSES = 500
KOCH = PublishedArm(
    hinges=(
        Hinge((0, -0.011858, 0.020066), (0, 0, 0)),
        Hinge((0.020713, 0, 0.015368), (0, 0, 0), (1, 0, 0)),
        Hinge((-0.038026, -0.014951, 0.108424), (0, 0, 0), (1, 0, 0)),
        Hinge((-0.000251, -0.100502, 0.002641), (0, 0, 0), (1, 0, 0)),
        Hinge((0.019234, 0.00037, -0.044779), (0, 0, 0)),
    ),
    tip=(-0.008, 0, -0.065),
    zeros=(0.0, math.pi / 2, -math.pi / 2, -math.pi / 2, 0.0),
    signs=(1, 1, 1, 1, -1),
)
PUBLISHED = {"so101": SO101, "so100": SO100, "koch": KOCH}
"""By the name of the model."""


def farthest_off(arm: Arm, published: PublishedArm) -> float:
    """The largest distance between our tip, or wrist, and theirs over POSES random poses; metres."""
    angles = np.random.default_rng(1).uniform(-1.5, 1.5, (POSES, len(arm.joints)))
    ours = arm if any(published.tip) else _without_tip(arm)
    return max(
        float(np.linalg.norm(np.array(ours.tips([row])[0]) - ours.mount - published.tip_at(row))) for row in angles
    )


def _without_tip(arm: Arm) -> Arm:
    return Arm(arm.name, arm.joints, arm.mount, arm.mount_yaw, (0.0, 0.0, 0.0), arm.home, arm.workspace)


def _about(axis: Point, angle: float) -> Floats:
    """Rodrigues' rotation: (3, 3)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=float)
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
