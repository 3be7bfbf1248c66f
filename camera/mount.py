"""Mount: where a camera sits on the robot and where it looks. Pure geometry.

The robot frame is hw/state.py's: x forward, y left, z up, on the floor between the wheels. Angles are those of a tip:
pitch 0 looks level and positive down, yaw turns to the left, roll tilts the picture clockwise.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from camera.lens import Floats

_AHEAD = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""The camera's axes (right, down, ahead) in the frame of whoever looks level and straight ahead."""


@dataclass(frozen=True)
class Mount:
    """A camera that is fixed to the robot."""

    position: tuple[float, float, float]
    """Metres, robot frame."""
    pitch: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0
    """Radians."""

    @cached_property
    def rotation(self) -> Floats:
        """Rotation from the camera's frame to the robot's, (3, 3)."""
        return turn("z", self.yaw) @ turn("y", self.pitch) @ turn("x", self.roll) @ _AHEAD

    def to_camera(self, points: Floats) -> Floats:
        """Return points (n, 3) of the robot frame in the camera's frame; metres."""
        return np.asarray((points - np.array(self.position)) @ self.rotation)

    def to_robot(self, points: Floats) -> Floats:
        """Return points (n, 3) of the camera's frame in the robot frame: the inverse of to_camera."""
        return np.asarray(points @ self.rotation.T + np.array(self.position))


def mount_of(rotation: Floats, position: Floats) -> Mount:
    """Return the mount with this rotation (camera to robot) and position (metres, robot frame)."""
    r = rotation @ _AHEAD.T
    pitch = -math.asin(max(-1.0, min(1.0, float(r[2, 0]))))
    x, y, z = (float(value) for value in position)
    return Mount((x, y, z), pitch, math.atan2(r[1, 0], r[0, 0]), math.atan2(r[2, 1], r[2, 2]))


def turn(axis: str, angle: float) -> Floats:
    """Return the rotation about "x", "y" or "z" by so many radians, (3, 3)."""
    cos, sin = math.cos(angle), math.sin(angle)
    one, other = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[one, one] = matrix[other, other] = cos
    matrix[one, other], matrix[other, one] = -sin, sin
    return matrix
