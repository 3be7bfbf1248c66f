"""What no request may exceed. Pure: a check returns the bounded value and a phrase for what it changed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hw.kinematics import Arm
from hw.state import Twist

LOOK_AHEAD = 0.1
"""Seconds at full velocity that a servo's goal may lie ahead of its measured position: Feetech servos have no
dead-man, so this is how far they go on when the process dies."""
SLOWEST = 0.05
"""Smallest speed factor: slower looks like standing still."""
_WAY_SAMPLES = 25


class LimitError(ValueError):
    """A request that is refused rather than clamped; the message says what to send instead."""


def within(value: float, low: float, high: float) -> float:
    """The value, or the end of the range that it is beyond: min() and max() take three times as long, and the loop
    asks some fifty times a tick."""
    return low if value < low else high if value > high else value


@dataclass(frozen=True)
class JointLimits:
    """Limits of a joint in radians, of a gripper in metres of opening; per second, per second squared."""

    lower: float
    upper: float
    velocity: float
    acceleration: float

    def clamp(self, position: float) -> float:
        return within(position, self.lower, self.upper)


@dataclass(frozen=True)
class BaseLimits:
    velocity: float
    """m/s"""
    acceleration: float
    """m/s^2"""
    angular_velocity: float
    """rad/s"""
    angular_acceleration: float
    """rad/s^2"""
    lateral_velocity: float = 0.0
    """m/s to either side; 0 where the wheels cannot"""


def finite(what: str, value: object) -> float:
    """The value as a float; LimitError when it is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise LimitError(f"{what} is {value!r}; send a finite number")
    return float(value)


def clamp_positions(
    names: Sequence[str], limits: Sequence[JointLimits], positions: Sequence[object]
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Positions within the limits, and a phrase for each one that was not."""
    if len(positions) != len(limits):
        raise LimitError(f"got {len(positions)} positions; send {len(limits)}: {', '.join(names)}")
    wanted = [finite(name, value) for name, value in zip(names, positions, strict=True)]
    bounded = tuple(limit.clamp(value) for limit, value in zip(limits, wanted, strict=True))
    reasons = tuple(
        f"{name} clamped from {value:.3f} to {bound:.3f}"
        for name, value, bound in zip(names, wanted, bounded, strict=True)
        if value != bound
    )
    return bounded, reasons


def clamp_speed(speed: object) -> tuple[float, tuple[str, ...]]:
    """A factor of the velocity limits within SLOWEST to 1."""
    wanted = finite("speed", speed)
    bounded = min(max(wanted, SLOWEST), 1.0)
    return bounded, () if bounded == wanted else (f"speed clamped from {wanted:g} to {bounded:g}",)


def bound_goal(wanted: float, last: float, measured: float, limits: JointLimits, dt: float) -> float:
    """Return the goal that may go out on the wire; radians, seconds.

    It lies in the range, no further from the measured position than LOOK_AHEAD allows, and no further from the last
    goal than the joint may travel in `dt`. The last bound yields where a joint was pushed away from its goal. Of one
    that is still further outside, the last goal stays: any other would be a leap.
    """
    reach = limits.velocity * LOOK_AHEAD
    step = limits.velocity * dt
    goal = within(wanted, last - step, last + step)
    goal = within(goal, measured - reach, measured + reach)
    goal = within(goal, limits.lower, limits.upper)
    return goal if measured - reach <= goal <= measured + reach else last


def check_payload(arm: str, payload: float, mass: object) -> float:
    """Kilograms that an arm is told to carry; LimitError for more than it may."""
    carried = finite("mass", mass)
    if not 0 <= carried <= payload:
        raise LimitError(f"the {arm} arm may carry up to {payload:g} kg, not {carried:g}; use the other arm or a cart")
    return carried


def loaded_speed(carried: float, payload: float) -> float:
    """The speed factor with a load in the hand: half with all that the arm may carry, in between in proportion."""
    return 1.0 - carried / (2 * payload) if carried else 1.0


def clamp_twist(limits: BaseLimits, forward: object, turn: object, left: object = 0.0) -> tuple[Twist, tuple[str, ...]]:
    """A twist within the base's limits, and a phrase for each part that was not."""
    bounded, reasons = [], []
    for what, value, limit in (
        ("forward", finite("forward", forward), limits.velocity),
        ("left", finite("left", left), limits.lateral_velocity),
        ("turn", finite("turn", turn), limits.angular_velocity),
    ):
        bounded.append(within(value, -limit, limit))
        if bounded[-1] != value:
            reasons.append(f"{what} clamped from {value:.3f} to {bounded[-1]:.3f}")
    return Twist(*bounded), tuple(reasons)


def check_workspace(arm: Arm, start: Sequence[float], goal: Sequence[float], samples: int = _WAY_SAMPLES) -> None:
    """LimitError when the tip would leave the arm's workspace box on the straight way between joint angles.

    A start outside the box may be left towards the inside.
    """
    shares = (sample / samples for sample in range(samples + 1))
    tips = arm.tips([[a + share * (b - a) for a, b in zip(start, goal, strict=True)] for share in shares])
    low, high = arm.workspace
    was_inside = False
    for number, tip in enumerate(tips):
        inside = all(lo <= at <= hi for lo, at, hi in zip(low, tip, high, strict=True))
        if not inside and (was_inside or number == len(tips) - 1):
            raise LimitError(
                f"the {arm.name} arm's tip would leave its workspace at "
                f"({tip[0]:.2f}, {tip[1]:.2f}, {tip[2]:.2f}) m; choose a way inside {low} to {high}"
            )
        was_inside = was_inside or inside
