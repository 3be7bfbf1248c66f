"""What goes wrong on purpose: noise on a wire, and devices that overheat, stall, fall silent or start anew.

Deterministic: the same seed spoils the same bytes. `KINDS` lists what a device can suffer by name, for tests and
for the scene's socket.
"""

import math
import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from sim.axis import SimulatedAxis
from sim.shaft import Shaft

MISSING_PHASE = 0x0000_0080
"""An axis error as ODrive reports it when a motor's wire is broken."""


@dataclass(frozen=True)
class Noise:
    """Shares of bytes, 0 to 1, that a wire spoils, in each direction."""

    corrupt: float = 0.0
    drop: float = 0.0
    duplicate: float = 0.0
    garbage: float = 0.0
    """A byte that nobody sent goes before."""
    delay: float = 0.0
    """Seconds that everything is late."""
    seed: int = 0

    @classmethod
    def evenly(cls, share: float, seed: int = 0) -> "Noise":
        """Return noise that spoils such a share of bytes, a quarter of them each way."""
        return cls(share / 4, share / 4, share / 4, share / 4, seed=seed)

    @property
    def rate(self) -> float:
        return self.corrupt + self.drop + self.duplicate + self.garbage


class NoisyWire:
    """One direction of a wire."""

    def __init__(self, noise: Noise) -> None:
        """ValueError when more than every byte is to be spoiled."""
        if not 0 <= noise.rate <= 1:
            raise ValueError(f"the shares of {noise} must be 0 to 1 together")
        self.noise = noise
        self.spoiled = 0
        """Bytes."""
        self._random = random.Random(noise.seed)
        self._clean: float = self._gap()
        """Bytes until the next one is spoiled."""
        self._under_way: deque[tuple[float, bytes]] = deque()

    def carry(self, data: bytes, now: float) -> bytes:
        """Return what arrives at this moment, of these bytes and those that were under way; now: monotonic seconds."""
        if data:
            self._under_way.append((now + self.noise.delay, self._spoil(data)))
        arrived = b""
        while self._under_way and self._under_way[0][0] <= now:
            arrived += self._under_way.popleft()[1]
        return arrived

    @property
    def due(self) -> float:
        """Return when the next bytes arrive that are under way; monotonic seconds."""
        return self._under_way[0][0] if self._under_way else math.inf

    def _spoil(self, data: bytes) -> bytes:
        spoiled = bytearray()
        start = 0
        while self._clean < len(data) - start:
            at = start + int(self._clean)
            spoiled += data[start:at] + self._spoiled(data[at])
            start = at + 1
            self._clean = self._gap()
        self._clean -= len(data) - start
        return bytes(spoiled + data[start:])

    def _spoiled(self, byte: int) -> bytes:
        self.spoiled += 1
        noise = self.noise
        kinds = (
            (noise.corrupt, bytes([byte ^ 1 << self._random.randrange(8)])),
            (noise.drop, b""),
            (noise.duplicate, bytes([byte, byte])),
            (noise.garbage, bytes([self._random.randrange(256), byte])),
        )
        (what,) = self._random.choices([result for _, result in kinds], [share for share, _ in kinds])
        return what

    def _gap(self) -> float:
        """Bytes that stay clean: geometrically distributed, so that most bytes cost no random number."""
        rate = self.noise.rate
        if not rate:
            return math.inf
        return 0 if rate >= 1 else int(math.log(1 - self._random.random()) / math.log(1 - rate))


def overheat(servo: Shaft) -> None:
    servo.temperature = 85
    servo.errors |= servo.OVERHEAT


def overload(servo: Shaft) -> None:
    servo.errors |= servo.OVERLOAD


def undervoltage(servo: Shaft) -> None:
    servo.voltage = 0.46 * servo.supply
    servo.errors |= servo.VOLTAGE


def break_phase(axis: SimulatedAxis) -> None:
    axis.fail(MISSING_PHASE)


def stall(motor: Shaft | SimulatedAxis) -> None:
    """Hold the shaft."""
    motor.stalled = True


def mute(motor: Shaft | SimulatedAxis) -> None:
    """Let it act on what it is told, and say nothing any more."""
    motor.mute = True


def reset(motor: Shaft | SimulatedAxis) -> None:
    """A power cycle: what is not kept in EEPROM is as it was when it left the factory."""
    motor.reset()


KINDS: Mapping[str, Mapping[str, Callable[[Any], None]]] = {
    "servo": {f.__name__: f for f in (overheat, overload, undervoltage, stall, mute, reset)},
    "axis": {"error": break_phase} | {f.__name__: f for f in (stall, mute, reset)},
}


def inflict(motor: Shaft | SimulatedAxis, kind: str) -> None:
    """Let a motor suffer a fault of KINDS; ValueError naming those it knows."""
    known = KINDS["servo" if isinstance(motor, Shaft) else "axis"]
    if kind not in known:
        raise ValueError(f"no fault is called {kind!r}; this motor knows {', '.join(known)}")
    known[kind](motor)


def heal(motor: Shaft | SimulatedAxis) -> None:
    """Take the cause away; an axis keeps its error until it is cleared, as ODrive does."""
    motor.stalled = motor.mute = False
    if isinstance(motor, Shaft):
        motor.errors, motor.temperature, motor.voltage = 0, 30, motor.supply


def noise_from(request: Mapping[str, Any]) -> Noise:
    """Noise as a request to the scene's socket describes it; ValueError for a word it does not know."""
    known = {field.name for field in fields(Noise)}
    if unknown := set(request) - known:
        raise ValueError(f"noise has no {sorted(unknown)}; it has {sorted(known)}")
    return Noise(**request)
