"""An arm of servos with a gripper, on one bus."""

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from hw.bus import Counters, ServoBus
from hw.description import ArmDescription, ServoJoint
from hw.device import SETTLE, Component
from hw.device_faults import ComponentError, FaultCode
from hw.limits import LOOK_AHEAD, bound_goal
from hw.motion import Positions, stopping_point
from hw.servo import Memory, Packet, Procedure, Question, ServoState, Target
from hw.state import Lifecycle, Standstill
from hw.transport import ByteTransport

STOP_FACTOR = 3.0
"""A stop decelerates a joint by so many times its acceleration limit."""
STILL = 0.05
"""Radians per second of a servo that count as standing; the encoder's own noise is half of it."""
ASKED_AGAIN = 5
"""Times that an arm which does not keep still is asked again where it is."""
SAME_PLACE = 60
"""Steps, 5 degrees, that an arm without torque may sink between two questions."""
_RANGE_SLACK = 12
"""Steps (about one degree) that a joint may rest outside its range and still be activated."""
FRESH = 0.03
"""Seconds that a reading may be old for a new goal: a servo that a damaged packet has set off turns by so much less
than it may be sent ahead.
"""
STALLED = 1.0
"""Seconds that a joint may push with nearly all its effort and not move."""
NEARLY = 0.95
ASTRAY, ASTRAY_FOR = 0.15, 0.2
"""Radians that a joint may be off the place where it is held, and seconds; nobody asked it to move."""
HOT = 10.0
"""Degrees below the limit at which a warning is due."""
RESET = 2
"""Answers in a row that torque is off, until a servo counts as reset: one may be a corrupt byte."""
BAD_WIRE, WATCHED = 0.05, 500
"""Share of damaged packets that is worth a warning, and over how many cycles it is counted."""


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
        """What moves comes to rest as near as it can; what stands stays."""
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


class ServoArm(Component):
    """Joints and a gripper on one bus."""

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
        self.carried = 0.0
        """Kilograms in the hand, as far as somebody has said."""
        self.held = True
        """No goal moves its joints: they ought to stay where they are. The body says so."""
        self._all = (*description.joints, description.gripper)
        self._family = description.family
        self._open_port = open_port
        self._bus: ServoBus | None = None
        self._heard_since = -math.inf
        self._seen_at = -math.inf
        """When the reading was taken that is the oldest one of a servo."""
        self._unseen = 0.0
        """Seconds since goals could be given."""
        self._asked_at = -math.inf
        """When a procedure was under way last."""
        self._pushing: dict[int, float] = {}
        """Seconds that a joint has been pushing in vain; those that do not are not in it."""
        self._weakest = min(joint.effort for joint in description.joints)
        self._astray = 0.0
        """Seconds that a joint has been off the place where it is held."""
        self._unexplained: int | None = None
        """A servo that complains in a bit, and can be asked for more."""
        self._hot: set[int] = set()
        self._damage = (0, 0)
        """Cycles and damaged packets when they were compared last."""

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
    def asking(self) -> bool:
        return self._bus is not None and self._bus.busy

    @property
    def resting(self) -> bool:
        if self._bus is None:
            return True
        if self._bus.busy or not self._bus.steady or self._pushing:
            return False
        return not any(self.arm.velocity) and self._fastest() < STILL

    @property
    def activating(self) -> bool:
        return self._bus is not None and self._bus.busy and self.lifecycle is Lifecycle.INACTIVE

    @property
    def voltage(self) -> float | None:
        """The lowest that a servo measures."""
        return (
            min((reading.state.voltage for reading in self._bus.readings.values()), default=None) if self._bus else None
        )

    def details(self) -> list[dict[str, Any]]:
        rows = []
        for joint in self._all:
            reading = self._bus.readings.get(joint.servo) if self._bus else None
            row: dict[str, Any] = {"name": joint.name, "id": joint.servo}
            if reading:
                state = reading.state
                row |= {
                    "position": round(joint.from_steps(state.position), 4),
                    "temperature": state.temperature,
                    "voltage": round(state.voltage, 1),
                    "load": round(state.load / 1000, 3),
                }
            rows.append(row)
        return rows

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
        return Standstill.TRUE if self._fastest() < STILL else Standstill.FALSE

    def _fastest(self) -> float:
        """Radians per second of the servo that turns fastest."""
        speeds = (abs(reading.state.speed) for reading in self.bus.readings.values())
        return max(speeds, default=0.0) * 2 * math.pi / (self._family.largest_step + 1)

    def _open(self, now: float) -> None:
        self._bus = ServoBus(self._open_port(), [joint.servo for joint in self._all], self._family)
        self._bus.start(self._configure(), now)
        self._heard_since = now

    def _close_port(self) -> None:
        if self._bus:
            self._bus.close()
        self._bus = None

    def _receive(self, now: float) -> None:
        self.bus.receive(now)
        if self.bus.busy:
            self._asked_at = now
        elif len(self.bus.readings) == len(self._all):
            self._measure()

    def _measure(self) -> None:
        """Readings from before a procedure are out of date: what that has found counts until there are others."""
        known, asked_at = self.bus.readings, self._asked_at
        self._seen_at = oldest = min([reading.at for reading in known.values()])
        for channel in (self.arm, self.gripper):
            readings = [known[joint.servo] for joint in channel.joints]
            if oldest > asked_at:
                measured = [
                    joint.from_steps(reading.state.position)
                    for joint, reading in zip(channel.joints, readings, strict=True)
                ]
            else:
                measured = [
                    joint.from_steps(reading.state.position) if reading.at > asked_at else at
                    for joint, reading, at in zip(channel.joints, readings, channel.measured, strict=True)
                ]
            channel.measured = tuple(measured)
            channel.load = max([abs(reading.state.load) for reading in readings]) / 1000

    def _tick(self, now: float, dt: float) -> None:
        self.bus.cycle(now, self._goals_in_sight(now, dt) if self.powered else {})
        if self.bus.busy:
            self._heard_since = now
        elif self.lifecycle is not Lifecycle.FAULT:
            if now - max(self._seen_at, self._heard_since) > self._timeout:
                self._find_silent(now)
            self._check_servos()
            self._check_pushing(dt)
            self._check_hold(dt)
            self._check_wire()
        elif self._unexplained is not None:
            self.bus.start(self._family.explain(self._unexplained), now)
            self._unexplained = None

    def _goals(self, dt: float) -> dict[int, Target]:
        for channel in (self.arm, self.gripper):
            channel.advance(dt)
        return self.arm.targets() | self.gripper.targets()

    def _goals_in_sight(self, now: float, dt: float) -> dict[int, Target]:
        """New goals while every joint was seen just now; else the last ones again, and the time is made up for: how
        far ahead of a shaft a new one would lie, nobody knows.
        """
        self._unseen += dt
        if now - self._seen_at > FRESH:
            return self.arm.targets() | self.gripper.targets()
        unseen, self._unseen = self._unseen, 0.0
        return self._goals(min(unseen, LOOK_AHEAD))

    def _find_silent(self, now: float) -> None:
        """ComponentError for a servo that nobody has heard for too long."""
        for joint in self._all:
            reading = self.bus.readings.get(joint.servo)
            age = now - max(reading.at if reading else -math.inf, self._heard_since)
            if age > self._timeout:
                raise ComponentError(
                    FaultCode.COMM_TIMEOUT,
                    f"servo {joint.servo} ({joint.name}) has been silent for {age * 1000:.0f} ms",
                )

    def _check_servos(self) -> None:
        """ComponentError for what a servo complains about, or what it ought to."""
        low, high = self.description.voltage
        warm = self.description.temperature - HOT
        limp = self.bus.limp if self.powered else {}
        for joint in self._all:
            reading = self.bus.readings.get(joint.servo)
            if reading is None:
                continue
            state = reading.state
            if state.errors:
                self._hear_complaint(joint, state)
            if not low <= state.voltage <= high:
                code = FaultCode.UNDERVOLTAGE if state.voltage < low else FaultCode.OVERVOLTAGE
                raise _said_by(joint, state, code, f"is outside {low:g} to {high:g} V")
            if limp and limp.get(joint.servo, 0) >= RESET:
                raise _said_by(joint, state, FaultCode.DEVICE_NOT_ARMED, "has lost its torque: was it reset?")
            if state.temperature >= warm:
                self._check_temperature(joint, state)
            elif self._hot:
                self._hot.discard(joint.servo)

    def _hear_complaint(self, joint: ServoJoint, state: ServoState) -> None:
        if complaint := self._family.complaint(state):
            code, words = complaint
            self._unexplained = joint.servo
            if code is FaultCode.UNDERVOLTAGE and state.voltage > self.description.voltage[1]:
                code = FaultCode.OVERVOLTAGE
            raise _said_by(joint, state, code, f"reports {words}")

    def _check_temperature(self, joint: ServoJoint, state: ServoState) -> None:
        limit = self.description.temperature
        if state.temperature >= limit:
            raise _said_by(joint, state, FaultCode.OVERHEAT, f"has reached its {limit:g} degrees")
        if joint.servo not in self._hot:
            self._hot.add(joint.servo)
            self.troubles.append(_said_by(joint, state, FaultCode.HOT, "becomes hot"))

    def _check_pushing(self, dt: float) -> None:
        """ComponentError for a joint that pushes with all it has, and stays where it is."""
        if not self.active or self.arm.load < NEARLY * self._weakest:
            self._pushing.clear()
            return
        for joint in self.description.joints:
            reading = self.bus.readings.get(joint.servo)
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

    def _check_wire(self) -> None:
        counters = self.bus.counters
        cycles, damaged = self._damage
        if counters.cycles < cycles + WATCHED:
            return
        share = (counters.corrupt - damaged) / (counters.cycles - cycles)
        self._damage = (counters.cycles, counters.corrupt)
        if share > BAD_WIRE:
            self.warn(FaultCode.COMM_CORRUPT, f"{share:.0%} of the last {WATCHED} cycles had a damaged packet")

    def _configure(self) -> Procedure:
        """Every servo answers, is what it was calibrated as, and knows its range. Torque stays as it is.

        Nothing is written to an arm that was never calibrated: nobody knows where it would go.
        """
        for joint in self._all:
            yield from self._identify(joint)
        if missing := self.description.uncalibrated:
            raise ComponentError(FaultCode.NOT_CALIBRATED, f"nobody has told where the zero of {', '.join(missing)} is")
        for joint in self._all:
            if joint.memory:
                yield from self._compare(joint, joint.memory)
            yield from self._family.configure(joint.servo, None if joint.memory else joint.step_range)
        yield from self._locate()
        self.lifecycle = Lifecycle.INACTIVE
        self.reason = self.hint = ""

    def _identify(self, joint: ServoJoint) -> Procedure:
        """A servo is of a model that we know."""
        model = yield from self._family.model(joint.servo)
        if not model:
            raise ComponentError(FaultCode.NOT_READY, f"servo {joint.servo} has no model number")
        if model not in (self._family.models().keys() | self.description.models):
            known = ", ".join(self._family.models().values())
            raise ComponentError(
                FaultCode.WRONG_DEVICE, f"servo {joint.servo} ({joint.name}) is model {model}, none of {known}"
            )

    def _check_memory(self, joint: ServoJoint) -> Procedure:
        """A damaged packet may have written another range into a servo, which then runs to its end."""
        if joint.memory:
            yield from self._compare(joint, joint.memory)
        elif (yield from self._family.memory(joint.servo))[1:] != joint.step_range:
            yield from self._family.configure(joint.servo, joint.step_range)

    def _compare(self, joint: ServoJoint, calibrated: Memory) -> Procedure:
        found = yield from self._family.memory(joint.servo)
        if found != calibrated:
            raise ComponentError(
                FaultCode.CALIBRATION_MISMATCH,
                f"servo {joint.servo} ({joint.name}) holds {found}; it was calibrated as {calibrated}",
            )

    def _locate(self) -> Generator[Question, Packet, dict[ServoJoint, int]]:
        """Where every servo is now, in steps; the channels know it too then."""
        positions = yield from self._ask_positions()
        self._know(positions)
        return positions

    def _ask_positions(self) -> Generator[Question, Packet, dict[ServoJoint, int]]:
        positions = {}
        for joint in self._all:
            positions[joint] = yield from self._family.position(joint.servo)
        return positions

    def _locate_surely(self) -> Generator[Question, Packet, dict[ServoJoint, int]]:
        """As _locate(), but every servo says so twice: one false answer would become a goal."""
        before = yield from self._ask_positions()
        for _ in range(ASKED_AGAIN):
            positions = yield from self._ask_positions()
            if all(abs(positions[joint] - before[joint]) <= SAME_PLACE for joint in self._all):
                self._know(positions)
                return positions
            before = positions
        raise ComponentError(FaultCode.NOT_READY, "its joints do not keep still: hold the arm, then activate again")

    def _know(self, positions: Mapping[ServoJoint, int]) -> None:
        for channel in (self.arm, self.gripper):
            channel.measured = tuple(joint.from_steps(positions[joint]) for joint in channel.joints)

    def _release(self) -> None:
        self.bus.transport.send(self._family.release([joint.servo for joint in self._all]))

    def _activate(self, now: float) -> None:
        self.bus.start(self._pin_and_power(), now)

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
        for joint in self._all:
            yield from self._check_memory(joint)
            steps = yield from self._family.position(joint.servo)
            held[joint] = _check_range(joint, steps)
            yield from self._family.power(joint.servo, held[joint], joint.effort)
        self._know(held)
        self.arm.pin()
        self.gripper.pin()
        self.bus.limp.clear()
        self.powered = True
        self.lifecycle = Lifecycle.ACTIVE


def _check_range(joint: ServoJoint, steps: int) -> int:
    """The nearest step within its range; ComponentError when that is far."""
    low, high = joint.step_range
    if not low - _RANGE_SLACK <= steps <= high + _RANGE_SLACK:
        raise ComponentError(FaultCode.OUT_OF_RANGE, f"{joint.name} is at step {steps}, outside {low} to {high}")
    return min(max(steps, low), high)


def _said_by(joint: ServoJoint, state: ServoState, code: FaultCode, what: str) -> ComponentError:
    return ComponentError(
        code,
        f"servo {joint.servo} ({joint.name}) {what} at {state.temperature} degrees, "
        f"{state.voltage:.1f} V, load {state.load / 10:.0f} %",
    )
