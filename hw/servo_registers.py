"""Registers of a servo, read and written so that a damaged packet is noticed; the same for every make."""

from collections.abc import Callable, Generator, Mapping
from typing import Any, Generic, Protocol, TypeVar

from hw.device_faults import ComponentError, FaultCode
from hw.servo import Asking, Packet, Procedure, Question

SWAY = 8
"""Steps between two answers of a limp arm that hangs, or that somebody holds."""
_DISAGREEING = 6
"""Answers, each unlike the one before, until nobody believes that servo any more."""


class Register(Protocol):
    """What a servo keeps under one address."""

    @property
    def address(self) -> int: ...
    @property
    def size(self) -> int:
        """Bytes."""
        ...


R = TypeVar("R", bound=Register)


class Codec(Protocol[R]):
    """What hw/protocol/sts.py and hw/protocol/dxl2.py have in common."""

    MODEL_NUMBER: R
    HOMING_OFFSET: R
    MIN_POSITION: R
    MAX_POSITION: R
    TORQUE_ENABLE: R
    PRESENT_POSITION: R
    PRESENT_VOLTAGE: R

    def ping(self, servo: int, /) -> bytes: ...
    def read(self, servo: int, register: R, /) -> bytes: ...
    def write(self, servo: int, register: R, value: float, /) -> bytes: ...
    def sync_write(self, register: R, values: Mapping[int, float], /) -> bytes: ...
    def decode_value(self, register: R, data: bytes, /) -> int: ...


class Registers(Generic[R]):
    """The registers of one make, as questions that a bus asks one servo."""

    def __init__(self, codec: Codec[R], refused: Callable[[Packet], int] = lambda answer: 0) -> None:
        """`refused` returns the error in an acknowledgement of what was written, 0 for none."""
        self.codec = codec
        self._refused = refused

    def read(self, servo: int, register: R, slack: int = 0) -> Asking:
        """Ask a servo for a register, until two answers in a row are the same but for `slack`."""
        question = Question(servo, self.codec.read(servo, register), register.size)
        return (yield from twice(question, lambda answer: self.codec.decode_value(register, answer.parameters), slack))

    def read_all(self, servo: int, registers: Mapping[str, R]) -> Generator[Question, Packet, Mapping[str, int]]:
        """Read several registers; returns what each holds, by its name."""
        held = {}
        for name, register in registers.items():
            held[name] = yield from self.read(servo, register)
        return held

    def write(self, servo: int, register: R, value: float) -> Procedure:
        """Write a register and wait for the servo's acknowledgement; ComponentError when it refuses."""
        answer = yield Question(servo, self.codec.write(servo, register, value), 0)
        if refused := self._refused(answer):
            raise ComponentError(
                FaultCode.LIMIT_MISMATCH,
                f"servo {servo} refuses {value} in register {register.address} (error {refused})",
            )

    def write_and_check(self, servo: int, register: R, value: int) -> Procedure:
        """Write a register unless it holds the value already, and read it back."""
        if (yield from self.read(servo, register)) == value:
            return
        yield from self.write(servo, register, value)
        kept(servo, f"register {register.address}", value, (yield from self.read(servo, register)))


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
    """Require that a device has kept what was written to it. Raises ComponentError."""
    if wanted != found:
        raise ComponentError(
            FaultCode.LIMIT_MISMATCH, f"servo {servo} holds {found} as its {what} after {wanted} was written"
        )


AnyRegisters = Registers[Any]
