"""A joint and its servo: radians or metres on one side, steps on the other."""

import math
from dataclasses import dataclass
from functools import cached_property

from hw.limits import JointLimits
from hw.servo import Memory


@dataclass(frozen=True)
class ServoJoint:
    """A joint, or the fingers of a gripper, and its servo; values are linear in steps."""

    name: str
    servo: int
    zero: float
    """Steps where the value is 0."""
    scale: float
    """Radians of a joint, or metres of a gripper's opening, per step; may be negative."""
    limits: JointLimits
    effort: float = 1.0
    """Share of the stall torque that it may use; the servo itself keeps to it."""
    voltage: tuple[float, float] | None = None
    """Volts between which this servo may work; None: those of its component."""
    memory: Memory | None = None
    """What calibration left in the servo; None when it was not calibrated."""

    def to_steps(self, value: float) -> float:
        return self.zero + value / self.scale

    def from_steps(self, steps: float) -> float:
        return (steps - self.zero) * self.scale

    @cached_property
    def fastest(self) -> float:
        """Steps per second."""
        return abs(self.limits.velocity / self.scale)

    @property
    def step_range(self) -> tuple[int, int]:
        """Smallest and largest step within the limits."""
        ends = sorted((self.to_steps(self.limits.lower), self.to_steps(self.limits.upper)))
        return math.floor(ends[0]), math.ceil(ends[1])
