"""Things of a room: what is known of each, and where things lie in a bowl. Pure data."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.layout import Point

HOLDS = {"bowl": 4, "plate": 3, "tray": 4, "box": 4, "basket": 4, "pot": 3, "saucer": 1}
"""How many things an object of that name takes, where a description does not say."""
INSIDE: tuple[Point, ...] = ((0.0, 0.0, 0.07), (0.06, 0.0, 0.07), (-0.06, 0.0, 0.07), (0.0, 0.06, 0.07))
"""Where the things in such an object are gripped, from where it is gripped itself."""
DISH_RADIUS, DISH_DEPTH = 0.085, 0.06
"""Metres: of the dish that such an object is where things have weight, and from its grip down to the dish's bottom.

As wide as things that stand side by side leave room for: one thing lies in it safely, a second may roll out.
"""
MOUTH = 0.12
"""Metres above the grip up to which what is over the dish is in it."""


@dataclass(frozen=True)
class Thing:
    """An object that a gripper can hold."""

    name: str
    category: str
    position: Point
    """Where it is gripped."""
    location: str | None
    """A place, or the object that it lies in; None while it is held."""
    held_by: str | None = None
    """The arm."""
    width: float = 0.05
    """Between the fingers that hold it."""
    state: Mapping[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    holds: int = 0
    """How many things can lie in it."""
    mass: float | None = None
    """Kilograms, where a description says so."""
    radius: float = 0.0
    """Metres; of what stands on the floor in people's way, such as a chair."""

    @classmethod
    def from_description(cls, name: str, entry: Mapping[str, Any]) -> "Thing":
        """A thing as a scene describes it, nowhere yet. ValueError when wrong."""
        known = {"category", "location", "held_by", "at", "state", "aliases", "width", "holds", "mass", "radius"}
        if unknown := set(entry) - known:
            raise ValueError(f"object {name}: unknown {sorted(unknown)}; known are {sorted(known)}")
        return cls(
            name=name,
            category=entry.get("category", "thing"),
            position=(0.0, 0.0, 0.0),
            location=None,
            held_by=entry.get("held_by"),
            width=entry.get("width", cls.width),
            state=dict(entry.get("state", {})),
            aliases=tuple(entry.get("aliases", ())),
            holds=entry.get("holds", HOLDS.get(re.split(r"[\s_]+", name.rstrip("0123456789_ "))[-1], 0)),
            mass=entry.get("mass"),
            radius=entry.get("radius", 0.0),
        )

    @classmethod
    def from_observation(cls, seen: Mapping[str, Any]) -> "Thing":
        """The inverse of seen()."""
        return cls(
            name=seen["name"],
            category=seen["category"],
            position=tuple(seen["position"]),
            location=seen["location"],
            held_by=seen["held_by"],
            state=dict(seen["state"]),
            aliases=tuple(seen["aliases"]),
            holds=seen.get("holds", 0),
            mass=seen.get("mass"),
            radius=seen.get("radius", 0.0),
            width=seen.get("width", cls.width),
        )

    def seen(self) -> dict[str, Any]:
        """Return what there is to see of it, as JSON-able values."""
        return {
            "name": self.name,
            "category": self.category,
            "location": self.location,
            "position": list(self.position),
            "held_by": self.held_by,
            "state": dict(self.state),
            "aliases": list(self.aliases),
            "holds": self.holds,
            "mass": self.mass,
            "radius": self.radius,
            "width": self.width,
        }


def plus(point: Point, offset: Point) -> Point:
    """The point, shifted."""
    return (point[0] + offset[0], point[1] + offset[1], point[2] + offset[2])
