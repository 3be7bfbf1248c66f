"""Feetech STS servos as a bus sees them: registers to read and write, and a shaft that follows. Pure.

Not imitated: time on the wire, EEPROM that is lost while locked, step mode, overload protection. Gravity is the
business of physics: a shaft that nothing drives stays where it is without torque.
"""

import math
from collections.abc import Sequence

from hw.protocol import sts
from hw.protocol.sts import ErrorBits, Instruction, Packet, PhaseBits, Register

FASTEST = 3400.0
"""Steps per second without load at 12 V, as Feetech says of the STS3215: 50 turns per minute."""
QUICKEST = 40_000.0
"""Steps per second squared when register ACCELERATION is 0."""
ARRIVED = 0.5
"""Steps from the goal: nearer is not measured."""
PACKET_ENDS = 0.004
"""Seconds of silence after which half a packet counts for nothing."""
MEMORY = 128
"""Bytes of registers."""
VELOCITY_MODE = 1
EEPROM = 40
"""Bytes at the beginning that outlive a power cycle."""


class SimulatedServo:
    """One servo."""

    def __init__(self, servo: int, position: float) -> None:
        self.id = servo
        self.position = position
        """Of the shaft; steps."""
        self.velocity = 0.0
        """Steps per second."""
        self.setpoint = position
        """Where the motor wants the shaft to be at this moment; steps."""
        self.driven = False
        """Physics turns the shaft, and tells by feel(); else it follows the setpoint as far as it can."""
        self.obstacle: tuple[float, float] = (0.0, sts.STEPS_PER_TURN - 1.0)
        """Steps between which the shaft can turn at all."""
        self.errors = ErrorBits(0)
        """What it complains about in every answer."""
        self.voltage = 12.0
        self.temperature = 30
        """Degrees Celsius."""
        self.stalled = False
        """Something holds the shaft."""
        self.settled = False
        """It stands where it should, or has no torque: nothing will move before something changes."""
        self.mute = False
        """It answers nothing any more."""
        self.twin = False
        """Another servo has the same id, and answers at the same moment: their bytes spoil each other."""
        self._memory = bytearray(MEMORY)
        self._counted_from = 0.0
        """The shaft's steps at which the count of its turns began."""
        self._blocked = 0
        """The direction in which something is in the way, or 0."""
        self._felt: tuple[float, float] | None = None
        """Speed and load as physics has them; steps per second, thousandths of the stall torque."""
        for register, value in (
            (sts.FIRMWARE_MAJOR, 3),
            (sts.FIRMWARE_MINOR, 10),
            (sts.MODEL_NUMBER, sts.STS3215),
            (sts.ID, servo),
            (sts.MAX_POSITION, sts.STEPS_PER_TURN - 1),
            (sts.MAX_TEMPERATURE, 70),
            (sts.MAX_TORQUE, 1000),
            (sts.PHASE, PhaseBits.SPEED_IN_STEPS),
            (sts.P_GAIN, 32),
            (sts.D_GAIN, 32),
            (sts.OVERLOAD_TORQUE, 80),
            (sts.TORQUE_LIMIT, 1000),
            (sts.GOAL_POSITION, position),
            (sts.LOCK, 1),
        ):
            self._put(register, value)

    def read(self, address: int, size: int) -> bytes:
        """Bytes from an address on; fewer where the registers end."""
        start = sts.STATE_ADDRESS
        self._memory[start : start + sts.STATE_SIZE] = self._state().encode()
        return bytes(self._memory[address : address + size])

    def write(self, address: int, data: bytes) -> None:
        """Bytes from an address on; what would lie beyond the registers is lost."""
        data = data[: max(MEMORY - address, 0)]
        self.settled = self.settled and self._memory[address : address + len(data)] == data
        self._memory[address : address + len(data)] = data
        if address <= sts.PHASE.address < address + len(data) and not self._counts_turns:
            self._begin_count()

    @property
    def powered(self) -> bool:
        return bool(self._value(sts.TORQUE_ENABLE))

    @property
    def torque(self) -> float:
        """Share of the stall torque that it may use now."""
        return self._value(sts.TORQUE_LIMIT) / 1000 if self.powered else 0.0

    def step(self, dt: float) -> None:
        """Let dt seconds pass: a trapezoid of speed towards the goal."""
        was_moved = not self.driven and self.position != self.setpoint
        if self.settled and not was_moved:
            return
        if not self.driven:
            self.setpoint = self.position
        if not self.powered:
            self.settled = not (was_moved or self.driven)
            self.setpoint = self.position
            self.velocity, self._blocked = 0.0, 0
            return
        if self._value(sts.OPERATING_MODE) == VELOCITY_MODE:
            self._turn_on(dt)
            return
        goal = self._goal()
        self.settled = not was_moved and goal == self.setpoint and not self.velocity
        if goal == self.setpoint and not self.velocity:
            self._blocked = 0
            return
        self._turn_towards(goal, dt)

    def feel(self, position: float, speed: float, load: float) -> None:
        """Physics has the shaft there, turning so fast, against such a load (thousandths of the stall torque)."""
        self.position = position
        self._felt = speed, load

    def reset(self) -> None:
        """A power cycle: everything but EEPROM is forgotten."""
        self.settled = False
        self._memory[EEPROM:] = bytes(MEMORY - EEPROM)
        self._put(sts.TORQUE_LIMIT, self._value(sts.MAX_TORQUE))
        self._put(sts.GOAL_POSITION, self.position)
        self._put(sts.LOCK, 1)
        self.errors = ErrorBits(0)
        self.velocity, self._blocked = 0.0, 0
        if self._turns_on:
            self._begin_count()

    def _value(self, register: Register) -> int:
        return sts.decode_value(register, bytes(self._memory[register.address :][: register.size]))

    def _turn_towards(self, goal: float, dt: float) -> None:
        fastest = min(self._unit * self._value(sts.GOAL_SPEED) or FASTEST, FASTEST)
        quickest = 100.0 * self._value(sts.ACCELERATION) or QUICKEST
        way = goal - self.setpoint
        braking = quickest * (math.sqrt(dt * dt + 2 * abs(way) / quickest) - dt)
        wanted = math.copysign(min(fastest, braking), way)
        self.velocity += min(max(wanted - self.velocity, -quickest * dt), quickest * dt)
        moved = self.setpoint + self.velocity * dt
        if abs(goal - moved) < ARRIVED and abs(self.velocity) <= quickest * dt:
            moved, self.velocity = goal, 0.0
        self.setpoint = moved
        if not self.driven:
            self._follow(moved, way)

    @property
    def _turns_on(self) -> bool:
        """It has no range: it is a wheel."""
        return not self._value(sts.MIN_POSITION) and not self._value(sts.MAX_POSITION)

    @property
    def _counts_turns(self) -> bool:
        return bool(self._value(sts.PHASE) & PhaseBits.MANY_TURNS)

    @property
    def _unit(self) -> int:
        """Steps per second that a speed of 1 means."""
        return 1 if self._value(sts.PHASE) & PhaseBits.SPEED_IN_STEPS else 50

    def _begin_count(self) -> None:
        self._counted_from = math.floor(self.position / sts.STEPS_PER_TURN) * sts.STEPS_PER_TURN

    def _goal(self) -> float:
        """Where the shaft shall be; without a range where the count says, within one turn if turns do not count."""
        told = self._value(sts.GOAL_POSITION)
        if not self._turns_on:
            return min(max(told, self._value(sts.MIN_POSITION)), self._value(sts.MAX_POSITION))
        return self._counted_from + (told if self._counts_turns else told % sts.STEPS_PER_TURN)

    @property
    def count(self) -> float:
        """The position that it tells; steps."""
        if not self._turns_on:
            return self.position
        counted = self.position - self._counted_from
        return counted if self._counts_turns else counted % sts.STEPS_PER_TURN

    def _turn_on(self, dt: float) -> None:
        """Velocity mode: on and on."""
        told = self._unit * self._value(sts.GOAL_SPEED)
        full = not told and self._value(sts.PHASE) & PhaseBits.ZERO_IS_FULL
        self.velocity = FASTEST if full else min(max(told, -FASTEST), FASTEST)
        self.settled = not self.velocity
        self.setpoint = self.position = self.position + self.velocity * dt * (not self.stalled)

    def _follow(self, moved: float, way: float) -> None:
        """The shaft goes along, unless something is in the way."""
        if not self.stalled:
            self.position = min(max(moved, self.obstacle[0]), self.obstacle[1])
        self._blocked = 0 if self.position == moved else int(math.copysign(1, way))
        if self._blocked:
            self.velocity = 0.0

    def _state(self) -> sts.ServoState:
        torque = self._value(sts.TORQUE_LIMIT)
        speed: float = self.velocity
        load: float = self._blocked * torque or (min(60, torque) if self.velocity else 0)
        if self._felt is not None:
            speed, load = self._felt
        return sts.ServoState(
            position=round(self.count),
            speed=round(speed / self._unit),
            load=round(load),
            voltage=self.voltage,
            temperature=self.temperature,
            errors=self.errors,
            moving=round(speed) != 0,
            current=abs(load) * 0.0027,
        )

    def _put(self, register: Register, value: float) -> None:
        self.write(register.address, sts.encode_value(register, value)[0])


class ServoChain:
    """The servos of one bus and how they answer."""

    def __init__(self, servos: Sequence[SimulatedServo]) -> None:
        self.servos = {servo.id: servo for servo in servos}
        self._parser = sts.Parser()
        self._silent = 0.0
        """Seconds since the last byte."""

    def receive(self, data: bytes) -> tuple[bytes, list[Packet]]:
        """The bytes that go back, and the packets that were understood."""
        self._silent = 0.0
        packets = self._parser.feed(data)
        return b"".join(self._answer(packet) for packet in packets), packets

    def step(self, dt: float) -> bytes:
        """Let time pass; servos say nothing unasked, and wait for no packet that has ceased."""
        self._silent += dt
        if self._silent > PACKET_ENDS:
            self._parser.reset()
        for servo in self.servos.values():
            servo.step(dt)
        return b""

    def disconnect(self) -> None:
        """Whoever was asking has gone: half a packet counts for nothing."""
        self._parser.reset()

    def _answer(self, packet: Packet) -> bytes:
        if packet.code == Instruction.SYNC_WRITE:
            address, blocks = sts.decode_sync_write(packet)
            for number, block in blocks.items():
                if number in self.servos:
                    self.servos[number].write(address, block)
            return b""
        if packet.code == Instruction.SYNC_READ and len(packet.parameters) >= 2:
            address, size, *numbers = packet.parameters
            asked = [self.servos[number] for number in numbers if number in self.servos]
            return b"".join(_status(servo, servo.read(address, size)) for servo in asked)
        servo = self.servos.get(packet.id)
        return self._answer_alone(servo, packet) if servo else b""

    def _answer_alone(self, servo: SimulatedServo, packet: Packet) -> bytes:
        if packet.code == Instruction.PING:
            return _status(servo)
        if packet.code == Instruction.READ and len(packet.parameters) == 2:
            return _status(servo, servo.read(*packet.parameters))
        if packet.code == Instruction.WRITE and packet.parameters:
            servo.write(packet.parameters[0], packet.parameters[1:])
            return _status(servo)
        return b""


def _status(servo: SimulatedServo, parameters: bytes = b"") -> bytes:
    if servo.mute:
        return b""
    answer = sts.encode(Packet(servo.id, int(servo.errors), parameters))
    return bytes(byte & 0xA5 for byte in answer) if servo.twin else answer
