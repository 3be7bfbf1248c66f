"""A base whose wheels are Feetech servos, on the bus of an arm; they have no dead-man of their own.

How they are told to roll is a class of its own: short ways, each tick anew (hw/travelling_base.py), or velocities,
where something outside cuts their supply (hw/spinning_base.py).
"""

import math
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from hw import feetech_wheel
from hw.base import WheelBase
from hw.base_description import ServoBaseDescription
from hw.motion import Positions
from hw.odometry import Turns
from hw.servo import Procedure, Target
from hw.servo_component import ServoComponent
from hw.servo_group import ServoGroup
from hw.servo_joint import ServoJoint
from hw.servo_port import ServoPort
from hw.state import Lifecycle, Twist

TURN = 2 * math.pi


class Wheels(Protocol):
    """The wheels of one base, however they are told to roll; radians."""

    joints: tuple[ServoJoint, ...]
    measured: Positions

    @property
    def targets(self) -> dict[int, Target]:
        """Return what was told last, by servo."""

    def see(self, angles: Sequence[float]) -> None:
        """Take in where they are measured to be."""

    def pin(self) -> None:
        """Be where you are."""

    def roll(self, velocity: Sequence[float], dt: float) -> dict[int, Target]:
        """Go on so fast (rad/s); what to tell."""

    def brake(self) -> dict[int, Target]:
        """Come to rest; what to tell."""

    def let_run_out(self) -> None:
        """Ask for nothing more."""


class ServoBase(ServoComponent, WheelBase):
    """A servo for each wheel."""

    def __init__(
        self,
        description: ServoBaseDescription,
        wheels: Wheels,
        port: ServoPort,
        feedback_timeout: float,
        note: Path | None = None,
    ) -> None:
        super().__init__(description, feedback_timeout, note)
        self.description = description
        self.wheels = wheels
        self._servos = ServoGroup(description.joints, description, port, feedback_timeout)

    @property
    def _still(self) -> bool:
        return not any(self.wanted) and self.at_rest

    @property
    def fastest(self) -> float:
        return self._servos.fastest / TURN

    def stop(self) -> bool:
        self.halt()
        return super().stop()

    def release(self) -> None:
        self.cut()

    def _come_to_rest(self) -> dict[int, Target]:
        return self.wheels.brake()

    def _open(self, now: float) -> None:
        self._servos.connect(self._configure(), now)

    def _close_port(self) -> None:
        super()._close_port()
        self.halt()

    def _receive(self, now: float) -> None:
        if self._servos.receive(now):
            self.wheels.see(self._servos.measured(self.wheels.joints, self.wheels.measured))

    def _tick(self, now: float, dt: float) -> None:
        self._servos.bus.cycle(now, self._goals_in_sight(now, dt) if self.powered else {})
        if self.lifecycle is not Lifecycle.UNCONFIGURED:
            self._follow_wheels(now)
        self._look_after(now)

    def _turns(self) -> Turns:
        return tuple([angle / TURN for angle in self.wheels.measured])

    def _goals_in_sight(self, now: float, dt: float) -> dict[int, Target]:
        """New goals while every wheel was seen just now; else the last ones again, where they come to rest."""
        if not (seen := self._servos.seen_for(now, dt)):
            self.twist = Twist()
            self.wheels.let_run_out()
            return self.wheels.targets
        self._ramp(seen)
        radius = self.description.wheel_radius
        return self.wheels.roll([speed / radius for speed in self._kinematics.speeds(self.twist)], seen)

    def _configure(self) -> Procedure:
        """Every wheel answers, is what we know, turns no more, and its Phase says what it should: then it is set up."""
        for joint in self.wheels.joints:
            yield from self._servos.identify(joint)
            yield from feetech_wheel.let_go(joint.servo)
        for joint in self.wheels.joints:
            yield from feetech_wheel.check_phase(joint.servo, self.description.phase)
        for joint in self.wheels.joints:
            yield from self._set_up(joint.servo)
        for number, joint in enumerate(self.wheels.joints):
            self._know(number, (yield from self._servos.family.position(joint.servo)))
        self._restore()
        self.lifecycle = Lifecycle.INACTIVE
        self.reason = self.hint = ""

    def _activate(self, now: float) -> None:
        self._servos.bus.start(self._power(), now)

    def _power(self) -> Procedure:
        """Settings once more, since a servo may have been replaced; then each holds where it stands."""
        for joint in self.wheels.joints:
            yield from feetech_wheel.check_phase(joint.servo, self.description.phase)
            yield from self._set_up(joint.servo)
        for number, joint in enumerate(self.wheels.joints):
            yield from self._hold(number, joint)
        self._hold_here()
        self._servos.bus.forget_limp()
        self.powered = True
        self.lifecycle = Lifecycle.ACTIVE

    @abstractmethod
    def _set_up(self, servo: int) -> Procedure:
        """Torque off, and the mode in which it rolls; all of it read back."""

    @abstractmethod
    def _hold(self, number: int, joint: ServoJoint) -> Procedure:
        """Give a wheel its torque; it stands where it is."""

    def _know(self, number: int, steps: int) -> None:
        """Take in where one wheel was found."""
        angles = list(self.wheels.measured)
        angles[number] = self.wheels.joints[number].from_steps(steps)
        self.wheels.see(angles)

    def _hold_here(self) -> None:
        self._servos.bus.forget()
        self.halt()
        self.wheels.pin()
