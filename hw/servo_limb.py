"""Servos that move together and hold where they are: what an arm and a head have in common."""

from collections.abc import Generator, Mapping, Sequence
from typing import Protocol

from hw.bus import Counters
from hw.channel import Channel
from hw.device_faults import ComponentError, FaultCode
from hw.limits import LOOK_AHEAD
from hw.servo import Memory, Packet, Procedure, Question, Target
from hw.servo_component import ServoComponent
from hw.servo_group import STILL, ServoGroup, ServoLimits
from hw.servo_joint import ServoJoint
from hw.servo_port import ServoPort
from hw.state import Lifecycle

ASKED_AGAIN = 5
"""Times that servos which do not keep still are asked again where they are."""
SAME_PLACE = 60
"""Steps, 5 degrees, that a limb without torque may sink between two questions."""
_RANGE_SLACK = 12
"""Steps (about one degree) that a joint may rest outside its range and still be activated."""


class LimbDescription(ServoLimits, Protocol):
    """What a description says of a limb."""

    @property
    def name(self) -> str: ...

    @property
    def uncalibrated(self) -> tuple[str, ...]:
        """Joints of which nobody knows where their zero is: the limb stays without torque."""


class ServoLimb(ServoComponent):
    """Joints on one bus, in one channel or several."""

    def __init__(
        self, description: LimbDescription, channels: Sequence[Channel], port: ServoPort, feedback_timeout: float
    ) -> None:
        super().__init__(description.name, feedback_timeout)
        self._channels = tuple(channels)
        self._uncalibrated = description.uncalibrated
        joints = [joint for channel in channels for joint in channel.joints]
        self._servos = ServoGroup(joints, description, port, feedback_timeout)
        self._family = port.family

    @property
    def counters(self) -> Counters:
        """Return what happened on the bus since its port was opened."""
        return self._servos.counters

    @property
    def _still(self) -> bool:
        return not any(self._channels[0].velocity) and self._servos.fastest < STILL

    def _come_to_rest(self) -> dict[int, Target]:
        for channel in self._channels:
            channel.freeze()
        return self._goals(LOOK_AHEAD)

    def _open(self, now: float) -> None:
        self._servos.connect(self._configure(), now)

    def _receive(self, now: float) -> None:
        if self._servos.receive(now):
            for channel in self._channels:
                channel.measured = self._servos.measured(channel.joints, channel.measured)
                channel.load = self._servos.load(channel.joints)

    def _tick(self, now: float, dt: float) -> None:
        self._servos.bus.cycle(now, self._goals_in_sight(now, dt) if self.powered else {})
        self._look_after(now)

    def _goals(self, dt: float) -> dict[int, Target]:
        for channel in self._channels:
            channel.advance(dt)
        return self._targets()

    def _targets(self) -> dict[int, Target]:
        return {servo: target for channel in self._channels for servo, target in channel.targets().items()}

    def _goals_in_sight(self, now: float, dt: float) -> dict[int, Target]:
        """New goals while every joint was seen just now; else the last ones again."""
        if seen := self._servos.seen_for(now, dt):
            return self._goals(seen)
        return self._targets()

    def _configure(self) -> Procedure:
        """Every servo answers, is what it was calibrated as, and knows its range. Torque stays as it is.

        Nothing is written to a limb that was never calibrated: nobody knows where it would go.
        """
        for joint in self._servos.joints:
            yield from self._servos.identify(joint)
        if missing := self._uncalibrated:
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

    def _pin(self) -> None:
        for channel in self._channels:
            channel.pin()

    def _know(self, positions: Mapping[ServoJoint, int]) -> None:
        for channel in self._channels:
            channel.measured = tuple(joint.from_steps(positions[joint]) for joint in channel.joints)

    def _activate(self, now: float) -> None:
        self._servos.bus.start(self._pin_and_power(), now)

    def _pin_and_power(self) -> Procedure:
        """Goals to where the joints are, effort bounded, then torque on, one joint after the other.

        Each is looked at again just before: a limb without torque sinks while others get theirs. What is repeated to
        all of them meanwhile is where they are, too, not where they were sent before somebody moved them.
        """
        for joint, steps in (yield from self._locate_surely()).items():
            _check_range(joint, steps)
        self._pin()
        held = {}
        for joint in self._servos.joints:
            yield from self._check_memory(joint)
            steps = yield from self._family.position(joint.servo)
            held[joint] = _check_range(joint, steps)
            yield from self._family.power(joint.servo, held[joint], joint.effort)
        self._know(held)
        self._pin()
        self._servos.bus.forget_limp()
        self.powered = True
        self.lifecycle = Lifecycle.ACTIVE


def _check_range(joint: ServoJoint, steps: int) -> int:
    """The nearest step within its range; ComponentError when that is far."""
    low, high = joint.step_range
    if not low - _RANGE_SLACK <= steps <= high + _RANGE_SLACK:
        raise ComponentError(FaultCode.OUT_OF_RANGE, f"{joint.name} is at step {steps}, outside {low} to {high}")
    return min(max(steps, low), high)
