"""What a bus of servos and an arm know of a servo, whoever made it: positions in, states out, questions between.

hw/servo_family.py has what the makes have in common.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple, Protocol


class Packet(Protocol):
    """One packet as a servo sent it."""

    @property
    def id(self) -> int: ...
    @property
    def parameters(self) -> bytes: ...


class Parser(Protocol):
    """Finds packets in a stream of bytes."""

    corrupt: int

    def feed(self, data: bytes) -> Sequence[Packet]: ...
    def reset(self) -> None: ...


class ServoState(Protocol):
    """What a servo measures."""

    @property
    def position(self) -> int:
        """Steps."""

    @property
    def speed(self) -> float:
        """Steps per second."""

    @property
    def load(self) -> float:
        """Thousandths of the stall torque."""

    @property
    def voltage(self) -> float: ...

    @property
    def temperature(self) -> int:
        """Degrees Celsius."""

    @property
    def errors(self) -> int: ...


class Target(NamedTuple):
    """Where a servo shall go, and no faster than this: steps, steps per second."""

    position: float
    speed: float


class Memory(NamedTuple):
    """What calibration has found out of a servo: steps."""

    homing_offset: int
    low: int
    high: int
    inverted: bool = False
    """It counts the other way round (bit 0 of a Dynamixel's Drive Mode)."""
    zero: int | None = None
    """Where its joint is zero, as a person has shown it; the servo itself does not keep that."""

    @property
    def kept(self) -> "Memory":
        """Return the memory as the servo itself holds it."""
        return self._replace(zero=None)


class Question(NamedTuple):
    """A packet to one servo, and how many parameters its answer has."""

    servo: int
    packet: bytes
    size: int


Procedure = Generator[Question, Packet, None]
"""Yields questions, is sent the answers; ComponentError ends it."""
Asking = Generator[Question, Packet, int]
"""The same, with a number as its result."""
