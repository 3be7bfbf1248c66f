"""Talking to the servos of one port while heed-hw does not: to find, calibrate and set up. This waits for answers."""

import math
import select
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from hw.bus import ATTEMPTS
from hw.device_faults import ComponentError, FaultCode
from hw.servo import Memory, Packet, Question
from hw.servo_family import ServoFamily
from hw.transport import ByteTransport, SerialTransport

T = TypeVar("T")

ANSWER = 0.05
"""Seconds to wait for one answer."""
PING = 0.02
"""Seconds to wait for a servo that may not exist."""
MARGIN = 10
"""Steps by which a joint's range ends before what was seen: no end is ever run into."""
SERIAL_PORTS = Path("/dev/serial/by-id")


class Found(NamedTuple):
    """A servo that answered."""

    id: int
    model: str


class Workbench:
    """The servos behind one port."""

    def __init__(self, port: ByteTransport, family: ServoFamily) -> None:
        self.family = family
        self.collisions: set[int] = set()
        """Ids that were answered by nothing but damaged bytes: several servos spoke at once."""
        self._port = port
        self._parser = family.parser()
        self._heard = False
        """Whether the last question was answered by anything at all."""

    @classmethod
    def open(cls, path: Path, baud: int, family: ServoFamily) -> "Workbench":
        """Open the port. Raises TransportError when it does not open: heed-hw has it, perhaps."""
        return cls(SerialTransport(path, baud), family)

    def scan(self, ids: Sequence[int]) -> list[Found]:
        """Return which servos answer, and what they are."""
        found = []
        for servo in ids:
            if self._is_there(servo):
                number = self.ask(self.family.model(servo))
                found.append(Found(servo, self.family.models().get(number, f"model {number}")))
            elif self._heard:
                self.collisions.add(servo)
        return found

    def _is_there(self, servo: int) -> bool:
        """Return whether it answers, asked twice at most: one packet may be lost."""
        return any(self._exchange(servo, self.family.ping(servo), PING) is not None for _ in range(2))

    def ask(self, procedure: Generator[Question, Packet, T]) -> T:
        """Carry a procedure to its end. Raises ComponentError when a servo does not answer."""
        try:
            question = next(procedure)
            while True:
                question = procedure.send(self._answer(question))
        except StopIteration as end:
            result: T = end.value
            return result

    def release(self, servos: Sequence[int]) -> None:
        """Torque off: what they hold falls."""
        self.tell(self.family.release(servos))

    def tell(self, packet: bytes) -> None:
        """A packet that nobody answers."""
        self._port.send(packet)

    def close(self) -> None:
        self._port.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, question: Question) -> Packet:
        for _ in range(ATTEMPTS):
            packet = self._exchange(question.servo, question.packet, ANSWER, question.size)
            if packet is not None:
                return packet
        raise ComponentError(FaultCode.COMM_TIMEOUT, f"servo {question.servo} does not answer")

    def _exchange(self, servo: int, packet: bytes, seconds: float, size: int | None = None) -> Packet | None:
        self._parser.reset()
        self._heard = False
        self._port.send(packet)
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            poll = select.poll()
            poll.register(self._port.fileno(), select.POLLIN)
            if not poll.poll(left * 1000):
                return None
            received = self._port.receive()
            self._heard = self._heard or bool(received)
            for answer in self._parser.feed(received):
                if answer.id == servo and (size is None or len(answer.parameters) == size):
                    return answer
        return None


def serial_ports() -> list[Path]:
    """Ports under names that stay, whichever plug they are in."""
    return sorted(SERIAL_PORTS.iterdir()) if SERIAL_PORTS.is_dir() else []


class RangeFinder:
    """The ends of a joint's range, while a person moves it."""

    def __init__(self) -> None:
        self.low, self.high = math.inf, -math.inf

    def see(self, steps: int) -> None:
        self.low, self.high = min(self.low, steps), max(self.high, steps)

    def memory(self, homing_offset: int) -> Memory:
        """Return what the servo shall keep: a little less than what was seen, so that no end is ever run into.

        Raises ValueError for a joint that was hardly moved.
        """
        if not self.high - self.low > 20 * MARGIN:
            raise ValueError("it was hardly moved")
        return Memory(homing_offset, int(self.low) + MARGIN, int(self.high) - MARGIN)


def homing_offset(family: ServoFamily, present: int, held: int, zero: float) -> int:
    """The offset with which a servo that now says `present`, with `held` in its memory, will say `zero` instead."""
    half = (family.largest_step + 1) // 2
    wanted = held + family.offset_sign * round(zero - present)
    return (wanted + half) % (2 * half) - half
