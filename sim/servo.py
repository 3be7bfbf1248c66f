"""Feetech STS servos as a bus sees them: registers to read and write, and a shaft that follows. Pure.

Not imitated: time on the wire, EEPROM that is lost while locked, step mode, overload protection. Gravity is the
business of physics: a shaft that nothing drives stays where it is without torque.
"""

import math
from collections.abc import Sequence

from hw.protocol import sts
from hw.protocol.sts import ErrorBits, Instruction, Packet, PhaseBits, Register
from sim.shaft import Shaft

FASTEST = 3400.0
"""Steps per second without load at 12 V, as Feetech says of the STS3215: 50 turns per minute."""
QUICKEST = 40_000.0
"""Steps per second squared when register ACCELERATION is 0."""
PACKET_ENDS = 0.004
"""Seconds of silence after which half a packet counts for nothing."""
MEMORY = 128
"""Bytes of registers."""
VELOCITY_MODE = 1
EEPROM = 40
"""Bytes at the beginning that outlive a power cycle."""


class SimulatedServo(Shaft):
    """One servo."""

    OVERHEAT, OVERLOAD, VOLTAGE = ErrorBits.OVERHEAT, ErrorBits.OVERLOAD, ErrorBits.VOLTAGE

    def __init__(self, servo: int, position: float) -> None:
        super().__init__(servo, position, sts.STEPS_PER_TURN - 1.0)
        self._memory = bytearray(MEMORY)
        self._counted_from = 0.0
        """The shaft's steps at which the count of its turns began."""
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

    def write(self, address: int, data: bytes) -> int:
        """Bytes from an address on; what would lie beyond the registers is lost."""
        data = data[: max(MEMORY - address, 0)]
        self.settled = self.settled and self._memory[address : address + len(data)] == data
        self._memory[address : address + len(data)] = data
        if address <= sts.PHASE.address < address + len(data) and not self._counts_turns:
            self._begin_count()
        return 0

    @property
    def powered(self) -> bool:
        return self.supplied and bool(self._value(sts.TORQUE_ENABLE))

    @property
    def torque(self) -> float:
        """Share of the stall torque that it may use now."""
        return self._value(sts.TORQUE_LIMIT) / 1000 if self.powered else 0.0

    def reset(self) -> None:
        self.settled = False
        self._memory[EEPROM:] = bytes(MEMORY - EEPROM)
        self._put(sts.TORQUE_LIMIT, self._value(sts.MAX_TORQUE))
        self._put(sts.GOAL_POSITION, self.position)
        self._put(sts.LOCK, 1)
        self.errors = 0
        self.velocity, self._blocked = 0.0, 0
        if self._turns_on:
            self._begin_count()

    def _value(self, register: Register) -> int:
        return sts.decode_value(register, bytes(self._memory[register.address :][: register.size]))

    def _turn(self, dt: float, was_moved: bool) -> None:
        if self._spins:
            self._turn_on(dt)
        else:
            super()._turn(dt, was_moved)

    def _pace(self) -> tuple[float, float]:
        fastest = min(self._unit * self._value(sts.GOAL_SPEED) or FASTEST, FASTEST)
        return fastest, 100.0 * self._value(sts.ACCELERATION) or QUICKEST

    @property
    def _spins(self) -> bool:
        return self._value(sts.OPERATING_MODE) == VELOCITY_MODE

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
        """Without a range where the count says, within one turn if turns do not count."""
        told = self._value(sts.GOAL_POSITION)
        if not self._turns_on:
            return min(max(told, self._value(sts.MIN_POSITION)), self._value(sts.MAX_POSITION))
        return self._counted_from + (told if self._counts_turns else told % sts.STEPS_PER_TURN)

    @property
    def count(self) -> float:
        if not self._turns_on and not self._spins:
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

    def _state(self) -> sts.ServoState:
        speed, load = self._measured(self._value(sts.TORQUE_LIMIT))
        return sts.ServoState(
            position=round(self.count),
            speed=round(speed / self._unit),
            load=round(load),
            voltage=self.voltage,
            temperature=self.temperature,
            errors=ErrorBits(self.errors),
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
        """Forget half a packet: whoever was asking has gone."""
        self._parser.reset()

    def _answer(self, packet: Packet) -> bytes:
        if packet.code == Instruction.SYNC_WRITE:
            address, blocks = sts.decode_sync_write(packet)
            for number, block in blocks.items():
                if servo := self._listening.get(number):
                    servo.write(address, block)
            return b""
        if packet.code == Instruction.SYNC_READ and len(packet.parameters) >= 2:
            address, size, *numbers = packet.parameters
            asked = [self._listening[number] for number in numbers if number in self._listening]
            return b"".join(_status(servo, servo.read(address, size)) for servo in asked)
        servo = self._listening.get(packet.id)
        return self._answer_alone(servo, packet) if servo else b""

    @property
    def _listening(self) -> dict[int, SimulatedServo]:
        return {number: servo for number, servo in self.servos.items() if servo.supplied}

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
