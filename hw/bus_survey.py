"""Which robot hangs on a bus: the servos that answer, what is odd about them, and whose arm they are.

Nothing is written and nothing moves. What cannot be seen (an SO-101 or an SO-100, left or right) a person must say.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from hw.dynamixel import Dynamixel
from hw.feetech import Feetech
from hw.protocol import sts
from hw.servo import Memory
from hw.transport import TransportError
from hw.workbench import Workbench

BAUD = 1_000_000
ARM = ("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll", "gripper")
"""Joints of an SO-101, an SO-100 or a Koch, by their ids from 1 on, as LeRobot sets them up."""
KOCH = (1060, 1060, 1200, 1200, 1200, 1200)
"""Models of a Koch's servos, by their ids from 1 on: two XL430-W250, four XL330-M288."""
IDS = range(1, 13)
"""Ids that are looked for: arms with a head or wheels on the same bus have up to 10."""
HEAD, TWO_WHEELS, OMNI_WHEELS = frozenset({7, 8}), frozenset({9, 10}), frozenset({7, 8, 9})
BESIDES = {
    HEAD: "a head (XLeRobot)",
    TWO_WHEELS: "two wheels (XLeRobot)",
    OMNI_WHEELS: "three wheels (LeKiwi, XLeRobot)",
}
"""What else hangs on the bus of an arm, by the ids that it has."""
SUPPLIES = ((4.5, 8.5), (9.0, 13.5))
"""Volts between which servos for 7.4 V and for 12 V may work."""


@dataclass(frozen=True)
class ServoFound:
    """One servo that answered."""

    id: int
    model: int
    firmware: str
    """Major and minor version: "3.10"."""
    voltage: float
    """Volts."""
    memory: Memory
    """Homing offset and range, as somebody has calibrated it."""
    make: str = "feetech"

    @property
    def fits(self) -> bool:
        """Return whether it is of a model that an arm has there."""
        return self.model in self._wanted

    @property
    def wanted(self) -> str:
        """Return what an arm has there, in words."""
        if self.make == "feetech":
            return f"an STS3215 ({sts.STS3215})"
        return " or ".join(f"an {Dynamixel().models()[number]} ({number})" for number in self._wanted)

    @property
    def _wanted(self) -> Collection[int]:
        return Feetech().models().keys() if self.make == "feetech" else KOCH[self.id - 1 : self.id]

    @property
    def name(self) -> str:
        return ARM[self.id - 1] if self.id <= len(ARM) else f"id {self.id}"

    @property
    def calibrated(self) -> bool:
        """Return whether somebody has written a range into it; what turns all the way round has none."""
        return self.memory[:3] != (0, 0, sts.STEPS_PER_TURN - 1)


@dataclass(frozen=True)
class BusFound:
    """One port, and who answers on it."""

    port: Path
    servos: tuple[ServoFound, ...] = ()
    collisions: tuple[int, ...] = ()
    """Ids to which several servos answer at the same time."""
    trouble: str = ""
    """Why the port could not be used; "" where it could."""

    @property
    def arm(self) -> tuple[ServoFound, ...]:
        """The servos of an arm, from the shoulder outwards."""
        return tuple(servo for servo in self.servos if servo.id <= len(ARM))

    @property
    def is_arm(self) -> bool:
        """Return whether a whole arm answers, and nothing speaks against using it."""
        return len(self.arm) == len(ARM) and not self.collisions and not any(self.faults())

    @property
    def make(self) -> str:
        """Return the make of its servos."""
        return next((servo.make for servo in self.servos), "feetech")

    @property
    def is_koch(self) -> bool:
        """Return whether its servos are a Koch's, not an SO arm's."""
        return self.make == "dynamixel"

    @property
    def besides(self) -> str:
        """Return what else is on the bus, in words; "" for nothing."""
        others = self._others
        return BESIDES.get(others, f"servo {' and '.join(map(str, sorted(others)))}") if others else ""

    @property
    def wheels(self) -> int:
        """Return how many wheels hang on it, as LeRobot numbers them."""
        return len(self._others) if self._others in (TWO_WHEELS, OMNI_WHEELS) else 0

    @property
    def has_head(self) -> bool:
        """Return whether pan and tilt hang on it, as LeRobot numbers them."""
        return self._others == HEAD

    @property
    def head(self) -> dict[str, Memory]:
        """Return what the servos of a calibrated head hold, by LeRobot's ids: pan and tilt; nothing for any other."""
        found = [servo for servo in self.servos if servo.id in HEAD] if self.has_head else []
        return {name: servo.memory for name, servo in zip(("pan", "tilt"), found, strict=False) if servo.calibrated}

    @property
    def _heard(self) -> frozenset[int]:
        return frozenset(servo.id for servo in self.servos) | frozenset(self.collisions)

    @property
    def _others(self) -> frozenset[int]:
        return self._heard - frozenset(range(1, len(ARM) + 1))

    @property
    def supply(self) -> tuple[float, float]:
        """Volts between which these servos may work, by what they measure now."""
        ranks = self.arm[: KOCH.count(KOCH[0])] if self.is_koch else self.arm
        measured = min((servo.voltage for servo in ranks), default=0.0)
        return next((pair for pair in SUPPLIES if measured <= pair[1]), SUPPLIES[-1])

    def faults(self) -> list[str]:
        """Return what keeps an arm from being used, a sentence each."""
        if self.trouble:
            return [f"{self.port}: {self.trouble}"]
        told = [
            f"two servos have the id {servo}: give one of them its own (lerobot-setup-motors)"
            for servo in self.collisions
        ]
        missing = [number for number in range(1, len(ARM) + 1) if number not in self._heard]
        if self._heard and missing:
            told += [f"servo {number} ({ARM[number - 1]}) does not answer: {_why_silent(number)}" for number in missing]
        told += [
            f"servo {servo.id} ({servo.name}) is model {servo.model}, not {servo.wanted}"
            for servo in self.arm
            if not servo.fits
        ]
        if self._others not in BESIDES and any(self._others < known for known in BESIDES if self._others):
            told.append(
                f"besides an arm {self.besides} answer{'s' * (len(self._others) == 1)}, and there should be 7, 8 and 9 "
                "(three wheels), 9 and 10 (two wheels) or 7 and 8 (a head): look at the cable and the id of the other"
            )
        return told

    def oddities(self) -> list[str]:
        """Return what is worth telling and keeps nobody from anything, a sentence each."""
        versions = [servo.firmware for servo in self.servos]
        usual = max(set(versions), key=versions.count, default="")
        told = [
            f"servo {servo.id} ({servo.name}) has firmware {servo.firmware}, the others {usual}: LeRobot minds that"
            for servo in self.servos
            if servo.firmware != usual
        ]
        if self.besides and self._others not in BESIDES:
            told.append(f"{self.besides} on the same bus: heed moves the arm, and leaves that alone")
        return told


def look(port: Path, ids: Iterable[int] = IDS) -> BusFound:
    """Ask on a port who is there, in either make's words. Never raises: what is wrong stands in the answer."""
    numbers = list(ids)
    found = _look(port, numbers, Feetech())
    return found if found.servos or found.collisions or found.trouble else _look(port, numbers, Dynamixel())


def _look(port: Path, ids: list[int], family: Feetech | Dynamixel) -> BusFound:
    try:
        with Workbench.open(port, BAUD, family) as bench:
            present = [servo.id for servo in bench.scan(ids)]
            return BusFound(port, tuple(survey(bench, number) for number in present), tuple(sorted(bench.collisions)))
    except (TransportError, RuntimeError) as error:
        return BusFound(port, trouble=str(error))


def survey(bench: Workbench, number: int) -> ServoFound:
    """Return what one servo says of itself."""
    family = bench.family
    read = family.registers.read
    return ServoFound(
        number,
        bench.ask(family.model(number)),
        ".".join(str(bench.ask(read(number, register))) for register in family.firmware),
        bench.ask(read(number, family.registers.codec.PRESENT_VOLTAGE, slack=2)) / 10,
        bench.ask(family.memory(number)),
        family.name,
    )


def _why_silent(number: int) -> str:
    if number == 1:
        return "is it plugged into the board?"
    return f"look at the cable from servo {number - 1} to it, and whether it has that id"
