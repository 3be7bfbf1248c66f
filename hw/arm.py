"""An arm of Feetech servos with a gripper, on one bus."""

import math
from collections.abc import Callable, Generator, Sequence

from hw.bus import Counters, Procedure, Question, ServoBus, read, write, write_and_check
from hw.description import ArmDescription, ServoJoint
from hw.device import SETTLE, Component
from hw.faults import ComponentError, FaultCode
from hw.limits import LOOK_AHEAD, bound_goal
from hw.motion import Positions, stopping_point
from hw.protocol import sts
from hw.protocol.sts import ErrorBits
from hw.state import Lifecycle, Standstill
from hw.transport import ByteTransport

STOP_FACTOR = 3.0
"""A stop decelerates a joint by so many times its acceleration limit."""
STILL = 0.05
"""Radians per second of a servo that count as standing; the encoder's own noise is half of it."""
_RANGE_SLACK = 12
"""Steps (about one degree) that a joint may rest outside its range and still be activated."""
_COMPLAINTS = {
    ErrorBits.VOLTAGE: FaultCode.UNDERVOLTAGE,
    ErrorBits.OVERHEAT: FaultCode.OVERHEAT,
    ErrorBits.OVERCURRENT | ErrorBits.OVERLOAD: FaultCode.OVERLOAD,
    ErrorBits.SENSOR: FaultCode.DEVICE_ERROR,
}


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

    @property
    def behind(self) -> bool:
        """The joints cannot follow: what was sent had to stay back from the setpoint."""
        return any(
            abs(want - out) > limit.velocity * 0.02
            for want, out, limit in zip(self.setpoint, self.sent, self.limits, strict=True)
        )

    @property
    def error(self) -> Positions:
        """Setpoint less measured."""
        return tuple(want - at for want, at in zip(self.setpoint, self.measured, strict=True))

    def pin(self) -> None:
        """Be where you are."""
        self.setpoint = self.sent = self.measured
        self.velocity = (0.0,) * len(self.joints)

    def freeze(self) -> None:
        """What moves comes to rest as near as it can; what stands stays."""
        self.setpoint = tuple(
            limit.clamp(stopping_point(at, velocity, STOP_FACTOR * limit.acceleration)) if velocity else out
            for at, out, velocity, limit in zip(self.measured, self.sent, self.velocity, self.limits, strict=True)
        )
        self.velocity = (0.0,) * len(self.joints)

    def bounded(self, dt: float) -> dict[int, sts.Goal]:
        """Goals for the wire, by servo."""
        self.sent = tuple(
            bound_goal(want, last, at, limit, dt)
            for want, last, at, limit in zip(self.setpoint, self.sent, self.measured, self.limits, strict=True)
        )
        return {
            joint.servo: sts.Goal(joint.to_steps(value), abs(joint.limits.velocity / joint.scale))
            for joint, value in zip(self.joints, self.sent, strict=True)
        }


class ServoArm(Component):
    """Joints and a gripper on one Feetech bus."""

    def __init__(
        self,
        description: ArmDescription,
        open_port: Callable[[], ByteTransport],
        feedback_timeout: float,
    ) -> None:
        super().__init__(description.name, feedback_timeout)
        self.description = description
        self.arm = Channel(description.joints)
        self.gripper = Channel([description.gripper])
        self._all = (*description.joints, description.gripper)
        self._open_port = open_port
        self._bus: ServoBus | None = None
        self._heard_since = -math.inf

    @property
    def bus(self) -> ServoBus:
        """Raises ComponentError while no port is open."""
        if self._bus is None:
            raise ComponentError(FaultCode.NOT_READY, self.reason)
        return self._bus

    @property
    def counters(self) -> Counters:
        """What happened on the bus since its port was opened."""
        return self._bus.counters if self._bus else Counters()

    def fileno(self) -> int | None:
        return self._bus.transport.fileno() if self._bus else None

    @property
    def activating(self) -> bool:
        return self._bus is not None and self._bus.busy and self.lifecycle is Lifecycle.INACTIVE

    @property
    def voltage(self) -> float | None:
        """The lowest that a servo measures."""
        return (
            min((reading.state.voltage for reading in self._bus.readings.values()), default=None) if self._bus else None
        )

    def stop(self) -> bool:
        if self._bus is None:
            return False
        if self.activating:
            self._bus.abandon()
        if not self.powered:
            return False
        self.arm.freeze()
        self.gripper.freeze()
        self.deactivate()
        troubles = len(self.troubles)
        self._guard(lambda: self.bus.send_goals(self._goals(LOOK_AHEAD)))
        return len(self.troubles) == troubles

    def standstill(self, since: float) -> Standstill:
        readings = list(self._bus.readings.values()) if self._bus else []
        if len(readings) < len(self._all) or any(reading.at < since + SETTLE for reading in readings):
            return Standstill.UNCERTAIN
        fastest = max(abs(reading.state.speed) for reading in readings) * 2 * math.pi / sts.STEPS_PER_TURN
        return Standstill.TRUE if fastest < STILL else Standstill.FALSE

    def _open(self, now: float) -> None:
        self._bus = ServoBus(self._open_port(), [joint.servo for joint in self._all])
        self._bus.start(self._configure(), now)
        self._heard_since = now

    def _close_port(self) -> None:
        if self._bus:
            self._bus.close()
        self._bus = None

    def _receive(self, now: float) -> None:
        self.bus.receive(now)
        readings = self.bus.readings
        if len(readings) == len(self._all):
            self._measure()

    def _measure(self) -> None:
        for channel in (self.arm, self.gripper):
            states = [self.bus.readings[joint.servo].state for joint in channel.joints]
            channel.measured = tuple(
                joint.from_steps(state.position) for joint, state in zip(channel.joints, states, strict=True)
            )
            channel.load = max(abs(state.load) for state in states) / 1000

    def _tick(self, now: float, dt: float) -> None:
        self.bus.cycle(now, self._goals(dt) if self.powered and not self.bus.busy else {})
        if self.bus.busy:
            self._heard_since = now
        elif self.lifecycle is not Lifecycle.FAULT:
            self._check_feedback(now)

    def _goals(self, dt: float) -> dict[int, sts.Goal]:
        return self.arm.bounded(dt) | self.gripper.bounded(dt)

    def _check_feedback(self, now: float) -> None:
        for joint in self._all:
            reading = self.bus.readings.get(joint.servo)
            age = now - max(reading.at if reading else -math.inf, self._heard_since)
            if age > self._timeout:
                raise ComponentError(
                    FaultCode.COMM_TIMEOUT,
                    f"servo {joint.servo} ({joint.name}) has been silent for {age * 1000:.0f} ms",
                )
            if reading:
                _check_servo(joint, reading.state)

    def _configure(self) -> Procedure:
        """Every servo answers, is in position mode and knows its range. Torque stays as it is."""
        for joint in self._all:
            model = yield from read(joint.servo, sts.MODEL_NUMBER)
            if not model:
                raise ComponentError(FaultCode.NOT_READY, f"servo {joint.servo} has no model number")
            low, high = joint.step_range
            yield from write(joint.servo, sts.LOCK, 0)
            yield from write_and_check(joint.servo, sts.OPERATING_MODE, 0)
            yield from write_and_check(joint.servo, sts.MIN_POSITION, low)
            yield from write_and_check(joint.servo, sts.MAX_POSITION, high)
            yield from write(joint.servo, sts.LOCK, 1)
        yield from self._locate()
        self.lifecycle = Lifecycle.INACTIVE
        self.reason = ""

    def _locate(self) -> Generator[Question, sts.Packet, dict[int, int]]:
        """Where every servo is now, in steps; the channels know it too then."""
        positions = {}
        for joint in self._all:
            positions[joint.servo] = yield from read(joint.servo, sts.PRESENT_POSITION)
        for channel in (self.arm, self.gripper):
            channel.measured = tuple(joint.from_steps(positions[joint.servo]) for joint in channel.joints)
        return positions

    def _release(self) -> None:
        self.bus.transport.send(sts.sync_write(sts.TORQUE_ENABLE, {joint.servo: 0 for joint in self._all}))

    def _activate(self, now: float) -> None:
        self.bus.start(self._pin_and_power(), now)

    def _pin_and_power(self) -> Procedure:
        """Goals to where the joints are, then torque on."""
        torque = self.description.gripper_torque * 1000
        yield from write(self.description.gripper.servo, sts.TORQUE_LIMIT, torque)
        positions = yield from self._locate()
        for joint in self._all:
            steps = positions[joint.servo]
            low, high = joint.step_range
            if not low - _RANGE_SLACK <= steps <= high + _RANGE_SLACK:
                raise ComponentError(
                    FaultCode.OUT_OF_RANGE, f"{joint.name} is at step {steps}, outside {low} to {high}"
                )
            yield from write(joint.servo, sts.GOAL_POSITION, min(max(steps, low), high))
            yield from write(joint.servo, sts.TORQUE_ENABLE, 1)
            if not (yield from read(joint.servo, sts.TORQUE_ENABLE)):
                raise ComponentError(FaultCode.DEVICE_NOT_ARMED, f"{joint.name} takes no torque")
        self.arm.pin()
        self.gripper.pin()
        self.powered = True
        self.lifecycle = Lifecycle.ACTIVE


def _check_servo(joint: ServoJoint, state: sts.ServoState) -> None:
    """ComponentError for what the servo itself complains about."""
    if not state.errors:
        return
    for bits, code in _COMPLAINTS.items():
        if state.errors & bits:
            raise ComponentError(
                code,
                f"servo {joint.servo} ({joint.name}) reports {state.errors & bits!r} at "
                f"{state.temperature} degrees, {state.voltage:.1f} V, load {state.load / 10:.0f} %",
            )
