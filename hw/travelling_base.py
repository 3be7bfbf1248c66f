"""Feetech wheels that are told short ways: never a velocity, since they have no dead-man.

Each tick anew, and never further ahead than a wheel rolls in LOOK_AHEAD seconds: whatever falls silent (a cable, this
process, the computer), they end their way and hold. It is the rule by which arms live, with wheels as joints that
have no end.
"""

import math
from pathlib import Path

from hw import feetech_wheel
from hw.base_description import ServoBaseDescription
from hw.odometry import Turns
from hw.protocol.sts import STEPS_PER_TURN
from hw.rolling import RollingWheels
from hw.servo import Procedure, Target
from hw.servo_base import TURN, ServoBase
from hw.servo_joint import ServoJoint
from hw.servo_port import ServoPort
from hw.state import Lifecycle, Twist


class TravellingBase(ServoBase):
    """A servo for each wheel, and a count of its turns that begins anew now and then, at standstill."""

    def __init__(
        self, description: ServoBaseDescription, port: ServoPort, feedback_timeout: float, note: Path | None = None
    ) -> None:
        super().__init__(description, RollingWheels(description.joints), port, feedback_timeout, note)
        self._uncounted = [0.0] * len(description.joints)
        """Radians that each wheel had turned when its count began anew."""
        self._counts_anew = False
        """The counts are beginning anew: no goal in the old ones may go out."""

    def _give_up(self) -> None:
        super()._give_up()
        if self._counts_anew:  # they stand, and some have no torque
            self._give_up_count()

    def _close_port(self) -> None:
        super()._close_port()
        self._counts_anew = False

    def _receive(self, now: float) -> None:
        if self._counts_anew:
            self._servos.receive(now)
        else:
            super()._receive(now)

    def _tick(self, now: float, dt: float) -> None:
        if self._counts_anew:
            self._wait_for_count(now)
            return
        super()._tick(now, dt)
        self._count_anew_when_far(now)

    def _wait_for_count(self, now: float) -> None:
        self._servos.bus.cycle(now, {})
        if self.lifecycle is not Lifecycle.FAULT:
            self._servos.check(now, False)

    def _turns(self) -> Turns:
        ways = zip(self.wheels.measured, self._uncounted, strict=True)
        return tuple([(counted + before) / TURN for counted, before in ways])

    def _goals_in_sight(self, now: float, dt: float) -> dict[int, Target]:
        if self._far:
            self.wanted = Twist()
        return super()._goals_in_sight(now, dt)

    @property
    def _far(self) -> bool:
        """A count comes near to its end."""
        far = feetech_wheel.FAR * TURN / STEPS_PER_TURN
        return any(abs(angle) > far for angle in self.wheels.measured)

    def _count_anew_when_far(self, now: float) -> None:
        if self.active and self._far and self.at_rest and not self._servos.bus.paused:
            self._counts_anew = True
            self._servos.bus.start(self._count_anew(), now)

    def _count_anew(self) -> Procedure:
        """One wheel after the other: torque off, count from the first turn again, hold there."""
        for number, joint in enumerate(self.wheels.joints):
            before = joint.to_steps(self.wheels.measured[number])
            steps = yield from feetech_wheel.count_anew(joint.servo)
            moved = math.remainder(steps - before, STEPS_PER_TURN)
            self._uncounted[number] += (before + moved - steps) * joint.scale
            yield from self._servos.family.power(joint.servo, steps, joint.effort)
            self._know(number, steps)
        self._hold_here()
        self._counts_anew = False

    def _give_up_count(self) -> None:
        """A count of which nobody knows whether it has begun anew: no torque, and odometry starts over."""
        self._servos.bus.abandon()
        self._counts_anew = False
        self.odometry.localised = False
        self.cut()

    def _set_up(self, servo: int) -> Procedure:
        yield from feetech_wheel.set_up(servo)

    def _hold(self, number: int, joint: ServoJoint) -> Procedure:
        steps = yield from self._servos.family.position(joint.servo)
        yield from self._servos.family.power(joint.servo, steps, joint.effort)
        self._know(number, steps)
