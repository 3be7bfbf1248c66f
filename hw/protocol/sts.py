"""Feetech STS serial bus servos: packets, registers and units. Pure; both ends of the wire use it.

A packet is FF FF, id, length, code, parameters, checksum; the code is an instruction on the way to a servo
and the error bits on the way back. Numbers are little-endian, negative ones sign-magnitude. Registers as in
Feetech's public memory table of the STS3215; only the simulated bus was exercised.
"""

import math
import struct
from collections.abc import Iterable, Mapping
from enum import IntEnum, IntFlag
from typing import NamedTuple, Self

STEPS_PER_TURN = 4096
BROADCAST = 0xFE
STS3215 = 777
"""Model number."""

_HEADER = b"\xff\xff"
_LONGEST = 250
"""Bytes after the length byte; a longer claim is garbage."""


class Instruction(IntEnum):
    PING = 0x01
    READ = 0x02
    WRITE = 0x03
    SYNC_READ = 0x82
    SYNC_WRITE = 0x83


class ErrorBits(IntFlag):
    """What a servo complains about, in the code of each status packet and in its register 65."""

    VOLTAGE = 0x01
    SENSOR = 0x02
    OVERHEAT = 0x04
    OVERCURRENT = 0x08
    OVERLOAD = 0x20


class PhaseBits(IntFlag):
    """The bits of the register PHASE that a wheel depends on."""

    SPEED_IN_STEPS = 0x04
    """Set: speeds are steps per second (0.0146 rpm); clear: fifty of them (0.732 rpm)."""
    ZERO_IS_FULL = 0x08
    """Set: a speed of 0 is the greatest speed; clear: it is none."""
    MANY_TURNS = 0x10
    """Set: positions count on from turn to turn; clear: they begin anew with each."""


class Register(NamedTuple):
    address: int
    size: int
    sign_bit: int | None = None
    """Bit that means minus, of the registers that can be negative."""

    @property
    def largest(self) -> int:
        return (1 << self.sign_bit) - 1 if self.sign_bit is not None else (1 << 8 * self.size) - 1


FIRMWARE_MAJOR = Register(0, 1)
FIRMWARE_MINOR = Register(1, 1)
MODEL_NUMBER = Register(3, 2)
ID = Register(5, 1)
MIN_POSITION = Register(9, 2)
MAX_POSITION = Register(11, 2)
MAX_TEMPERATURE = Register(13, 1)
MAX_TORQUE = Register(16, 2)
PHASE = Register(18, 1)
P_GAIN = Register(21, 1)
D_GAIN = Register(22, 1)
I_GAIN = Register(23, 1)
PROTECTION_CURRENT = Register(28, 2)
"""Units of 6.5 mA."""
HOMING_OFFSET = Register(31, 2, 11)
OPERATING_MODE = Register(33, 1)
OVERLOAD_TORQUE = Register(36, 1)
"""Hundredths of the stall torque, beyond which it protects itself."""
TORQUE_ENABLE = Register(40, 1)
ACCELERATION = Register(41, 1)
GOAL_POSITION = Register(42, 2, 15)
GOAL_TIME = Register(44, 2)
GOAL_SPEED = Register(46, 2, 15)
TORQUE_LIMIT = Register(48, 2)
LOCK = Register(55, 1)
PRESENT_POSITION = Register(56, 2, 15)
PRESENT_SPEED = Register(58, 2, 15)
PRESENT_LOAD = Register(60, 2, 10)
PRESENT_VOLTAGE = Register(62, 1)
PRESENT_TEMPERATURE = Register(63, 1)
PRESENT_CURRENT = Register(69, 2, 15)

STATE_ADDRESS, STATE_SIZE = 56, 15
"""One read that holds everything a servo measures, error bits included."""
_STATE = struct.Struct("<HHHBBxBBxxH")
_GOAL = struct.Struct("<BHHH")
"""The same registers at once: states arrive and goals leave 1,400 times a second, and one by one took half the time."""
_MINUS = 1 << 15
"""The sign bit of most registers that can be negative; the rest is the magnitude."""
_ERRORS = tuple(ErrorBits(byte & sum(ErrorBits)) for byte in range(256))


class Packet(NamedTuple):
    id: int
    code: int
    """Instruction, or in an answer the ErrorBits."""
    parameters: bytes = b""


class ServoState(NamedTuple):
    """What a servo measures, in steps and the servo's other units."""

    position: int
    """Steps."""
    speed: int
    """Steps per second."""
    load: int
    """Thousandths of the stall torque."""
    voltage: float
    """Volts."""
    temperature: int
    """Degrees Celsius."""
    errors: ErrorBits
    moving: bool
    current: float
    """Amperes."""

    @classmethod
    def decode(cls, block: bytes) -> Self | None:
        """Read the STATE_SIZE bytes at STATE_ADDRESS; None when the block is too short."""
        if len(block) < STATE_SIZE:
            return None
        position, speed, load, voltage, temperature, errors, moving, current = _STATE.unpack_from(block)
        return cls(
            position if position < _MINUS else _MINUS - position,
            speed if speed < _MINUS else _MINUS - speed,
            load if load < 1024 else _signed(load, 10),
            voltage / 10,
            temperature,
            _ERRORS[errors],
            moving != 0,
            (current if current < _MINUS else _MINUS - current) * 0.0065,
        )

    def encode(self) -> bytes:
        """The block that `decode` reads: the servo's side of the wire."""
        return _STATE.pack(
            _coded(PRESENT_POSITION, self.position),
            _coded(PRESENT_SPEED, self.speed),
            _coded(PRESENT_LOAD, self.load),
            _coded(PRESENT_VOLTAGE, self.voltage * 10),
            _coded(PRESENT_TEMPERATURE, self.temperature),
            int(self.errors),
            self.moving,
            _coded(PRESENT_CURRENT, self.current / 0.0065),
        )


class Goal(NamedTuple):
    """Where a servo shall go; the block of registers ACCELERATION to GOAL_SPEED."""

    position: float
    """Steps."""
    speed: float = 0
    """Steps per second; 0 is the servo's own maximum."""
    acceleration: float = 0
    """Steps per second squared, in hundreds on the wire; 0 is the servo's own maximum."""

    def encode(self) -> tuple[bytes, bool]:
        """The seven bytes at ACCELERATION, and whether a number had to be clamped to fit. ValueError for NaN."""
        hundreds = self.acceleration / 100
        if 0 <= hundreds <= 255 and 0 <= self.position <= 32767 and 0 <= self.speed <= 32767:
            return _GOAL.pack(round(hundreds), round(self.position), 0, round(self.speed)), False
        parts = [
            encode_value(ACCELERATION, self.acceleration / 100),
            encode_value(GOAL_POSITION, self.position),
            encode_value(GOAL_TIME, 0),
            encode_value(GOAL_SPEED, self.speed),
        ]
        return b"".join(data for data, _ in parts), any(clamped for _, clamped in parts)

    @classmethod
    def decode(cls, block: bytes) -> Self | None:
        """Read the seven bytes at ACCELERATION; None when the block is too short."""
        if len(block) < 7:
            return None
        return cls(
            position=decode_value(GOAL_POSITION, block[1:]),
            speed=decode_value(GOAL_SPEED, block[5:]),
            acceleration=100 * decode_value(ACCELERATION, block),
        )


def encode_value(register: Register, value: float) -> tuple[bytes, bool]:
    """The register's bytes, and whether the value had to be clamped to fit. Raises ValueError for NaN."""
    smallest = 0 if register.sign_bit is None else -register.largest
    return _coded(register, value).to_bytes(register.size, "little"), not smallest <= value <= register.largest


def decode_value(register: Register, data: bytes) -> int:
    """The number that stands at the start of `data`; missing bytes count as zero."""
    number = int.from_bytes(data[: register.size], "little")
    return number if register.sign_bit is None else _signed(number, register.sign_bit)


def _coded(register: Register, value: float) -> int:
    """The number that stands for a value in a register; the nearest that fits."""
    if math.isnan(value):
        raise ValueError(f"register {register.address} cannot hold NaN")
    largest = register.largest
    if value >= 0 or register.sign_bit is None:
        return round(min(max(value, 0), largest))
    number = round(min(-value, largest))
    return number | 1 << register.sign_bit if number else 0


def _signed(number: int, sign_bit: int) -> int:
    return -(number & (1 << sign_bit) - 1) if number >> sign_bit & 1 else number


def encode(packet: Packet) -> bytes:
    body = bytes([packet.id, len(packet.parameters) + 2, packet.code]) + packet.parameters
    return _HEADER + body + bytes([_checksum(body)])


def ping(servo: int) -> bytes:
    return encode(Packet(servo, Instruction.PING))


def read(servo: int, register: Register) -> bytes:
    return encode(Packet(servo, Instruction.READ, bytes([register.address, register.size])))


def write(servo: int, register: Register, value: float) -> bytes:
    """A value too large for the register is clamped; check it before when that matters."""
    data, _ = encode_value(register, value)
    return encode(Packet(servo, Instruction.WRITE, bytes([register.address]) + data))


def sync_read_states(servos: Iterable[int]) -> bytes:
    """Each servo named answers in turn with its ServoState."""
    return encode(Packet(BROADCAST, Instruction.SYNC_READ, bytes([STATE_ADDRESS, STATE_SIZE, *servos])))


def sync_read(register: Register, servos: Iterable[int]) -> bytes:
    """Each servo named answers in turn with a register."""
    return encode(Packet(BROADCAST, Instruction.SYNC_READ, bytes([register.address, register.size, *servos])))


def sync_write(register: Register, values: Mapping[int, float]) -> bytes:
    """The same register of several servos; nobody answers."""
    parameters = bytes([register.address, register.size])
    for servo, value in values.items():
        parameters += bytes([servo]) + encode_value(register, value)[0]
    return encode(Packet(BROADCAST, Instruction.SYNC_WRITE, parameters))


def sync_write_goals(goals: Mapping[int, Goal]) -> tuple[bytes, tuple[int, ...]]:
    """One packet with everybody's goal, which nobody answers, and the servos whose goal had to be clamped."""
    parameters = bytearray((ACCELERATION.address, 7))
    clamped = []
    for servo, goal in goals.items():
        data, was_clamped = goal.encode()
        parameters.append(servo)
        parameters += data
        if was_clamped:
            clamped.append(servo)
    return encode(Packet(BROADCAST, Instruction.SYNC_WRITE, bytes(parameters))), tuple(clamped)


def decode_sync_write(packet: Packet) -> tuple[int, dict[int, bytes]]:
    """First address and each servo's bytes; an ill-formed packet gives nobody anything."""
    if len(packet.parameters) < 2:
        return 0, {}
    address, size = packet.parameters[:2]
    rest = packet.parameters[2:]
    if len(rest) % (size + 1):
        return address, {}
    return address, {rest[i]: rest[i + 1 : i + 1 + size] for i in range(0, len(rest), size + 1)}


class Parser:
    """Finds packets in a stream of bytes that may hold anything else as well."""

    def __init__(self, longest: int = _LONGEST) -> None:
        """longest: bytes after the length byte; where a longer packet is never sent, a damaged length swallows less."""
        self._longest = longest
        self._buffer = b""
        """What may be the beginning of a packet."""
        self.corrupt = 0
        """Headers that were followed by no packet."""

    def feed(self, data: bytes) -> list[Packet]:
        buffer, start, packets = self._buffer + data, 0, []
        size = len(buffer)
        while (start := _find_header(buffer, start)) + 4 <= size:
            servo, length = buffer[start + 2], buffer[start + 3]
            end = start + 4 + length
            possible = servo != 0xFF and 2 <= length <= self._longest
            if possible and end > size:
                break
            if possible and _checksum(buffer[start + 2 : end - 1]) == buffer[end - 1]:
                packets.append(Packet(servo, buffer[start + 4], buffer[start + 5 : end - 1]))
                start = end
            else:
                self.corrupt += servo != 0xFF
                start += 1
        self._buffer = buffer[start:]
        return packets

    def reset(self) -> None:
        """Forget a packet that never ended."""
        self.corrupt += bool(self._buffer)
        self._buffer = b""


def _find_header(buffer: bytes, start: int) -> int:
    """Return where the next header stands; without one, where its first half may, or the end."""
    found = buffer.find(_HEADER, start)
    if found >= 0:
        return found
    return len(buffer) - buffer.endswith(b"\xff", start)


def _checksum(body: bytes) -> int:
    return ~sum(body) & 0xFF
