"""The straight way to a place, and whether something stands in it."""

import math

from skills.needs import Moment, Precondition
from skills.scene import spoken
from skills.skill import SkillError

CLEARANCE = 0.25
"""Metres from the robot's middle to its side: what stands nearer to the way than that and its own radius is in it."""


def way_clear(location: str) -> Precondition:
    """Require that nothing which the robot cannot drive through stands on the straight line to the place."""

    def check(now: Moment) -> None:
        place = now.scene.location(now.arguments[location])
        base = now.state.base
        for thing in now.scene.objects:
            near = CLEARANCE + thing.radius
            if thing.radius and _from_line(thing.position, (base.x, base.y), place.approach) < near:
                asked = (
                    f"The {spoken(thing.name)} blocks my way to the {spoken(place.name)}. Could you move it, please?"
                )
                raise SkillError(f"{thing.name} blocks the way to {place.name}", f"ask({asked!r})")

    return Precondition("way clear", check)


def _from_line(point: tuple[float, float, float], start: tuple[float, float], end: tuple[float, float, float]) -> float:
    """Metres from a point to the straight line between two, seen from above."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(point[0] - start[0] - along * dx, point[1] - start[1] - along * dy)
