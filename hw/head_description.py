"""A head as a robot's file describes it, and which way it turns to look at a point. Pure."""

import math
from dataclasses import dataclass

from hw.servo_joint import ServoJoint

Point = tuple[float, float, float]


@dataclass(frozen=True)
class HeadDescription:
    """Pan and tilt on the bus of an arm."""

    bus: str
    """The arm whose port they share."""
    pivot: Point
    """Where the axes of pan and tilt cross, robot frame; metres."""
    joints: tuple[ServoJoint, ServoJoint]
    """Pan, positive to the left, and tilt, positive down."""
    temperature: float = 65.0
    voltage: tuple[float, float] = (0.0, math.inf)
    models: frozenset[int] = frozenset()
    uncalibrated: tuple[str, ...] = ()
    name: str = "head"

    def towards(self, point: Point) -> tuple[float, float]:
        """Return pan and tilt (radians) that look at a point of the robot frame, whether they can be reached or not."""
        ahead, left, up = (at - pivot for at, pivot in zip(point, self.pivot, strict=True))
        return math.atan2(left, ahead), math.atan2(-up, math.hypot(ahead, left))
