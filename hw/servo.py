"""What a bus of servos and an arm know of a servo, whoever made it: positions in, states out, questions between.

hw/feetech.py and hw/dynamixel.py are the makes there are; a description names one by `servos = "feetech"`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import NamedTuple, Protocol

from hw.device_faults import ComponentError, FaultCode


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


class ServoFamily(ABC):
    """The servos of one make: their packets, and how they are set up."""

    name: str
    largest_step: int
    """Positions are 0 to this in position mode."""
    offset_sign: int
    """1 when the homing offset is added to what is measured, -1 when it is taken away."""

    @abstractmethod
    def parser(self) -> Parser: ...

    @abstractmethod
    def models(self) -> Mapping[int, str]:
        """Model numbers that are known, and what they are called."""

    @abstractmethod
    def ping(self, servo: int) -> bytes: ...

    @abstractmethod
    def ask_states(self, servos: Sequence[int]) -> bytes: ...

    @abstractmethod
    def ask_torque(self, servos: Sequence[int]) -> bytes:
        """Return whether torque is on: one parameter in each answer."""

    @abstractmethod
    def states(self, packet: Packet) -> Sequence[tuple[int, ServoState]]:
        """The states in an answer; nothing when it is about something else."""

    @abstractmethod
    def goals(self, targets: Mapping[int, Target]) -> bytes:
        """Everybody's goal in one packet that nobody answers."""

    @abstractmethod
    def release(self, servos: Sequence[int]) -> bytes:
        """Torque off, in one packet that nobody answers."""

    @abstractmethod
    def complaint(self, state: ServoState) -> tuple[FaultCode, str] | None:
        """Return what the servo itself says is wrong, and in which words."""

    @abstractmethod
    def explain(self, servo: int) -> Procedure:
        """Ask a servo that complains what it means; ends in a ComponentError that says it."""

    @abstractmethod
    def model(self, servo: int) -> Asking: ...

    @abstractmethod
    def configure(self, servo: int, limits: tuple[int, int] | None) -> Procedure:
        """Position mode; limits (steps) in the servo's own memory and read back, unless they are None."""

    @abstractmethod
    def settings(self, servo: int) -> Generator[Question, Packet, Mapping[str, int]]:
        """Return its gains and what protects it, by the names that people know them by; nothing is written."""

    @abstractmethod
    def memory(self, servo: int) -> Generator[Question, Packet, Memory]: ...

    @abstractmethod
    def keep(self, servo: int, memory: Memory) -> Procedure:
        """Write what calibration found, and read it back. Torque is off."""

    @abstractmethod
    def position(self, servo: int) -> Asking:
        """Return where it is; steps."""

    @abstractmethod
    def power(self, servo: int, steps: int, effort: float) -> Procedure:
        """Goal to `steps`, torque bounded to a share of the stall torque, then on; all of it read back."""


SWAY = 8
"""Steps between two answers of a limp arm that hangs, or that somebody holds."""
_DISAGREEING = 6
"""Answers, each unlike the one before, until nobody believes that servo any more."""


def twice(question: Question, decode: Callable[[Packet], int], slack: int = 0) -> Asking:
    """Ask until two answers in a row are the same but for `slack`: a corrupt one may have a fitting checksum."""
    before = decode((yield question))
    for _ in range(_DISAGREEING):
        after = decode((yield question))
        if abs(after - before) <= slack:
            return after
        before = after
    raise ComponentError(FaultCode.COMM_TIMEOUT, f"servo {question.servo} never gives the same answer twice")


def kept(servo: int, what: str, wanted: int, found: int) -> None:
    """ComponentError unless a device has kept what was written to it."""
    if wanted != found:
        raise ComponentError(
            FaultCode.LIMIT_MISMATCH, f"servo {servo} holds {found} as its {what} after {wanted} was written"
        )
