"""Wheels that are told velocities: on and on, until they are told another or lose their supply."""

import math
from collections.abc import Sequence

from hw.motion import Positions
from hw.servo import Target
from hw.servo_joint import ServoJoint

TURN = 2 * math.pi
SLOWS_WITHIN = 0.2
"""Seconds in which a wheel at its greatest speed may take to come to rest."""
MORE = 1.0
"""Radians per second by which a wheel may be faster than it was told: how coarsely a servo measures its speed."""


class SpinningWheels:
    """The wheels of one base; radians. Their servos count within one turn, so that turns are counted here."""

    def __init__(self, joints: Sequence[ServoJoint]) -> None:
        self.joints = tuple(joints)
        self.measured: Positions = (0.0,) * len(self.joints)
        self._velocity: Positions = self.measured
        self._expected = 0.0
        """Radians per second that the fastest may have, since it takes a while to slow down."""

    @property
    def targets(self) -> dict[int, Target]:
        """Return what to tell, by servo: speeds; places mean nothing in this mode."""
        told = zip(self.joints, self._velocity, strict=True)
        return {joint.servo: Target(0, round(velocity / joint.scale)) for joint, velocity in told}

    def see(self, angles: Sequence[float]) -> None:
        """Take in where they are within their turn: the nearest such place to where they were."""
        ways = zip(angles, self.measured, strict=True)
        self.measured = tuple([before + math.remainder(angle - before, TURN) for angle, before in ways])

    def pin(self) -> None:
        """Stand."""
        self.let_run_out()
        self._expected = 0.0

    def roll(self, velocity: Sequence[float], dt: float) -> dict[int, Target]:
        """Go on so fast (rad/s); dt: seconds since they were told last."""
        self._velocity = tuple(velocity)
        slower = max(joint.limits.velocity for joint in self.joints) * dt / SLOWS_WITHIN
        self._expected = max(*map(abs, velocity), self._expected - slower)
        return self.targets

    def brake(self) -> dict[int, Target]:
        """Come to rest as fast as the servos can."""
        self.let_run_out()
        return self.targets

    def let_run_out(self) -> None:
        self._velocity = (0.0,) * len(self.joints)

    def obey(self, fastest: float) -> bool:
        """Return whether the fastest (rad/s, as measured) is no faster than it was told."""
        return fastest <= self._expected + MORE
