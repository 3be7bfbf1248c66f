"""The shaft of a simulated servo, whoever made it: turned by a motor that follows its setpoint, or by physics. Pure."""

import math
from abc import ABC, abstractmethod
from typing import ClassVar

ARRIVED = 0.5
"""Steps from the goal: nearer is not measured."""


class Shaft(ABC):
    """Where it is, what holds it, and what its servo suffers from."""

    OVERHEAT: ClassVar[int]
    OVERLOAD: ClassVar[int]
    VOLTAGE: ClassVar[int]
    """Bits of `errors` with which this make complains."""

    def __init__(self, servo: int, position: float, furthest: float) -> None:
        """furthest: steps up to which it can turn at all, from 0."""
        self.id = servo
        self.position = position
        """Steps."""
        self.velocity = 0.0
        """Steps per second."""
        self.setpoint = position
        """Where the motor wants the shaft to be at this moment; steps."""
        self.driven = False
        """Physics turns the shaft, and tells by feel(); else it follows the setpoint as far as it can."""
        self.obstacle: tuple[float, float] = (0.0, furthest)
        """Steps between which the shaft can turn at all."""
        self.errors = 0
        """What it complains about in every answer."""
        self.supply = self.voltage = 12.0
        self.temperature = 30
        """Degrees Celsius."""
        self.stalled = False
        """Something holds the shaft."""
        self.settled = False
        """It stands where it should, or has no torque: nothing will move before something changes."""
        self.supplied = True
        """It has a supply; without one it has no torque, hears nothing and says nothing."""
        self.mute = False
        """It answers nothing any more."""
        self.twin = False
        """Another servo has the same id, and answers at the same moment: their bytes spoil each other."""
        self._blocked = 0
        """The direction in which something is in the way, or 0."""
        self._felt: tuple[float, float] | None = None
        """Speed and load as physics has them; steps per second, thousandths of the stall torque."""

    @property
    @abstractmethod
    def powered(self) -> bool:
        """Return whether it has torque."""

    @property
    @abstractmethod
    def torque(self) -> float:
        """Share of the stall torque that it may use now."""

    @property
    def count(self) -> float:
        """The position that it tells; steps."""
        return self.position

    def step(self, dt: float) -> None:
        """Let dt seconds pass."""
        was_moved = not self.driven and self.position != self.setpoint
        if self.settled and not was_moved:
            return
        if not self.driven:
            self.setpoint = self.position
        if self.powered:
            self._turn(dt, was_moved)
            return
        self.settled = not (was_moved or self.driven)
        self.setpoint = self.position
        self.velocity, self._blocked = 0.0, 0

    @abstractmethod
    def write(self, address: int, data: bytes) -> int:
        """Bytes from an address on; the error that it answers with, 0 for none."""

    @abstractmethod
    def reset(self) -> None:
        """A power cycle: everything but EEPROM is forgotten."""

    def feel(self, position: float, speed: float, load: float) -> None:
        """Physics has the shaft there, turning so fast, against such a load (thousandths of the stall torque)."""
        self.position = position
        self._felt = speed, load

    @abstractmethod
    def _goal(self) -> float:
        """Return where the shaft shall be; steps."""

    @abstractmethod
    def _pace(self) -> tuple[float, float]:
        """Return how fast it may turn, and how soon: steps per second, and per second squared."""

    def _turn(self, dt: float, was_moved: bool) -> None:
        goal = self._goal()
        self.settled = not was_moved and goal == self.setpoint and not self.velocity
        if goal == self.setpoint and not self.velocity:
            self._blocked = 0
            return
        self._turn_towards(goal, dt)

    def _turn_towards(self, goal: float, dt: float) -> None:
        """A trapezoid of speed."""
        fastest, quickest = self._pace()
        way = goal - self.setpoint
        braking = quickest * (math.sqrt(dt * dt + 2 * abs(way) / quickest) - dt)
        wanted = math.copysign(min(fastest, braking), way)
        self.velocity += min(max(wanted - self.velocity, -quickest * dt), quickest * dt)
        moved = self.setpoint + self.velocity * dt
        if abs(goal - moved) < ARRIVED and abs(self.velocity) <= quickest * dt:
            moved, self.velocity = goal, 0.0
        self.setpoint = moved
        if not self.driven:
            self._follow(moved, way)

    def _follow(self, moved: float, way: float) -> None:
        """The shaft goes along, unless something is in the way."""
        if not self.stalled:
            self.position = min(max(moved, self.obstacle[0]), self.obstacle[1])
        self._blocked = 0 if self.position == moved else int(math.copysign(1, way))
        if self._blocked:
            self.velocity = 0.0

    def _measured(self, torque: float) -> tuple[float, float]:
        """Speed and load; `torque`: thousandths of the stall torque that it may use."""
        return self._felt or (self.velocity, self._blocked * torque or (min(60, torque) if self.velocity else 0))
