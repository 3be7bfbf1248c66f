"""Wheels that are told places: each a little ahead of where it should be, and how fast to go there.

The speed is that of the wheel, more or less by how far it lags or leads, so that it rolls evenly instead of starting
and stopping a hundred times a second. Where nothing follows, it ends at the place ahead and holds.
"""

from collections.abc import Sequence

from hw.channel import STOP_FACTOR
from hw.limits import LOOK_AHEAD, bound_goal, within
from hw.motion import Positions, stopping_point
from hw.servo import Target
from hw.servo_joint import ServoJoint

LEAD = 0.05
"""Seconds that a place lies ahead: five ticks, half of what it may."""
GAIN = 8.0
"""Per second: how fast a wheel makes up for a lag."""
CREEP = 0.1
"""Radians per second at the least: 0 would mean as fast as it can."""


class RollingWheels:
    """The wheels of one base; radians."""

    def __init__(self, joints: Sequence[ServoJoint]) -> None:
        self.joints = tuple(joints)
        self.measured: Positions = (0.0,) * len(self.joints)
        self._limits = [joint.limits for joint in self.joints]
        self._places: Positions = self.measured
        """Where each should be now."""
        self._velocity: Positions = self.measured
        self._sent: Positions = self.measured
        self._targets: dict[int, Target] = {}

    @property
    def targets(self) -> dict[int, Target]:
        """Return what was told last, by servo."""
        return self._targets

    def see(self, angles: Sequence[float]) -> None:
        """Take in where they are; their servos count turns."""
        self.measured = tuple(angles)

    def pin(self) -> None:
        """Be where you are."""
        self._places = self._sent = self.measured
        self._velocity = (0.0,) * len(self.joints)
        self._aim(0.0)

    def roll(self, velocity: Sequence[float], dt: float) -> dict[int, Target]:
        """Go on so fast (rad/s) for dt seconds; what to tell. What is held back makes up for little afterwards."""
        self._velocity = tuple(velocity)
        self._places = tuple(
            [
                within(place + v * dt, at - limit.velocity * LOOK_AHEAD, at + limit.velocity * LOOK_AHEAD)
                for place, v, at, limit in zip(self._places, velocity, self.measured, self._limits, strict=True)
            ]
        )
        return self._aim(dt)

    def brake(self) -> dict[int, Target]:
        """Bring what rolls to rest as near as it can, and return what to tell; what stands stays."""
        self._places = tuple(
            stopping_point(at, v, STOP_FACTOR * limit.acceleration) if v else told
            for at, v, told, limit in zip(self.measured, self._velocity, self._sent, self._limits, strict=True)
        )
        self._velocity = (0.0,) * len(self.joints)
        return self._aim(LOOK_AHEAD)

    def let_run_out(self) -> None:
        """Let them end where they were told last."""
        self._places = self._sent
        self._velocity = (0.0,) * len(self.joints)

    def _aim(self, dt: float) -> dict[int, Target]:
        ways = zip(self._places, self._velocity, self._sent, self.measured, self._limits, strict=True)
        self._sent = tuple([bound_goal(place + v * LEAD, last, at, limit, dt) for place, v, last, at, limit in ways])
        self._targets = {
            joint.servo: Target(joint.to_steps(goal), self._speed(number) / abs(joint.scale))
            for number, (joint, goal) in enumerate(zip(self.joints, self._sent, strict=True))
        }
        return self._targets

    def _speed(self, number: int) -> float:
        """Return how fast to go there, rad/s."""
        wanted = self._velocity[number] + GAIN * (self._places[number] - self.measured[number])
        return within(abs(wanted), CREEP, self._limits[number].velocity)
