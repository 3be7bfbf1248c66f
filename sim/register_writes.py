"""What is written into the registers of servos, read off the bytes on their wire, whoever made them. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from hw.protocol import dxl2, sts


class Register(Protocol):
    """Where a value stands."""

    @property
    def address(self) -> int: ...
    @property
    def size(self) -> int: ...


class Write(NamedTuple):
    """Bytes from an address on, for one servo."""

    servo: int
    address: int
    data: bytes


@dataclass(frozen=True)
class Dialect:
    """The registers that matter of one make, and how its packets write them."""

    parser: Callable[[], Any]
    writes: Callable[[Any], Iterator[Write]]
    decode: Callable[[Any, bytes], int]
    goal: Register
    speed: Register
    speed_unit: float
    """Steps per second that a speed of 1 means."""
    torque: Register
    full_torque: int
    power: Register
    low: Register
    high: Register
    mode: Register
    modes: frozenset[int]
    """Those in which it goes to a place and stays there."""

    def value(self, register: Register, write: Write) -> int | None:
        """The value of a register, if the write holds the whole of it."""
        start = register.address - write.address
        if start < 0 or start + register.size > len(write.data):
            return None
        return self.decode(register, write.data[start : start + register.size])


class Writes:
    """Finds the writes in a stream of bytes."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._parser = dialect.parser()

    def read(self, data: bytes) -> Iterator[Sequence[Write]]:
        """The writes of each packet."""
        for packet in self._parser.feed(data):
            yield list(self._dialect.writes(packet))

    def restart(self) -> None:
        """Half a packet counts for nothing."""
        self._parser.reset()


def _by_feetech(packet: sts.Packet) -> Iterator[Write]:
    if packet.code == sts.Instruction.SYNC_WRITE:
        address, blocks = sts.decode_sync_write(packet)
        yield from (Write(servo, address, block) for servo, block in blocks.items())
    elif packet.code == sts.Instruction.WRITE and packet.parameters:
        yield Write(packet.id, packet.parameters[0], packet.parameters[1:])


def _by_dynamixel(packet: dxl2.Packet) -> Iterator[Write]:
    if packet.code == dxl2.Instruction.SYNC_WRITE:
        address, blocks = dxl2.decode_sync_write(packet)
        yield from (Write(servo, address, block) for servo, block in blocks.items())
    elif packet.code == dxl2.Instruction.WRITE and len(packet.parameters) > 2:
        yield Write(packet.id, int.from_bytes(packet.parameters[:2], "little"), packet.parameters[2:])


FEETECH = Dialect(
    sts.Parser,
    _by_feetech,
    sts.decode_value,
    goal=sts.GOAL_POSITION,
    speed=sts.GOAL_SPEED,
    speed_unit=1.0,
    torque=sts.TORQUE_LIMIT,
    full_torque=1000,
    power=sts.TORQUE_ENABLE,
    low=sts.MIN_POSITION,
    high=sts.MAX_POSITION,
    mode=sts.OPERATING_MODE,
    modes=frozenset({0}),
)
DYNAMIXEL = Dialect(
    dxl2.Parser,
    _by_dynamixel,
    dxl2.decode_value,
    goal=dxl2.GOAL_POSITION,
    speed=dxl2.PROFILE_VELOCITY,
    speed_unit=dxl2.SPEED_UNIT,
    torque=dxl2.GOAL_PWM,
    full_torque=dxl2.FULL_PWM,
    power=dxl2.TORQUE_ENABLE,
    low=dxl2.MIN_POSITION,
    high=dxl2.MAX_POSITION,
    mode=dxl2.OPERATING_MODE,
    modes=frozenset({3, 4}),
)
