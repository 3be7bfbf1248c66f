"""Reads along on a wire, before any noise, and says which commands go beyond the robot's description.

The limits are the same file's that heed-hw reads, held against the bytes that it wrote: a check from outside.
Accelerations of joints are lost in the grain of their steps and in the time that bytes take; tests/hw/test_safety.py
looks at those, on a clock that it turns itself.
"""

import itertools
import logging
import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from hw.base_description import AxisBaseDescription, ServoBaseDescription
from hw.description import ArmDescription
from hw.limits import LOOK_AHEAD
from hw.protocol import cansimple, slcan, sts
from hw.servo_joint import ServoJoint
from hw.state import Twist
from sim.register_writes import DYNAMIXEL, FEETECH, Write, Writes
from sim.servo import SimulatedServo
from sim.shaft import Shaft

log = logging.getLogger(__name__)

STEP_SLACK = 2
"""Steps: what rounding may do."""
STALE = 2.0
"""Times LOOK_AHEAD that a goal may lie ahead of the shaft: heed-hw bounds it from a measurement that is older."""
TIP_SLACK = 0.03
"""Metres that a tip may be outside its workspace, since joints do not keep perfect step with one another."""
ROUNDING, TINY = 1.001, 1e-9
"""Share, and metres or radians per second, that arithmetic may do."""
WINDOW, LATE = 0.2, 0.05
"""Seconds over which the base's acceleration is looked at, and that bytes may be late meanwhile."""
TICK = 0.01
"""Seconds between two commands to the base: those that are read together were sent so far apart."""
KEPT = 1000
"""Violations that are kept; a robot that has so many is wrong enough."""


class Inspector(ABC):
    """What came over one wire that should not have."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.goals = 0
        """Commands to move that were checked."""
        self.violations: list[str] = []

    def read(self, data: bytes, now: float) -> None:
        """Take in bytes as they were written to the wire; now: monotonic seconds."""
        for violation in self._check(data, now):
            log.error("%s: %s", self.device, violation)
            if len(self.violations) < KEPT:
                self.violations.append(violation)

    @abstractmethod
    def restart(self) -> None:
        """Forget half a packet: whoever wrote has gone."""

    @abstractmethod
    def _check(self, data: bytes, now: float) -> Iterator[str]:
        """Yield what is wrong with bytes, a sentence each."""


class ArmInspector(Inspector):
    """A servo bus."""

    def __init__(self, arm: ArmDescription, servos: Mapping[int, Shaft]) -> None:
        super().__init__(arm.name)
        self._arm = arm
        self._servos = servos
        self._dialect = DYNAMIXEL if arm.family.name == "dynamixel" else FEETECH
        self._writes = Writes(self._dialect)
        self._joints = {joint.servo: joint for joint in (*arm.joints, arm.gripper)}
        self._held: dict[int, int] = {}
        """The last goal of every servo."""
        self._shown: Mapping[int, int] = {}
        """The goals whose tip was checked last."""

    def restart(self) -> None:
        self._writes.restart()
        self._held.clear()

    def _check(self, data: bytes, now: float) -> Iterator[str]:
        for writes in self._writes.read(data):
            for write in writes:
                if joint := self._joints.get(write.servo):
                    yield from self._check_write(joint, write)
            if len(writes) > 1:
                yield from self._check_tip()

    def _check_write(self, joint: ServoJoint, write: Write) -> Iterator[str]:
        dialect = self._dialect
        low, high = joint.step_range
        goal = dialect.value(dialect.goal, write)
        if goal is not None:
            self.goals += 1
            servo = self._servos[joint.servo]
            yield from self._check_goal(joint, goal - round(servo.count - servo.position))
        speed = dialect.value(dialect.speed, write)
        fastest = joint.fastest + STEP_SLACK * dialect.speed_unit
        if speed is not None and not 0 < speed * dialect.speed_unit <= fastest:
            told = f"{speed * dialect.speed_unit:.0f} steps/s, its limit is {joint.fastest:.0f} (0 means none)"
            yield f"{joint.name} was given the speed {told}"
        torque = dialect.value(dialect.torque, write)
        most = self._arm.gripper_torque
        if joint is self._arm.gripper and torque is not None and torque > most * dialect.full_torque + 1:
            yield f"the gripper was given {torque / dialect.full_torque * 100:.0f} % torque, its limit is {most:.0%}"
        if dialect.value(dialect.power, write) and not self._servos[joint.servo].powered:
            yield from self._check_ahead(joint, "was given torque with its goal")
        for register, end in ((dialect.low, low), (dialect.high, high)):
            value = dialect.value(register, write)
            if value is not None and value != end:
                yield f"{joint.name} was given {value} as an end of its range {low} to {high}"
        mode = dialect.value(dialect.mode, write)
        if mode is not None and mode not in dialect.modes:
            yield f"{joint.name} was put into a mode that has no range"

    def _check_goal(self, joint: ServoJoint, goal: int) -> Iterator[str]:
        low, high = joint.step_range
        if not low <= goal <= high:
            yield f"{joint.name} was sent to step {goal}, its range is {low} to {high}"
        moved = self._held.get(joint.servo) not in (None, goal)
        self._held[joint.servo] = goal
        if moved and self._servos[joint.servo].powered:
            yield from self._check_ahead(joint, "was sent")

    def _check_ahead(self, joint: ServoJoint, deed: str) -> Iterator[str]:
        """Check what a servo with torque runs after."""
        servo = self._servos[joint.servo]
        ahead = abs(self._held.get(joint.servo, servo.position) - servo.position)
        reach = STALE * LOOK_AHEAD * abs(joint.limits.velocity / joint.scale) + STEP_SLACK
        if ahead > reach:
            yield f"{joint.name} {deed} {ahead:.0f} steps ahead; without a dead-man it may be {reach:.0f}"

    def _check_tip(self) -> Iterator[str]:
        joints = self._arm.joints
        if any(joint.servo not in self._held for joint in joints) or self._shown == self._held:
            return
        self._shown = dict(self._held)
        angles = [joint.from_steps(self._held[joint.servo]) for joint in joints]
        tip = self._arm.kinematics.fk(angles)
        low, high = self._arm.kinematics.workspace
        at = (tip.x, tip.y, tip.z)
        if any(not lo - TIP_SLACK <= x <= hi + TIP_SLACK for lo, x, hi in zip(low, at, high, strict=True)):
            yield f"the tip was sent to {_point(at)} m, outside its workspace {low} to {high}"


class WheelInspector(Inspector):
    """Wheels on a servo bus: short ways only, and nothing that turns on by itself unless a dead-man cuts it off."""

    def __init__(self, base: ServoBaseDescription, servos: Mapping[int, SimulatedServo]) -> None:
        super().__init__("base")
        self._servos = servos
        self._writes = Writes(FEETECH)
        self._joints = {joint.servo: joint for joint in base.joints}
        self._check_write = self._check_way if base.dead_man is None else self._check_velocity

    def restart(self) -> None:
        self._writes.restart()

    def _check(self, data: bytes, now: float) -> Iterator[str]:
        for write in itertools.chain.from_iterable(self._writes.read(data)):
            if joint := self._joints.get(write.servo):
                yield from self._check_write(joint, write)

    def _check_velocity(self, joint: ServoJoint, write: Write) -> Iterator[str]:
        speed = FEETECH.value(sts.GOAL_SPEED, write)
        if speed is not None:
            self.goals += 1
        if speed is not None and abs(speed) > joint.fastest + STEP_SLACK:
            yield f"the {joint.name} was told {speed} steps/s, its limit is {joint.fastest:.0f}"

    def _check_way(self, joint: ServoJoint, write: Write) -> Iterator[str]:
        if FEETECH.value(sts.OPERATING_MODE, write):
            yield f"the {joint.name} was put into a mode in which it turns on without end"
        speed = FEETECH.value(sts.GOAL_SPEED, write)
        if speed is not None and not 0 < speed <= joint.fastest + STEP_SLACK:
            yield f"the {joint.name} was given the speed {speed} steps/s, its limit is {joint.fastest:.0f}"
        goal = FEETECH.value(sts.GOAL_POSITION, write)
        if goal is not None:
            self.goals += 1
            yield from self._check_ahead(joint, goal)

    def _check_ahead(self, joint: ServoJoint, goal: int) -> Iterator[str]:
        servo = self._servos[joint.servo]
        ahead = abs(goal - servo.count)
        reach = STALE * LOOK_AHEAD * joint.fastest + STEP_SLACK
        if servo.powered and ahead > reach:
            yield f"the {joint.name} was sent {ahead:.0f} steps ahead; without a dead-man it may be {reach:.0f}"


class AxisBaseInspector(Inspector):
    """A CAN bus behind an SLCAN adapter."""

    def __init__(self, base: AxisBaseDescription) -> None:
        super().__init__("base")
        self._base = base
        self._parser = slcan.Parser()
        self._told = {wheel.id: 0.0 for wheel in base.wheels}
        self._last = base.wheels[-1].id
        """All wheels are told in turn, this one last."""
        self._twists: deque[tuple[float, Twist]] = deque()
        """When, and what the base was told within the last WINDOW since it stood."""

    def restart(self) -> None:
        self._parser = slcan.Parser()

    def _check(self, data: bytes, now: float) -> Iterator[str]:
        told = []
        for frame in self._parser.feed(data):
            if frame.remote:
                yield f"frame 0x{frame.id:X} asks an axis, and feeds its watchdog"
            decoded = cansimple.decode(frame)
            if decoded is None:
                yield f"frame 0x{frame.id:X} means nothing: {frame.data.hex()}"
            elif isinstance(decoded[1], cansimple.SetInputVelocity) and decoded[0] in self._told:
                told.append((decoded[0], decoded[1].velocity))
        later = sum(node == self._last for node, _ in told)
        for node, turns in told:
            later -= node == self._last
            yield from self._check_velocity(node, turns, now - later * TICK)

    def _check_velocity(self, node: int, turns: float, now: float) -> Iterator[str]:
        self.goals += 1
        base = self._base
        if abs(turns) > base.wheel_velocity * ROUNDING:
            yield f"the wheel of node {node} was told {turns:.2f} turns/s, its limit is {base.wheel_velocity:.2f}"
        self._told[node] = turns
        if node != self._last:
            return
        twist = base.kinematics.twist(
            [self._told[wheel.id] * wheel.direction * base.circumference for wheel in base.wheels]
        )
        limits = (base.limits.velocity, base.limits.lateral_velocity, base.limits.angular_velocity)
        if any(abs(part) > most * ROUNDING + TINY for part, most in zip(twist, limits, strict=True)):
            yield f"the base was told {_said(twist)}, beyond {base.limits}"
        yield from self._check_acceleration(twist, now)

    def _check_acceleration(self, twist: Twist, now: float) -> Iterator[str]:
        """A stop is sudden; everything else is not."""
        limits = self._base.limits
        if not any(twist):
            self._twists.clear()
        while self._twists and self._twists[0][0] < now - WINDOW:
            self._twists.popleft()
        if self._twists:
            since, then = self._twists[0]
            seconds = now - since + LATE
            gained = [abs(part - before) for part, before in zip(twist, then, strict=True)]
            most = (limits.acceleration, limits.acceleration, limits.angular_acceleration)
            if any(gain > limit * seconds for gain, limit in zip(gained, most, strict=True)):
                yield f"the base was told {_said(twist)} {now - since:.2f} s after {_said(then)}, faster than {limits}"
        self._twists.append((now, twist))


def _said(twist: Twist) -> str:
    return f"{twist.forward:.2f} m/s, {twist.left:.2f} m/s to the left and {twist.turn:.2f} rad/s"


def _point(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{value:.2f}" if math.isfinite(value) else str(value) for value in values) + ")"
