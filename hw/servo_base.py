"""A base whose wheels are Feetech servos, on the bus of an arm.

They have no dead-man. So they are never told a velocity, but short ways, each tick anew, and never further ahead than a
wheel rolls in LOOK_AHEAD seconds: whatever falls silent (a cable, this process, the computer), they end their way and
hold. It is the rule by which arms live, with wheels as joints that have no end.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hw import feetech_wheel
from hw.base import WheelBase
from hw.base_description import ServoBaseDescription
from hw.odometry import Turns
from hw.protocol.sts import STEPS_PER_TURN
from hw.rolling import RollingWheels
from hw.servo import Procedure, Target
from hw.servo_group import ServoGroup
from hw.servo_joint import ServoJoint
from hw.servo_port import ServoPort
from hw.state import Lifecycle, Standstill, Twist

TURN = 2 * math.pi


class ServoBase(WheelBase):
    """A servo for each wheel."""

    def __init__(
        self, description: ServoBaseDescription, port: ServoPort, feedback_timeout: float, note: Path | None = None
    ) -> None:
        super().__init__(description, feedback_timeout, note)
        self.description = description
        self.wheels = RollingWheels(description.joints)
        self._servos = ServoGroup(description.joints, description, port, feedback_timeout)
        self._uncounted = [0.0] * len(description.joints)
        """Radians that each wheel had turned when its count began anew."""
        self._counts_anew = False
        """The counts are beginning anew: no goal in the old ones may go out."""

    def fileno(self) -> int | None:
        return self._servos.fileno()

    @property
    def asking(self) -> bool:
        return self._servos.busy

    @property
    def activating(self) -> bool:
        return self._servos.busy and self.lifecycle is Lifecycle.INACTIVE

    @property
    def resting(self) -> bool:
        if not self._servos.open:
            return True
        bus = self._servos.bus
        return not bus.paused and bus.steady and not any(self.wanted) and self.at_rest

    @property
    def voltage(self) -> float | None:
        return self._servos.voltage

    @property
    def fastest(self) -> float:
        return self._servos.fastest / TURN

    def details(self) -> list[dict[str, Any]]:
        return self._servos.details()

    def standstill(self, since: float) -> Standstill:
        return self._servos.standstill(since)

    def stop(self) -> bool:
        self.halt()
        if not self._servos.open:
            return False
        if self.activating:
            self._servos.bus.abandon()
        if self._counts_anew:  # they stand, and some have no torque
            self._give_up_count()
        if not self.powered:
            return False
        self.deactivate()
        troubles = len(self.troubles)
        self._guard(lambda: self._servos.bus.send_goals(self.wheels.brake()))
        return len(self.troubles) == troubles

    def release(self) -> None:
        self.cut()

    def _open(self, now: float) -> None:
        self._servos.connect(self._configure(), now)

    def _close_port(self) -> None:
        self._servos.disconnect()
        self._counts_anew = False
        self.halt()

    def _receive(self, now: float) -> None:
        if self._servos.receive(now) and not self._counts_anew:
            self.wheels.measured = self._servos.measured(self.wheels.joints, self.wheels.measured)

    def _tick(self, now: float, dt: float) -> None:
        self._servos.bus.cycle(now, self._goals_in_sight(now, dt) if self.powered else {})
        if self.lifecycle is not Lifecycle.UNCONFIGURED and not self._counts_anew:
            self._follow_wheels(now)
            self._count_anew_when_far(now)
        if self.lifecycle is Lifecycle.FAULT:
            self._servos.explain(now)
            return
        self._servos.check(now, self.powered and not self._counts_anew)
        self.troubles += self._servos.take_warnings()

    def _turns(self) -> Turns:
        ways = zip(self.wheels.measured, self._uncounted, strict=True)
        return tuple([(counted + before) / TURN for counted, before in ways])

    def _goals_in_sight(self, now: float, dt: float) -> dict[int, Target]:
        """New goals while every wheel was seen just now; else the last ones again, where they come to rest."""
        if self._counts_anew:
            return {}
        if not (seen := self._servos.seen_for(now, dt)):
            self.twist = Twist()
            self.wheels.let_run_out()
            return self.wheels.targets
        if self._far:
            self.wanted = Twist()
        self._ramp(seen)
        radius = self.description.wheel_radius
        return self.wheels.roll([speed / radius for speed in self._kinematics.speeds(self.twist)], seen)

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

    def _configure(self) -> Procedure:
        """Every wheel answers, is what we know, turns no more, and its Phase says what it should: then it is set up."""
        for joint in self.wheels.joints:
            yield from self._servos.identify(joint)
            yield from feetech_wheel.let_go(joint.servo)
        for joint in self.wheels.joints:
            yield from feetech_wheel.check_phase(joint.servo, self.description.phase)
        for joint in self.wheels.joints:
            yield from feetech_wheel.set_up(joint.servo)
        yield from self._locate(self.wheels.joints)
        self._restore()
        self.lifecycle = Lifecycle.INACTIVE
        self.reason = self.hint = ""

    def _activate(self, now: float) -> None:
        self._servos.bus.start(self._power(), now)

    def _power(self) -> Procedure:
        """Settings once more, since a servo may have been replaced; then each holds where it stands."""
        for joint in self.wheels.joints:
            yield from feetech_wheel.check_phase(joint.servo, self.description.phase)
            yield from feetech_wheel.set_up(joint.servo)
        for number, joint in enumerate(self.wheels.joints):
            steps = yield from self._servos.family.position(joint.servo)
            yield from self._servos.family.power(joint.servo, steps, joint.effort)
            self._know(number, steps)
        self._hold_here()
        self.powered = True
        self.lifecycle = Lifecycle.ACTIVE

    def _locate(self, joints: Sequence[ServoJoint]) -> Procedure:
        for number, joint in enumerate(joints):
            self._know(number, (yield from self._servos.family.position(joint.servo)))

    def _know(self, number: int, steps: int) -> None:
        measured = list(self.wheels.measured)
        measured[number] = self.wheels.joints[number].from_steps(steps)
        self.wheels.measured = tuple(measured)

    def _hold_here(self) -> None:
        self._servos.bus.forget()
        self.halt()
        self.wheels.pin()

    def _release(self) -> None:
        self._servos.release()
