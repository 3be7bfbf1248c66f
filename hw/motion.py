"""How to get from here to there within the limits. Pure: seconds in, positions and velocities out."""

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from hw.limits import JointLimits, within

Positions = tuple[float, ...]


class Motion(Protocol):
    """Something that a set of joints does, from 0 to `duration` seconds."""

    duration: float

    def at(self, t: float) -> tuple[Positions, Positions]:
        """Positions and velocities; after the end, the last positions at rest."""


class Trapezoid:
    """From 0 to `distance` (not negative): accelerate, cruise, decelerate."""

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


class Path:
    """All joints through a row of points, smoothly (a cubic Hermite curve), from rest to rest."""

    SAMPLES = 4
    """Per point, where velocity and acceleration are looked at."""

    def __init__(self, points: Sequence[Positions], limits: Sequence[JointLimits], speed: float = 1.0):
        """points: two or more; dense, so that the curve hardly leaves the straight lines between them."""
        self.points = tuple(points)
        self._tangents = _tangents(self.points)
        last = len(self.points) - 1
        steps = range(last * self.SAMPLES + 1)
        slopes = [self._slope(step / self.SAMPLES) for step in steps]
        bends = [self._bend(step / self.SAMPLES) for step in steps]
        steepest = [max(abs(slope[j]) for slope in slopes) or 1e-9 for j in range(len(limits))]
        sharpest = [max(abs(bend[j]) for bend in bends) or 1e-9 for j in range(len(limits))]
        self._progress = Trapezoid(
            float(last),
            min(
                min(speed * limit.velocity / steep, math.sqrt(limit.acceleration / 2 / sharp))
                for limit, steep, sharp in zip(limits, steepest, sharpest, strict=True)
            ),
            min(limit.acceleration / 2 / steep for limit, steep in zip(limits, steepest, strict=True)),
        )
        self.duration = self._progress.duration

    def at(self, t: float) -> tuple[Positions, Positions]:
        if t >= self.duration:
            return self.points[-1], (0.0,) * len(self.points[-1])
        progress, rate = self._progress.at(t)
        return self.position(progress), tuple(slope * rate for slope in self._slope(progress))

    def reached(self, t: float) -> int:
        """Index of the last point that was passed."""
        return len(self.points) - 1 if t >= self.duration else int(self._progress.at(t)[0])

    def position(self, progress: float) -> Positions:
        """Where the curve is; progress counts points."""
        return self._blend(progress, _position_weights)

    def _slope(self, progress: float) -> Positions:
        return self._blend(progress, _slope_weights)

    def _bend(self, progress: float) -> Positions:
        return self._blend(progress, _bend_weights)

    def _blend(self, progress: float, basis: "_Basis") -> Positions:
        index = min(int(progress), len(self.points) - 2)
        a, b, c, d = basis(progress - index)
        return tuple(
            a * p + b * m + c * q + d * n
            for p, m, q, n in zip(
                self.points[index],
                self._tangents[index],
                self.points[index + 1],
                self._tangents[index + 1],
                strict=True,
            )
        )


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


_Basis = Callable[[float], tuple[float, float, float, float]]
"""Share of a segment to the weights of its first point and tangent, and of its second ones."""


def _position_weights(s: float) -> tuple[float, float, float, float]:
    return 2 * s**3 - 3 * s**2 + 1, s**3 - 2 * s**2 + s, -2 * s**3 + 3 * s**2, s**3 - s**2


def _slope_weights(s: float) -> tuple[float, float, float, float]:
    return 6 * s**2 - 6 * s, 3 * s**2 - 4 * s + 1, -6 * s**2 + 6 * s, 3 * s**2 - 2 * s


def _bend_weights(s: float) -> tuple[float, float, float, float]:
    return 12 * s - 6, 6 * s - 4, -12 * s + 6, 6 * s - 2


def _tangents(points: Sequence[Positions]) -> tuple[Positions, ...]:
    """Half the way from the point before to the point after; at the ends, the way to the neighbour."""
    last = len(points) - 1
    return tuple(
        tuple(
            (b - a) / (min(i + 1, last) - max(i - 1, 0))
            for a, b in zip(points[max(i - 1, 0)], points[min(i + 1, last)], strict=True)
        )
        for i in range(last + 1)
    )


def stopping_point(position: float, velocity: float, deceleration: float) -> float:
    """Where something ends that brakes from this velocity."""
    return position + math.copysign(velocity**2 / (2 * deceleration), velocity)


def approach_velocity(distance: float, velocity: float, deceleration: float) -> float:
    """How fast one may still go when so much is left (signed), to arrive at rest.

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
