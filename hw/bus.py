"""A bus of servos: everybody's goal out, everybody's state in, each cycle, without ever waiting.

Between cycles a procedure (a generator of questions) may talk to single servos; cycles pause meanwhile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hw.device_faults import ComponentError, FaultCode
from hw.feetech import Feetech
from hw.servo import Packet, Parser, Procedure, Question, ServoState, Target
from hw.servo_family import ServoFamily
from hw.transport import ByteTransport

ANSWER_TIMEOUT = 0.1
"""Seconds to wait for one answer: 1 to 16 ms for USB adapters, the rest for a simulation on busy cores."""
ANSWERED = 0.02
"""Seconds after which an answer that has not come will probably not come: the bus is free."""
LEAP, FASTEST, QUICKEST = 30, 4000.0, 20_000.0
"""Steps that a shaft may be off from where its speed would have taken it, and steps per second and per second squared
that it can turn and gain, between two answers one of which is true."""
LONGEST_GAP = 0.1
"""Seconds that a reading says something about the next one; after a longer silence anything is doubted that is far."""
WARMER, WEAKER = 5, 2.0
"""Degrees and volts that two answers a moment apart may differ."""
TORQUE_EVERY = 50
"""Every so many cycles the question is whether torque is on: a servo that was reset goes on answering, limp."""
ATTEMPTS = 6
"""A corrupt packet now and then is normal on a half-duplex bus. With one byte in a hundred spoiled, one exchange in
seven fails, and three in a row are nothing special; an activation asks more than a hundred times."""


class Reading(NamedTuple):
    state: ServoState
    at: float
    """Monotonic seconds."""


@dataclass
class Counters:
    """What happened on the bus so far."""

    cycles: int = 0
    complete: int = 0
    """Cycles in which every servo answered in time."""
    retries: int = 0
    corrupt: int = 0
    doubted: int = 0
    """Answers that could not be true, though their checksum fitted: of 256 corrupt ones, one does."""


@dataclass
class _Running:
    procedure: Procedure
    question: Question
    asked_at: float
    attempts: int = 1


@dataclass
class ServoBus:
    """One transport, its servos, and what they measured last."""

    transport: ByteTransport
    servos: Sequence[int]
    family: ServoFamily = field(default_factory=Feetech)
    readings: dict[int, Reading] = field(default_factory=dict)
    counters: Counters = field(default_factory=Counters)
    limp: dict[int, int] = field(default_factory=dict)
    """How often a servo has said that its torque is off, since it last said that it is on."""
    steady: bool = False
    """Every servo answered in the last cycle, and was asked for its state in this one."""
    _parser: Parser = field(init=False)
    _states_question: bytes = b""
    _running: _Running | None = None
    _held: bytes = b""
    """Goals that wait for the bus to be free, during a procedure."""
    _missing: set[int] = field(default_factory=set)
    _doubted: dict[int, Reading] = field(default_factory=dict)
    """Answers that count if the next one says the same."""
    _encoded: tuple[Mapping[int, Target], bytes] = field(default=({}, b""))
    """The last goals and their packet: an arm that holds says the same again and again."""

    def __post_init__(self) -> None:
        self._parser = self.family.parser()
        self.serve(self.servos)

    def serve(self, servos: Sequence[int]) -> None:
        """Ask these from now on."""
        self.servos = servos
        self._states_question = self.family.ask_states(servos)

    @property
    def busy(self) -> bool:
        """A procedure has not ended yet."""
        return self._running is not None

    def cycle(self, now: float, goals: Mapping[int, Target]) -> None:
        """Send the goals (none: nobody moves) and ask for states. Raises TransportError, ComponentError.

        During a procedure goals go out between an answer and the next question: a goal that was damaged on its way
        would else move a servo until the procedure has ended.
        """
        if self._running:
            self._held = self._goal_packet(goals)
            self._ask_again(now, self._running)
            return
        if self._missing:
            self._parser.reset()
        self.counters.corrupt = self._parser.corrupt
        self.counters.cycles += 1
        self.steady = not self._missing and self.counters.cycles % TORQUE_EVERY != 0
        self._missing = set(self.servos)
        self.transport.send(self._goal_packet(goals) + self._question())

    def send_goals(self, goals: Mapping[int, Target]) -> None:
        """Goals at once. Should they collide with a servo's answer, the next cycle repeats them."""
        self.transport.send(self._goal_packet(goals))

    def receive(self, now: float) -> None:
        """Take in what has arrived. Raises TransportError, and ComponentError from a procedure."""
        for packet in self._parser.feed(self.transport.receive()):
            running = self._running
            if running is None:
                self._take(packet, now)
            elif packet.id == running.question.servo and len(packet.parameters) == running.question.size:
                self._advance(running, packet, now)

    def start(self, procedure: Procedure, now: float) -> None:
        """Begin a procedure; `busy` tells when it has ended."""
        self.abandon()
        self._parser.reset()
        self._ask_first(procedure, now)

    def abandon(self) -> None:
        """End a procedure where it stands."""
        if self._running:
            self._running.procedure.close()
        self._running = None

    def close(self) -> None:
        self.abandon()
        self.transport.close()

    def _goal_packet(self, goals: Mapping[int, Target]) -> bytes:
        if goals != self._encoded[0]:
            self._encoded = dict(goals), self.family.goals(goals) if goals else b""
        return self._encoded[1]

    def _question(self) -> bytes:
        """Usually everybody's state. Two questions in one cycle would be answered at the same time, and collide."""
        if self.counters.cycles % TORQUE_EVERY:
            return self._states_question
        return self.family.ask_torque(self.servos)

    def _take(self, packet: Packet, now: float) -> None:
        states = self.family.states(packet)
        for servo, state in states:
            if servo in self.servos:
                self._take_state(servo, state, now)
        if not states and len(packet.parameters) == 1 and packet.id in self.servos:
            if packet.parameters[0]:
                self.limp.pop(packet.id, None)
            else:
                self.limp[packet.id] = self.limp.get(packet.id, 0) + 1
            self._answered(packet.id)

    def _take_state(self, servo: int, state: ServoState, now: float) -> None:
        reading = Reading(state, now)
        before = self.readings.get(servo)
        if before is not None and not _follows(before, reading) and not self._confirms(servo, reading):
            self._doubted[servo] = reading
            self.counters.doubted += 1
            return
        self.readings[servo] = reading
        if self._doubted:
            self._doubted.pop(servo, None)
        self._answered(servo)

    def _answered(self, servo: int) -> None:
        if servo in self._missing:
            self._missing.discard(servo)
            if not self._missing:
                self.counters.complete += 1

    def _confirms(self, servo: int, reading: Reading) -> bool:
        """It follows from an answer that was doubted just now."""
        doubted = self._doubted.get(servo)
        return doubted is not None and _follows(doubted, reading)

    def _ask_first(self, procedure: Procedure, now: float) -> None:
        question = next(procedure, None)
        if question:
            self._running = _Running(procedure, question, now)
            self.transport.send(question.packet)

    def _advance(self, running: _Running, answer: Packet, now: float) -> None:
        try:
            running.question = running.procedure.send(answer)
        except StopIteration:
            self._running = None
            return
        except ComponentError:
            self._running = None
            raise
        running.asked_at, running.attempts = now, 1
        self.transport.send(self._take_held() + running.question.packet)

    def _take_held(self) -> bytes:
        """Once a tick."""
        held, self._held = self._held, b""
        return held

    def _ask_again(self, now: float, running: _Running) -> None:
        if now - running.asked_at < ANSWER_TIMEOUT:
            if self._held and now - running.asked_at > ANSWERED:
                self.transport.send(self._take_held())
            return
        if running.attempts >= ATTEMPTS:
            self.abandon()
            raise ComponentError(FaultCode.COMM_TIMEOUT, f"servo {running.question.servo} does not answer")
        running.attempts += 1
        running.asked_at = now
        self.counters.retries += 1
        self._parser.reset()
        self.transport.send(self._take_held() + running.question.packet)


def _follows(earlier: Reading, later: Reading) -> bool:
    """No leap that a shaft cannot make, nothing suddenly hot or without voltage, and no complaint that is new."""
    before, after = earlier.state, later.state
    leap = abs(after.position - before.position)
    gap = min(later.at - earlier.at, LONGEST_GAP)
    return (
        (leap <= LEAP or leap <= LEAP + 2 * _speed(before, after, gap) * gap)
        and abs(after.temperature - before.temperature) <= WARMER
        and abs(after.voltage - before.voltage) <= WEAKER
        and not (after.errors and after.errors & ~before.errors)
    )


def _speed(before: ServoState, after: ServoState, gap: float) -> float:
    """Steps per second that it may have turned with: a false answer may be false about its speed, too."""
    before_speed = abs(before.speed)
    return min(max(before_speed, abs(after.speed)), before_speed + QUICKEST * gap, FASTEST)
