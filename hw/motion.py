"""How to get from here to there within the limits. Pure: seconds in, positions and velocities out."""

import math
from collections.abc import Sequence
from typing import Protocol

from hw.limits import JointLimits, within

Positions = tuple[float, ...]


class Motion(Protocol):
    """Something that a set of joints does, from 0 to `duration` seconds."""

    duration: float

    def at(self, t: float) -> tuple[Positions, Positions]:
        """Positions and velocities; after the end, the last positions at rest."""


class Trapezoid:
    """A motion from 0 to `distance` (not negative): accelerate, cruise, decelerate."""

    def __init__(self, distance: float, velocity: float, acceleration: float) -> None:
        self.distance = distance
        self.acceleration = acceleration
        self.peak = min(velocity, math.sqrt(distance * acceleration))
        self.ramp = self.peak / acceleration
        cruise = distance / self.peak - self.ramp if self.peak else 0.0
        self.duration = 2 * self.ramp + cruise

    def at(self, t: float) -> tuple[float, float]:
        """Position and velocity."""
        if t >= self.duration:
            return self.distance, 0.0
        if t < self.ramp:
            return self.acceleration * t**2 / 2, self.acceleration * t
        left = self.duration - t
        if left < self.ramp:
            return self.distance - self.acceleration * left**2 / 2, self.acceleration * left
        return self.peak * (t - self.ramp / 2), self.peak


class Move:
    """All joints from rest to rest together, along a straight line in joint space."""

    def __init__(self, start: Positions, goal: Positions, limits: Sequence[JointLimits], speed: float = 1.0):
        """speed: factor of the velocity limits."""
        self.start = start
        self.goal = goal
        self._delta = tuple(b - a for a, b in zip(start, goal, strict=True))
        far = [(abs(d), limit) for d, limit in zip(self._delta, limits, strict=True) if abs(d) > 1e-9]
        self._share = Trapezoid(
            1.0 if far else 0.0,
            min((speed * limit.velocity / d for d, limit in far), default=1.0),
            min((limit.acceleration / d for d, limit in far), default=1.0),
        )
        self.duration = self._share.duration

    def at(self, t: float) -> tuple[Positions, Positions]:
        if t >= self.duration:
            return self.goal, (0.0,) * len(self.goal)
        share, rate = self._share.at(t)
        positions = tuple([a + share * d for a, d in zip(self.start, self._delta, strict=True)])
        return positions, tuple([rate * d for d in self._delta])


class Brake:
    """All joints to rest at the same moment, as soon as accelerations allow, on a straight line."""

    def __init__(self, start: Positions, velocities: Positions, limits: Sequence[JointLimits]):
        self._limits = limits
        self._start = start
        self._velocities = velocities
        self.duration = max(abs(v) / limit.acceleration for v, limit in zip(velocities, limits, strict=True))

    def at(self, t: float) -> tuple[Positions, Positions]:
        if not self.duration:
            return self._start, self._velocities
        t = min(max(t, 0.0), self.duration)
        left = 1 - t / self.duration
        positions = tuple(
            limit.clamp(a + v * t * (1 + left) / 2)
            for a, v, limit in zip(self._start, self._velocities, self._limits, strict=True)
        )
        return positions, tuple(v * left for v in self._velocities)


def stopping_point(position: float, velocity: float, deceleration: float) -> float:
    """Return where something ends that brakes from this velocity."""
    return position + math.copysign(velocity**2 / (2 * deceleration), velocity)


def approach_velocity(distance: float, velocity: float, deceleration: float) -> float:
    """Return how fast one may still go when so much is left (signed), to arrive at rest.

    Brakes with two thirds of the deceleration, which leaves room for the lag of the motors; linear in the
    last centimetres, so that it ends instead of hunting.
    """
    bound = min(velocity, math.sqrt(2 * deceleration * abs(distance) * 2 / 3), 6 * abs(distance))
    return math.copysign(bound, distance)


def ramp(value: float, wanted: float, step: float) -> float:
    """`wanted`, or as near to it as one step from `value` comes."""
    return within(wanted, value - step, value + step)


def wrap(angle: float) -> float:
    """The same direction within -pi to pi."""
    return math.remainder(angle, 2 * math.pi)
