"""The servos of one component: what they measure, what they complain about, and whether they are heard at all."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from hw.bus import Counters
from hw.device import SETTLE
from hw.device_faults import ComponentError, FaultCode
from hw.limits import LOOK_AHEAD
from hw.servo import Procedure, ServoState
from hw.servo_family import ServoFamily
from hw.servo_joint import ServoJoint
from hw.servo_port import BusPart, ServoPort
from hw.state import Standstill

STILL = 0.05
"""Radians per second of a servo that count as standing; the encoder's own noise is half of it."""
FRESH = 0.03
"""Seconds that a reading may be old for a new goal: a servo that a damaged packet has set off turns by so much less
than it may be sent ahead.
"""
HOT = 10.0
"""Degrees below the limit at which a warning is due."""
RESET = 2
"""Answers in a row that torque is off, until a servo counts as reset: one may be a corrupt byte."""
BAD_WIRE, WATCHED = 0.05, 500
"""Share of damaged packets that is worth a warning, and over how many cycles it is counted."""


class ServoLimits(Protocol):
    """What a description says of the servos of a component."""

    @property
    def temperature(self) -> float:
        """Degrees Celsius at which the robot stops."""

    @property
    def voltage(self) -> tuple[float, float]:
        """Volts between which they may work."""

    @property
    def models(self) -> frozenset[int]:
        """Model numbers that the owner knows to have the same registers as those that we know."""


class ServoGroup:
    """Servos of one component, and its part of their bus."""

    def __init__(self, joints: Sequence[ServoJoint], limits: ServoLimits, port: ServoPort, timeout: float) -> None:
        """timeout: seconds that one of them may be silent."""
        self.joints = tuple(joints)
        self.family: ServoFamily = port.family
        self.seen_at = -math.inf
        """When the reading was taken that is the oldest one of a servo."""
        self.asked_at = -math.inf
        """When a procedure was under way last."""
        self._settings: dict[int, Mapping[str, int]] = {}
        """Gains and protection of each servo, as it held them when it was identified."""
        self._unexplained: int | None = None
        """A servo that complains in a bit, and can be asked for more."""
        self._limits = limits
        self._port = port
        self._timeout = timeout
        self._part: BusPart | None = None
        self._heard_since = -math.inf
        self._unseen = 0.0
        """Seconds since goals could be given."""
        self._warnings: list[ComponentError] = []
        self._hot: set[int] = set()
        self._damage = (0, 0)
        """Cycles and damaged packets when they were compared last."""

    @property
    def open(self) -> bool:
        return self._part is not None

    @property
    def bus(self) -> BusPart:
        """The bus that they hang on. Raises ComponentError while no port is open."""
        if self._part is None:
            raise ComponentError(FaultCode.NOT_READY, "its port is not open")
        return self._part

    def connect(self, configure: Procedure, now: float) -> None:
        """Open the port and begin to set the servos up. Raises TransportError."""
        self._part = self._port.join([joint.servo for joint in self.joints])
        self._part.start(configure, now)
        self._heard_since = now

    def disconnect(self) -> None:
        if self._part:
            self._part.close()
        self._part = None

    def fileno(self) -> int | None:
        return self._part.fileno() if self._part else None

    @property
    def busy(self) -> bool:
        """A procedure of the component is under way."""
        return self._part is not None and self._part.busy

    @property
    def counters(self) -> Counters:
        """Return what happened on the bus since its port was opened."""
        return self._part.counters if self._part else Counters()

    @property
    def voltage(self) -> float | None:
        """The lowest that a servo measures."""
        return min((reading.state.voltage for reading in self._part.heard()), default=None) if self._part else None

    @property
    def fastest(self) -> float:
        """Radians per second of the servo that turns fastest."""
        speeds = [abs(reading.state.speed) for reading in self._part.heard()] if self._part else []
        return max(speeds, default=0.0) * 2 * math.pi / (self.family.largest_step + 1)

    def standstill(self, since: float) -> Standstill:
        readings = self._part.heard() if self._part else []
        if len(readings) < len(self.joints) or any(reading.at < since + SETTLE for reading in readings):
            return Standstill.UNCERTAIN
        return Standstill.TRUE if self.fastest < STILL else Standstill.FALSE

    def details(self) -> list[dict[str, Any]]:
        return [self._row(joint) for joint in self.joints]

    def receive(self, now: float) -> bool:
        """Take in what has arrived; whether everybody has been heard. Raises TransportError, ComponentError."""
        self.bus.receive(now)
        if self.bus.busy:
            self.asked_at = now
            return False
        known = self.bus.readings
        if not all(joint.servo in known for joint in self.joints):
            return False
        self.seen_at = min([known[joint.servo].at for joint in self.joints])
        return True

    def measured(self, joints: Sequence[ServoJoint], before: Sequence[float]) -> tuple[float, ...]:
        """Measure where joints are.

        Readings from before a procedure are out of date: what that has found (`before`) counts until there are others.
        """
        known, asked_at = self.bus.readings, self.asked_at
        if self.seen_at > asked_at:
            return tuple([joint.from_steps(known[joint.servo].state.position) for joint in joints])
        return tuple(
            joint.from_steps(known[joint.servo].state.position) if known[joint.servo].at > asked_at else at
            for joint, at in zip(joints, before, strict=True)
        )

    def load(self, joints: Sequence[ServoJoint]) -> float:
        """Largest share of the stall torque among joints that have been heard, 0 to 1."""
        return max([abs(self.bus.readings[joint.servo].state.load) for joint in joints]) / 1000

    def seen_for(self, now: float, dt: float) -> float:
        """Seconds that new goals may make up for, while every servo was seen just now, else 0: how far ahead of a shaft
        a new goal would lie, nobody knows.
        """
        self._unseen += dt
        if now - self.seen_at > FRESH:
            return 0.0
        unseen, self._unseen = self._unseen, 0.0
        return min(unseen, LOOK_AHEAD)

    def take_warnings(self) -> list[ComponentError]:
        taken, self._warnings = self._warnings, []
        return taken

    def check(self, now: float, powered: bool) -> None:
        """ComponentError for a servo that is silent, complains, or ought to; a procedure excuses silence."""
        if self.bus.paused:
            self._heard_since = now
            return
        if now - max(self.seen_at, self._heard_since) > self._timeout:
            self._find_silent(now)
        self._check_servos(powered)
        self._check_wire()

    def explain(self, now: float) -> None:
        """Ask a servo that complains what it means."""
        if self._unexplained is not None and not self.busy:
            self.bus.start(self.family.explain(self._unexplained), now)
            self._unexplained = None

    def identify(self, joint: ServoJoint) -> Procedure:
        """A servo is of a model that we know."""
        model = yield from self.family.model(joint.servo)
        if not model:
            raise ComponentError(FaultCode.NOT_READY, f"servo {joint.servo} has no model number")
        if model not in (self.family.models().keys() | self._limits.models):
            known = ", ".join(self.family.models().values())
            raise ComponentError(
                FaultCode.WRONG_DEVICE, f"servo {joint.servo} ({joint.name}) is model {model}, none of {known}"
            )
        self._settings[joint.servo] = yield from self.family.settings(joint.servo)

    def release(self) -> None:
        """Torque off."""
        self.bus.send(self.family.release([joint.servo for joint in self.joints]))

    def _row(self, joint: ServoJoint) -> dict[str, Any]:
        row: dict[str, Any] = {"name": joint.name, "id": joint.servo}
        reading = self._part.readings.get(joint.servo) if self._part else None
        if reading:
            state = reading.state
            row |= {
                "position": round(joint.from_steps(state.position), 4),
                "temperature": state.temperature,
                "voltage": round(state.voltage, 1),
                "load": round(state.load / 1000, 3),
            }
        return row | dict(self._settings.get(joint.servo, {}))

    def _find_silent(self, now: float) -> None:
        """ComponentError for a servo that nobody has heard for too long."""
        for joint in self.joints:
            reading = self.bus.readings.get(joint.servo)
            age = now - max(reading.at if reading else -math.inf, self._heard_since)
            if age > self._timeout:
                raise ComponentError(
                    FaultCode.COMM_TIMEOUT,
                    f"servo {joint.servo} ({joint.name}) has been silent for {age * 1000:.0f} ms",
                )

    def _check_servos(self, powered: bool) -> None:
        warm = self._limits.temperature - HOT
        known = self.bus.readings
        for joint in self.joints:
            reading = known.get(joint.servo)
            if reading is None:
                continue
            state = reading.state
            if state.errors:
                self._hear_complaint(joint, state)
            low, high = self._volts(joint)
            if not low <= state.voltage <= high:
                code = FaultCode.UNDERVOLTAGE if state.voltage < low else FaultCode.OVERVOLTAGE
                raise _said_by(joint, state, code, f"is outside {low:g} to {high:g} V")
            if powered and self.bus.limp(joint.servo) >= RESET:
                raise _said_by(joint, state, FaultCode.DEVICE_NOT_ARMED, "has lost its torque: was it reset?")
            if state.temperature >= warm:
                self._check_temperature(joint, state)
            elif self._hot:
                self._hot.discard(joint.servo)

    def _volts(self, joint: ServoJoint) -> tuple[float, float]:
        """Between which it may work: of two makes on one bus each has a supply of its own."""
        return joint.voltage or self._limits.voltage

    def _hear_complaint(self, joint: ServoJoint, state: ServoState) -> None:
        if complaint := self.family.complaint(state):
            code, words = complaint
            self._unexplained = joint.servo
            if code is FaultCode.UNDERVOLTAGE and state.voltage > self._volts(joint)[1]:
                code = FaultCode.OVERVOLTAGE
            raise _said_by(joint, state, code, f"reports {words}")

    def _check_temperature(self, joint: ServoJoint, state: ServoState) -> None:
        limit = self._limits.temperature
        if state.temperature >= limit:
            raise _said_by(joint, state, FaultCode.OVERHEAT, f"has reached its {limit:g} degrees")
        if joint.servo not in self._hot:
            self._hot.add(joint.servo)
            self._warnings.append(_said_by(joint, state, FaultCode.HOT, "becomes hot"))

    def _check_wire(self) -> None:
        counters = self.bus.counters
        cycles, damaged = self._damage
        if counters.cycles < cycles + WATCHED:
            return
        share = (counters.corrupt - damaged) / (counters.cycles - cycles)
        self._damage = (counters.cycles, counters.corrupt)
        if share > BAD_WIRE:
            told = f"{share:.0%} of the last {WATCHED} cycles had a damaged packet"
            self._warnings.append(ComponentError(FaultCode.COMM_CORRUPT, told))


def _said_by(joint: ServoJoint, state: ServoState, code: FaultCode, what: str) -> ComponentError:
    return ComponentError(
        code,
        f"servo {joint.servo} ({joint.name}) {what} at {state.temperature} degrees, "
        f"{state.voltage:.1f} V, load {state.load / 10:.0f} %",
    )
