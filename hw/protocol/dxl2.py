"""Dynamixel Protocol 2.0, X series: packets, registers and units. Pure; both ends of the wire use it.

A packet is FF FF FD 00, id, length (2), instruction, parameters, CRC (2), little-endian; a status packet has
instruction 0x55 and its error byte first. FF FF FD among the parameters is followed by a stuffed FD. Registers and
units as in ROBOTIS' e-manual of the XL430, XM430 and XL330; only the simulated bus was exercised.
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import NamedTuple, Self

STEPS_PER_TURN = 4096
BROADCAST = 0xFE
ALERT = 0x80
"""Of the error byte: the servo has something to say in HARDWARE_ERROR."""
SPEED_UNIT = 0.229 / 60 * STEPS_PER_TURN
"""Steps per second in one unit of velocity (0.229 turns per minute)."""
ACCELERATION_UNIT = 214.577 / 3600 * STEPS_PER_TURN
"""Steps per second squared in one unit of acceleration (214.577 turns per minute squared)."""

_HEADER = b"\xff\xff\xfd\x00"
_LONGEST = 1024
"""Bytes after the length; a longer claim is garbage."""


class Instruction(IntEnum):
    PING = 0x01
    READ = 0x02
    WRITE = 0x03
    STATUS = 0x55
    SYNC_READ = 0x82
    SYNC_WRITE = 0x83
    FAST_SYNC_READ = 0x8A


class HardwareError(IntFlag):
    """What the register HARDWARE_ERROR says."""

    VOLTAGE = 0x01
    OVERHEAT = 0x04
    ENCODER = 0x08
    ELECTRICAL_SHOCK = 0x10
    OVERLOAD = 0x20


class DriveMode(IntFlag):
    """What the register DRIVE_MODE says."""

    REVERSE = 0x01
    """It turns, and counts, clockwise."""
    SLAVE = 0x02
    BY_TIME = 0x04
    """PROFILE_VELOCITY is no speed: it is how many milliseconds a way shall take."""
    TORQUE_BY_GOAL = 0x08
    """A goal switches the torque on."""


class Register(NamedTuple):
    address: int
    size: int
    signed: bool = False

    @property
    def range(self) -> tuple[int, int]:
        bits = 8 * self.size
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.signed else (0, (1 << bits) - 1)


MODEL_NUMBER = Register(0, 2)
FIRMWARE = Register(6, 1)
ID = Register(7, 1)
DRIVE_MODE = Register(10, 1)
OPERATING_MODE = Register(11, 1)
HOMING_OFFSET = Register(20, 4, True)
PWM_LIMIT = Register(36, 2)
MAX_POSITION = Register(48, 4)
MIN_POSITION = Register(52, 4)
TORQUE_ENABLE = Register(64, 1)
HARDWARE_ERROR = Register(70, 1)
D_GAIN = Register(80, 2)
I_GAIN = Register(82, 2)
P_GAIN = Register(84, 2)
BUS_WATCHDOG = Register(98, 1, True)
"""Units of 20 ms without an instruction until it stops; 0 is off, -1 says that it has stopped and takes no goals."""
GOAL_PWM = Register(100, 2, True)
"""Bounds the torque in position mode; 885 is all of it."""
PROFILE_ACCELERATION = Register(108, 4)
PROFILE_VELOCITY = Register(112, 4)
GOAL_POSITION = Register(116, 4, True)
PRESENT_LOAD = Register(126, 2, True)
PRESENT_VELOCITY = Register(128, 4, True)
PRESENT_POSITION = Register(132, 4, True)
PRESENT_VOLTAGE = Register(144, 2)
PRESENT_TEMPERATURE = Register(146, 1)

FULL_PWM = 885
WATCHDOG_UNIT = 0.02
"""Seconds."""
STATE_ADDRESS, STATE_SIZE = 126, 21
"""One read that holds what a servo measures; its complaint is the ALERT bit of the answer."""
_STATE = struct.Struct("<hii8xHB")
_GOAL = struct.Struct("<IIi")


@dataclass(frozen=True)
class Packet:
    """An instruction, or (code 0x55) a status whose error byte stands apart from its parameters."""

    id: int
    code: int
    parameters: bytes = b""
    error: int = 0


@dataclass(frozen=True)
class ServoState:
    """What a servo measures, in steps and the servo's other units."""

    position: int
    """Steps; many turns are possible."""
    speed: float
    """Steps per second."""
    load: float
    """Thousandths of the stall torque."""
    voltage: float
    temperature: int
    """Degrees Celsius."""
    errors: int = 0
    """The error byte of the answer; ALERT is the hardware's."""

    @classmethod
    def decode(cls, block: bytes, error: int = 0) -> Self | None:
        """Read the STATE_SIZE bytes at STATE_ADDRESS; None when the block is too short."""
        if len(block) < STATE_SIZE:
            return None
        load, velocity, position, voltage, temperature = _STATE.unpack_from(block)
        return cls(position, velocity * SPEED_UNIT, load, voltage / 10, temperature, error & ALERT)

    def encode(self) -> bytes:
        """The block that `decode` reads: the servo's side of the wire."""
        return _STATE.pack(
            _clamped(PRESENT_LOAD, self.load),
            _clamped(PRESENT_VELOCITY, self.speed / SPEED_UNIT),
            _clamped(PRESENT_POSITION, self.position),
            _clamped(PRESENT_VOLTAGE, self.voltage * 10),
            _clamped(PRESENT_TEMPERATURE, self.temperature),
        )


@dataclass(frozen=True)
class Goal:
    """Where a servo shall go; the registers PROFILE_ACCELERATION to GOAL_POSITION."""

    position: float
    """Steps."""
    speed: float
    """Steps per second; less than one unit (16) is one unit, since 0 would mean as fast as it can."""
    acceleration: float = 0
    """Steps per second squared; 0 is the servo's own maximum."""

    def encode(self) -> tuple[bytes, bool]:
        """The twelve bytes, and whether a number had to be clamped to fit. ValueError for NaN."""
        wanted = (
            (PROFILE_ACCELERATION, self.acceleration / ACCELERATION_UNIT),
            (PROFILE_VELOCITY, max(self.speed / SPEED_UNIT, 1.0)),
            (GOAL_POSITION, self.position),
        )
        clamped = any(not register.range[0] <= value <= register.range[1] for register, value in wanted)
        return _GOAL.pack(*(_clamped(register, value) for register, value in wanted)), clamped

    @classmethod
    def decode(cls, block: bytes) -> Self | None:
        if len(block) < _GOAL.size:
            return None
        acceleration, speed, position = _GOAL.unpack_from(block)
        return cls(position, speed * SPEED_UNIT, acceleration * ACCELERATION_UNIT)


def encode(packet: Packet) -> bytes:
    error = bytes([packet.error]) if packet.code == Instruction.STATUS else b""
    body = bytes([packet.code]) + error + packet.parameters
    stuffed = body.replace(b"\xff\xff\xfd", b"\xff\xff\xfd\xfd")
    wire = _HEADER + bytes([packet.id]) + struct.pack("<H", len(stuffed) + 2) + stuffed
    return wire + struct.pack("<H", crc(wire))


def encode_value(register: Register, value: float) -> tuple[bytes, bool]:
    """The register's bytes, and whether the value had to be clamped to fit. Raises ValueError for NaN."""
    low, high = register.range
    data = _clamped(register, value).to_bytes(register.size, "little", signed=register.signed)
    return data, not low <= value <= high


def decode_value(register: Register, data: bytes) -> int:
    """The number that stands at the start of `data`; missing bytes count as zero."""
    return int.from_bytes(data[: register.size], "little", signed=register.signed)


def ping(servo: int) -> bytes:
    return encode(Packet(servo, Instruction.PING))


def read(servo: int, register: Register) -> bytes:
    return encode(Packet(servo, Instruction.READ, struct.pack("<HH", register.address, register.size)))


def write(servo: int, register: Register, value: float) -> bytes:
    """A value too large for the register is clamped; check it before when that matters."""
    data, _ = encode_value(register, value)
    return encode(Packet(servo, Instruction.WRITE, struct.pack("<H", register.address) + data))


def sync_read(address: int, size: int, servos: Iterable[int], fast: bool = False) -> bytes:
    """Each servo answers in turn; in a fast read, all in one packet."""
    code = Instruction.FAST_SYNC_READ if fast else Instruction.SYNC_READ
    return encode(Packet(BROADCAST, code, struct.pack("<HH", address, size) + bytes(servos)))


def sync_write(register: Register, values: Mapping[int, float]) -> bytes:
    """The same register of several servos; nobody answers."""
    blocks = b"".join(bytes([servo]) + encode_value(register, value)[0] for servo, value in values.items())
    head = struct.pack("<HH", register.address, register.size)
    return encode(Packet(BROADCAST, Instruction.SYNC_WRITE, head + blocks))


def sync_write_goals(goals: Mapping[int, Goal]) -> tuple[bytes, tuple[int, ...]]:
    """One packet with everybody's goal, which nobody answers, and the servos whose goal had to be clamped."""
    encoded = {servo: goal.encode() for servo, goal in goals.items()}
    blocks = b"".join(bytes([servo]) + data for servo, (data, _) in encoded.items())
    head = struct.pack("<HH", PROFILE_ACCELERATION.address, _GOAL.size)
    clamped = tuple(servo for servo, (_, was_clamped) in encoded.items() if was_clamped)
    return encode(Packet(BROADCAST, Instruction.SYNC_WRITE, head + blocks)), clamped


def decode_sync_write(packet: Packet) -> tuple[int, dict[int, bytes]]:
    """First address and each servo's bytes; an ill-formed packet gives nobody anything."""
    if len(packet.parameters) < 4:
        return 0, {}
    address, size = struct.unpack_from("<HH", packet.parameters)
    rest = packet.parameters[4:]
    if len(rest) % (size + 1):
        return address, {}
    return address, {rest[i]: rest[i + 1 : i + 1 + size] for i in range(0, len(rest), size + 1)}


def split_fast_status(packet: Packet, size: int) -> list[Packet]:
    """The answers to a fast sync read of `size` bytes: error, id, data and a CRC each, the last CRC being the packet's.

    Empty for anything else.
    """
    if packet.id != BROADCAST or packet.code != Instruction.STATUS:
        return []
    blocks = bytes([packet.error]) + packet.parameters
    if (len(blocks) + 2) % (size + 4):
        return []
    return [
        Packet(blocks[i + 1], Instruction.STATUS, blocks[i + 2 : i + 2 + size], blocks[i])
        for i in range(0, len(blocks), size + 4)
    ]


class Parser:
    """Finds packets in a stream of bytes that may hold anything else as well."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.corrupt = 0
        """Headers that were followed by no packet."""

    def feed(self, data: bytes) -> list[Packet]:
        self._buffer += data
        packets = []
        while (packet := self._next()) is not None:
            packets.append(packet)
        return packets

    def reset(self) -> None:
        """Forget a packet that never ended."""
        self.corrupt += bool(self._buffer)
        self._buffer.clear()

    def _next(self) -> Packet | None:
        while self._skip_to_header():
            buffer = self._buffer
            if len(buffer) < 7:
                return None
            length = buffer[5] | buffer[6] << 8
            end = 7 + length
            if not 3 <= length <= _LONGEST:
                self._drop_header()
            elif len(buffer) < end:
                return None
            elif crc(buffer[: end - 2]) != buffer[end - 2] | buffer[end - 1] << 8:
                self._drop_header()
            else:
                packet = _packet(buffer[4], bytes(buffer[7 : end - 2]))
                del buffer[:end]
                if packet:
                    return packet
        return None

    def _skip_to_header(self) -> bool:
        start = self._buffer.find(_HEADER)
        if start >= 0:
            del self._buffer[:start]
            return True
        tail = next((n for n in (3, 2, 1) if self._buffer.endswith(_HEADER[:n])), 0)
        del self._buffer[: len(self._buffer) - tail]
        return False

    def _drop_header(self) -> None:
        self.corrupt += 1
        del self._buffer[0]


def crc(data: bytes | bytearray) -> int:
    """CRC-16 with polynomial 0x8005, as Dynamixel counts it."""
    value = 0
    for byte in data:
        value = (value << 8 & 0xFFFF) ^ _CRC_TABLE[value >> 8 ^ byte]
    return value


def _packet(servo: int, stuffed: bytes) -> Packet | None:
    body = stuffed.replace(b"\xff\xff\xfd\xfd", b"\xff\xff\xfd")
    if body[0] != Instruction.STATUS:
        return Packet(servo, body[0], body[1:])
    return Packet(servo, body[0], body[2:], body[1]) if len(body) > 1 else None


def _clamped(register: Register, value: float) -> int:
    if value != value:
        raise ValueError(f"register {register.address} cannot hold NaN")
    low, high = register.range
    return round(min(max(value, low), high))


def _crc_entry(index: int) -> int:
    value = index << 8
    for _ in range(8):
        value = value << 1 ^ 0x8005 if value & 0x8000 else value << 1
    return value & 0xFFFF


_CRC_TABLE = tuple(_crc_entry(index) for index in range(256))
