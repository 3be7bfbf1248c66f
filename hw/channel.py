"""Joints that move together: where they shall be, what went out to their servos, where they are."""

from collections.abc import Sequence

from hw.limits import bound_goal
from hw.motion import Positions, stopping_point
from hw.servo import Target
from hw.servo_joint import ServoJoint

STOP_FACTOR = 3.0
"""A stop decelerates a joint by so many times its acceleration limit."""


class Channel:
    """Joints that one goal moves: where they shall be, what went out, where they are. Radians, or metres."""

    def __init__(self, joints: Sequence[ServoJoint]) -> None:
        self.joints = tuple(joints)
        self.limits = tuple(joint.limits for joint in joints)
        self.measured: Positions = (0.0,) * len(self.joints)
        self.load = 0.0
        """Largest share of the stall torque among them, 0 to 1."""
        self.setpoint: Positions = self.measured
        self.velocity: Positions = self.measured
        self.sent: Positions = self.measured
        """The last goals on the wire."""
        self._targets: tuple[Positions, dict[int, Target]] = ((), {})
        """What was sent, and how it looked on the wire: joints that hold say the same again and again."""

    @property
    def behind(self) -> bool:
        """The joints cannot follow: what was sent had to stay back from the setpoint."""
        if self.setpoint == self.sent:
            return False
        return any(
            abs(want - out) > limit.velocity * 0.02
            for want, out, limit in zip(self.setpoint, self.sent, self.limits, strict=True)
        )

    @property
    def error(self) -> Positions:
        """Setpoint less measured."""
        return tuple([want - at for want, at in zip(self.setpoint, self.measured, strict=True)])

    def pin(self) -> None:
        """Be where you are."""
        self.setpoint = self.sent = self.measured
        self.velocity = (0.0,) * len(self.joints)

    def freeze(self) -> None:
        """Bring what moves to rest as near as it can; what stands stays."""
        self.setpoint = tuple(
            limit.clamp(stopping_point(at, velocity, STOP_FACTOR * limit.acceleration)) if velocity else out
            for at, out, velocity, limit in zip(self.measured, self.sent, self.velocity, self.limits, strict=True)
        )
        self.velocity = (0.0,) * len(self.joints)

    def advance(self, dt: float) -> None:
        """New goals: towards the setpoint, as far as it may go within dt seconds."""
        self.sent = tuple(
            [
                bound_goal(want, last, at, limit, dt)
                for want, last, at, limit in zip(self.setpoint, self.sent, self.measured, self.limits, strict=True)
            ]
        )

    def targets(self) -> dict[int, Target]:
        """Goals for the wire, by servo; none for a joint so far out of its range that any would be a leap."""
        if self._targets[0] != self.sent:
            self._targets = (
                self.sent,
                {
                    joint.servo: Target(joint.to_steps(value), joint.fastest)
                    for joint, value in zip(self.joints, self.sent, strict=True)
                    if joint.limits.lower <= value <= joint.limits.upper
                },
            )
        return self._targets[1]
