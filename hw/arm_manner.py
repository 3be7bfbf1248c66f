"""How an arm goes about its work: where it carries, offers and rests, from how high it comes down.

Read from `manner` in the arm's description; an arm that says nothing is one of 0.7 m on a column, like that of
hw/robots/sim.toml.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hw.state import Pose2D

CARRY, OFFER = (0.30, 0.0, 0.20), (0.50, 0.0, 0.20)
"""Metres from the shoulder: ahead, to the left, up."""
ABOVE = 0.12

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Manner:
    """Ways of one arm; points in the robot frame, metres."""

    shoulder: Point
    carry: Point
    """Where the hand carries things, clear of what stands about."""
    offer: Point
    """Where it holds them out to somebody."""
    rest: Point
    """Where an empty hand waits, and hides nothing from the head's camera."""
    rise: Point
    """Where, seen from above, an empty hand rises before it goes out, and hides nothing either."""
    above: float = ABOVE
    """Metres above a thing from which it is approached, and to which it is lifted."""
    reach: float = math.inf
    """Metres from the shoulder, seen from above, within which things are to be had by a robot that cannot drive."""

    @classmethod
    def from_description(cls, description: Mapping[str, Any], arm: str) -> "Manner":
        """Read the manner of the arm of this name in a completed robot description."""
        table = description["arms"][arm]
        told, mount = table.get("manner", {}), table["mount"]
        x, y, z = (float(value) for value in mount["position"])
        foot = Pose2D(x, y, float(mount.get("yaw", 0.0)))

        def point(key: str, default: Point) -> Point:
            ahead, left, up = told.get(key, default)
            return (*foot.to_map(ahead, left), z + up)

        carry = told.get("carry", CARRY)

        return cls(
            shoulder=(x, y, z),
            carry=point("carry", carry),
            offer=point("offer", OFFER),
            rest=point("rest", carry),
            rise=point("rise", carry),
            above=float(told.get("above", ABOVE)),
            reach=float(told.get("reach", math.inf)),
        )

    def stretch(self, point: Point) -> float:
        """Return the share of its reach that a point of the robot frame takes: above 1 it is too far."""
        return math.dist(point[:2], self.shoulder[:2]) / self.reach

    def reaches(self, point: Point) -> bool:
        """Return whether a point of the robot frame is near enough."""
        return self.stretch(point) <= 1
