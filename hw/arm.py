"""An arm of servos with a gripper, on one bus."""

from collections.abc import Generator, Mapping
from typing import Any

from hw.bus import Counters
from hw.channel import Channel
from hw.description import ArmDescription
from hw.device import Component
from hw.device_faults import ComponentError, FaultCode
from hw.limits import LOOK_AHEAD
from hw.servo import Memory, Packet, Procedure, Question, Target
from hw.servo_group import STILL, ServoGroup
from hw.servo_joint import ServoJoint
from hw.servo_port import ServoPort
from hw.state import Lifecycle, Standstill

ASKED_AGAIN = 5
"""Times that an arm which does not keep still is asked again where it is."""
SAME_PLACE = 60
"""Steps, 5 degrees, that an arm without torque may sink between two questions."""
_RANGE_SLACK = 12
"""Steps (about one degree) that a joint may rest outside its range and still be activated."""
STALLED = 1.0
"""Seconds that a joint may push with nearly all its effort and not move."""
NEARLY = 0.95
ASTRAY, ASTRAY_FOR = 0.15, 0.2
"""Radians that a joint may be off the place where it is held, and seconds; nobody asked it to move."""


class ServoArm(Component):
    """Joints and a gripper on one bus."""

    def __init__(self, description: ArmDescription, port: ServoPort, feedback_timeout: float) -> None:
        super().__init__(description.name, feedback_timeout)
        self.description = description
        self.arm = Channel(description.joints)
        self.gripper = Channel([description.gripper])
        self.carried = 0.0
        """Kilograms in the hand, as far as somebody has said."""
        self.held = True
        """No goal moves its joints: they ought to stay where they are. The body says so."""
        self._servos = ServoGroup((*description.joints, description.gripper), description, port, feedback_timeout)
        self._family = description.family
        self._pushing: dict[int, float] = {}
        """Seconds that a joint has been pushing in vain; those that do not are not in it."""
        self._weakest = min(joint.effort for joint in description.joints)
        self._astray = 0.0
        """Seconds that a joint has been off the place where it is held."""

    @property
    def counters(self) -> Counters:
        """Return what happened on the bus since its port was opened."""
        return self._servos.counters

    def fileno(self) -> int | None:
        return self._servos.fileno()

    @property
    def asking(self) -> bool:
        return self._servos.busy

    @property
    def resting(self) -> bool:
        if not self._servos.open:
            return True
        if self._servos.bus.paused or not self._servos.bus.steady or self._pushing:
            return False
        return not any(self.arm.velocity) and self._servos.fastest < STILL

    @property
    def activating(self) -> bool:
        return self._servos.busy and self.lifecycle is Lifecycle.INACTIVE

    @property
    def voltage(self) -> float | None:
        return self._servos.voltage

    def details(self) -> list[dict[str, Any]]:
        return self._servos.details()

    def stop(self) -> bool:
        if not self._servos.open:
            return False
        if self.activating:
            self._servos.bus.abandon()
        if not self.powered:
            return False
        self.arm.freeze()
        self.gripper.freeze()
        self.deactivate()
        troubles = len(self.troubles)
        self._guard(lambda: self._servos.bus.send_goals(self._goals(LOOK_AHEAD)))
        return len(self.troubles) == troubles

    def clear(self) -> None:
        """A servo that has lost its torque is given it anew by activation; until then nobody says that it holds."""
        super().clear()
        if self._servos.open and any(self._servos.bus.limp(joint.servo) for joint in self._servos.joints):
            self._servos.bus.forget_limp()
            self.powered = False

    def standstill(self, since: float) -> Standstill:
        return self._servos.standstill(since)

    def _open(self, now: float) -> None:
        self._servos.connect(self._configure(), now)

    def _close_port(self) -> None:
        self._servos.disconnect()

    def _receive(self, now: float) -> None:
        if self._servos.receive(now):
            for channel in (self.arm, self.gripper):
                channel.measured = self._servos.measured(channel.joints, channel.measured)
                channel.load = self._servos.load(channel.joints)

    def _tick(self, now: float, dt: float) -> None:
        self._servos.bus.cycle(now, self._goals_in_sight(now, dt) if self.powered else {})
        if self.lifecycle is Lifecycle.FAULT:
            self._servos.explain(now)
            return
        self._servos.check(now, self.powered)
        self.troubles += self._servos.take_warnings()
        if not self._servos.bus.paused:
            self._check_pushing(dt)
            self._check_hold(dt)

    def _goals(self, dt: float) -> dict[int, Target]:
        for channel in (self.arm, self.gripper):
            channel.advance(dt)
        return self.arm.targets() | self.gripper.targets()

    def _goals_in_sight(self, now: float, dt: float) -> dict[int, Target]:
        """New goals while every joint was seen just now; else the last ones again."""
        if seen := self._servos.seen_for(now, dt):
            return self._goals(seen)
        return self.arm.targets() | self.gripper.targets()

    def _check_pushing(self, dt: float) -> None:
        """ComponentError for a joint that pushes with all it has, and stays where it is."""
        if not self.active or self.arm.load < NEARLY * self._weakest:
            self._pushing.clear()
            return
        for joint in self.description.joints:
            reading = self._servos.bus.readings.get(joint.servo)
            if reading is None:
                continue
            if abs(reading.state.load) < NEARLY * joint.effort * 1000 or abs(reading.state.speed) >= 10:
                self._pushing.pop(joint.servo, None)
                continue
            self._pushing[joint.servo] = self._pushing.get(joint.servo, 0.0) + dt
            if self._pushing[joint.servo] > STALLED:
                self._pushing.clear()
                self.arm.pin()
                raise ComponentError(
                    FaultCode.STALL,
                    f"{joint.name} is blocked: it pushes with {reading.state.load / 10:.0f} % and stays",
                )

    def _check_hold(self, dt: float) -> None:
        """ComponentError for a joint that leaves its place though nobody asked: standstill monitoring, the safe
        operating stop of IEC 61800-5-2, as far as software can.
        """
        off = max([abs(error) for error in self.arm.error]) if self.active and self.held else 0.0
        self._astray = self._astray + dt if off > ASTRAY else 0.0
        if self._astray > ASTRAY_FOR:
            error, joint = max(zip(map(abs, self.arm.error), self.description.joints, strict=True), key=lambda e: e[0])
            self._astray = 0.0
            self.arm.pin()
            raise ComponentError(FaultCode.HOLD_LOST, f"{joint.name} is {error:.2f} rad off where it was held")

    def _configure(self) -> Procedure:
        """Every servo answers, is what it was calibrated as, and knows its range. Torque stays as it is.

        Nothing is written to an arm that was never calibrated: nobody knows where it would go.
        """
        for joint in self._servos.joints:
            yield from self._servos.identify(joint)
        if missing := self.description.uncalibrated:
            raise ComponentError(FaultCode.NOT_CALIBRATED, f"nobody has told where the zero of {', '.join(missing)} is")
        for joint in self._servos.joints:
            if joint.memory:
                yield from self._compare(joint, joint.memory)
            yield from self._family.configure(joint.servo, None if joint.memory else joint.step_range)
        yield from self._locate()
        self.lifecycle = Lifecycle.INACTIVE
        self.reason = self.hint = ""

    def _check_memory(self, joint: ServoJoint) -> Procedure:
        """A damaged packet may have written another range into a servo, which then runs to its end."""
        if joint.memory:
            yield from self._compare(joint, joint.memory)
        elif (yield from self._family.memory(joint.servo))[1:3] != joint.step_range:
            yield from self._family.configure(joint.servo, joint.step_range)

    def _compare(self, joint: ServoJoint, calibrated: Memory) -> Procedure:
        found = yield from self._family.memory(joint.servo)
        if found != calibrated.kept:
            raise ComponentError(
                FaultCode.CALIBRATION_MISMATCH,
                f"servo {joint.servo} ({joint.name}) holds {found}; it was calibrated as {calibrated}",
            )

    def _locate(self) -> Generator[Question, Packet, dict[ServoJoint, int]]:
        """Find where every servo is now, in steps; the channels know it too then."""
        positions = yield from self._ask_positions()
        self._know(positions)
        return positions

    def _ask_positions(self) -> Generator[Question, Packet, dict[ServoJoint, int]]:
        positions = {}
        for joint in self._servos.joints:
            positions[joint] = yield from self._family.position(joint.servo)
        return positions

    def _locate_surely(self) -> Generator[Question, Packet, dict[ServoJoint, int]]:
        """As _locate(), but every servo says so twice: one false answer would become a goal."""
        before = yield from self._ask_positions()
        for _ in range(ASKED_AGAIN):
            positions = yield from self._ask_positions()
            if all(abs(positions[joint] - before[joint]) <= SAME_PLACE for joint in self._servos.joints):
                self._know(positions)
                return positions
            before = positions
        raise ComponentError(FaultCode.NOT_READY, "its joints do not keep still: hold the arm, then activate again")

    def _know(self, positions: Mapping[ServoJoint, int]) -> None:
        for channel in (self.arm, self.gripper):
            channel.measured = tuple(joint.from_steps(positions[joint]) for joint in channel.joints)

    def _release(self) -> None:
        self._servos.release()

    def _activate(self, now: float) -> None:
        self._servos.bus.start(self._pin_and_power(), now)

    def _pin_and_power(self) -> Procedure:
        """Goals to where the joints are, effort bounded, then torque on, one joint after the other.

        Each is looked at again just before: an arm without torque sinks while others get theirs. What is repeated to
        all of them meanwhile is where they are, too, not where they were sent before somebody moved them.
        """
        for joint, steps in (yield from self._locate_surely()).items():
            _check_range(joint, steps)
        self.arm.pin()
        self.gripper.pin()
        held = {}
        for joint in self._servos.joints:
            yield from self._check_memory(joint)
            steps = yield from self._family.position(joint.servo)
            held[joint] = _check_range(joint, steps)
            yield from self._family.power(joint.servo, held[joint], joint.effort)
        self._know(held)
        self.arm.pin()
        self.gripper.pin()
        self._servos.bus.forget_limp()
        self.powered = True
        self.lifecycle = Lifecycle.ACTIVE


def _check_range(joint: ServoJoint, steps: int) -> int:
    """The nearest step within its range; ComponentError when that is far."""
    low, high = joint.step_range
    if not low - _RANGE_SLACK <= steps <= high + _RANGE_SLACK:
        raise ComponentError(FaultCode.OUT_OF_RANGE, f"{joint.name} is at step {steps}, outside {low} to {high}")
    return min(max(steps, low), high)
