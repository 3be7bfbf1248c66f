"""A serial port with servos, and the components that share it: an arm alone, or an arm and the wheels below it.

Each component has a part of the bus and looks after its own servos. All goals leave in one packet, all states are
asked for in one question; procedures wait for one another, since on a half-duplex bus one speaks at a time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from hw.bus import Counters, Reading, ServoBus
from hw.device_faults import ComponentError
from hw.servo import Procedure, Target
from hw.servo_family import ServoFamily
from hw.transport import ByteTransport


class ServoPort:
    """A port that is opened by the component that comes first, and closed by the one that goes last."""

    def __init__(self, open_port: Callable[[], ByteTransport], family: ServoFamily) -> None:
        self.family = family
        self._open_port = open_port
        self._bus: ServoBus | None = None
        self._parts: list[BusPart] = []
        self._asker: BusPart | None = None
        """Whose procedure is under way, or was the last."""
        self._waiting: list[_Waiting] = []

    def join(self, servos: Sequence[int]) -> "BusPart":
        """A part of the bus with these servos. Raises TransportError when the port does not open."""
        if self._bus is None:
            self._bus = ServoBus(self._open_port(), (), self.family)
        part = BusPart(self, self._bus, servos)
        self._parts.append(part)
        self._serve(self._bus)
        return part

    def leave(self, part: "BusPart") -> None:
        """The others go on."""
        if part not in self._parts or self._bus is None:
            return
        self.abandon(part)
        self._parts.remove(part)
        if self._parts:
            self._serve(self._bus)
        else:
            self._bus.close()
            self._bus = None

    def cycle(self, part: "BusPart", now: float) -> None:
        """Everybody's goals and one question for all, when the part that comes last in a tick says so."""
        if self._bus and part is self._parts[-1]:
            goals = {servo: target for part in self._parts for servo, target in part.goals.items()}
            bus = self._bus
            self._asked(lambda: bus.cycle(now, goals), now)

    def receive(self, part: "BusPart", now: float) -> None:
        """Read once for all, when the part that came first says so: a second time there would be nothing to read."""
        if self._bus and part is self._parts[0]:
            bus = self._bus
            self._asked(lambda: bus.receive(now), now)

    def start(self, part: "BusPart", procedure: Procedure, now: float) -> None:
        """Begin a procedure as soon as those before it have ended."""
        self.abandon(part)
        self._waiting.append(_Waiting(part, procedure))
        self._go_on(now)

    def abandon(self, part: "BusPart") -> None:
        """End the part's procedure where it stands."""
        self._waiting = [waiting for waiting in self._waiting if waiting.part is not part]
        if self._asker is part and self._bus:
            self._bus.abandon()

    def asks(self, part: "BusPart") -> bool:
        """Return whether the part's procedure is under way, or waits."""
        under_way = self._asker is part and self.paused
        return under_way or any(waiting.part is part for waiting in self._waiting)

    @property
    def paused(self) -> bool:
        """Somebody's procedure is under way: nobody's state is asked for meanwhile."""
        return self._bus is not None and self._bus.busy

    def _asked(self, work: Callable[[], None], now: float) -> None:
        """Whose procedure fails hears of it itself, whoever happens to read the answer."""
        try:
            work()
        except ComponentError as error:
            if self._asker:
                self._asker.trouble = error
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        if self._bus and self._waiting and not self._bus.busy:
            self._asker, procedure = self._waiting.pop(0)
            self._bus.start(procedure, now)

    def _serve(self, bus: ServoBus) -> None:
        bus.serve([servo for part in self._parts for servo in part.servos])


class BusPart:
    """The bus as one of its components sees it."""

    def __init__(self, port: ServoPort, bus: ServoBus, servos: Sequence[int]) -> None:
        self.servos = tuple(servos)
        self.goals: Mapping[int, Target] = {}
        """What its servos are told in each cycle."""
        self.trouble: ComponentError | None = None
        """How its procedure has failed, until it has heard of it."""
        self._port = port
        self._bus = bus

    def fileno(self) -> int:
        return self._bus.transport.fileno()

    @property
    def busy(self) -> bool:
        """A procedure of its own has not ended yet."""
        return self._port.asks(self)

    @property
    def paused(self) -> bool:
        """States are not asked for: somebody's procedure is under way."""
        return self._port.paused or self.busy

    @property
    def steady(self) -> bool:
        return self._bus.steady

    @property
    def counters(self) -> Counters:
        """Counters of the whole bus."""
        return self._bus.counters

    @property
    def readings(self) -> Mapping[int, Reading]:
        """The last one of each servo of the whole bus."""
        return self._bus.readings

    def heard(self) -> list[Reading]:
        """The last one of each of its own servos that has said anything."""
        known = self._bus.readings
        return [known[servo] for servo in self.servos if servo in known]

    def limp(self, servo: int) -> int:
        """Return how often in a row a servo has said that its torque is off."""
        return self._bus.limp.get(servo, 0)

    def forget(self) -> None:
        """Forget what its servos said before they were set up anew."""
        for servo in self.servos:
            self._bus.readings.pop(servo, None)
            self._bus.limp.pop(servo, None)

    def forget_limp(self) -> None:
        for servo in self.servos:
            self._bus.limp.pop(servo, None)

    def cycle(self, now: float, goals: Mapping[int, Target]) -> None:
        """Send goals (none: nobody moves) with everybody's, once a tick. Raises TransportError, ComponentError."""
        self.goals = goals
        self._port.cycle(self, now)
        self._hear_trouble()

    def send_goals(self, goals: Mapping[int, Target]) -> None:
        """Goals at once."""
        self.goals = goals
        self._bus.send_goals(goals)

    def send(self, packet: bytes) -> None:
        """A packet that nobody answers."""
        self._bus.transport.send(packet)

    def receive(self, now: float) -> None:
        """Take in what has arrived, whoever it is for. Raises TransportError, ComponentError."""
        self._port.receive(self, now)
        self._hear_trouble()

    def start(self, procedure: Procedure, now: float) -> None:
        """Begin a procedure; `busy` tells when it has ended."""
        self.trouble = None
        self._port.start(self, procedure, now)

    def abandon(self) -> None:
        self._port.abandon(self)

    def close(self) -> None:
        self._port.leave(self)

    def _hear_trouble(self) -> None:
        trouble, self.trouble = self.trouble, None
        if trouble:
            raise trouble


class _Waiting(NamedTuple):
    part: BusPart
    procedure: Procedure
