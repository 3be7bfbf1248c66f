"""Places of a room: where the robot stands to reach them, and where things stand on them. Pure geometry.

All lengths in metres. Everything at a place is measured from its approach pose, the one from which both arms
reach all of it: so a place that is only a name can be laid out anywhere, and still be worked at.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hw.state import Pose2D

Point = tuple[float, float, float]
"""Metres, in the map frame unless said otherwise."""

GRIP_HEIGHT = 0.10
"""From what a thing stands on up to where it is held. The arms reach no lower above the floor."""
DOOR_AHEAD = 0.52
"""Of a door's plane in front of its approach pose."""
OPEN_HANDLE = (DOOR_AHEAD - 0.18, 0.28)
"""Where the handle waits while the door is open, ahead and left of the approach pose."""
OPENED = 1.9
"""Radians by which a door is turned while it is open."""
FLOOR_AHEAD = 0.28
"""Of a thing on the floor in front of the robot that wants to pick it up."""
BOWL_AHEAD, BOWL_RADIUS = 0.50, 0.085
"""Of a bowl's middle in front of its approach pose; inside its wall."""
RING_SPACING = 1.2
"""Between approach poses that nobody placed."""


class Kind(StrEnum):
    """The kind of a place."""

    SURFACE = "surface"
    CONTAINER = "container"
    PERSON = "person"
    BOWL = "bowl"
    """Stands on something else, and holds one thing."""
    SPOT = "spot"
    """Nothing but a piece of floor."""


@dataclass(frozen=True)
class Geometry:
    """How large a world is: how high things are gripped, where they stand, and how near is near. Metres."""

    name: str
    grip_height: float
    """From what a thing stands on up to where it is held."""
    stands: Mapping[Kind, Sequence[Point]]
    """Where things stand, best first: ahead and left of the approach pose, and above the place's height."""
    areas: Mapping[Kind, tuple[float, float, float]]
    """Nearest and farthest point ahead, and farthest aside, at which a thing is at a place."""
    grasp_reach: float
    """From the tip to a thing or a handle, to take hold of it."""
    room_for_one: float
    """Between two things on one surface; more than grasp_reach, so that the nearer one is meant."""
    foot: float
    """Radius of what a thing stands on, where it has weight."""


COLUMNS = (0.0, 0.13, -0.13, 0.26, -0.26)
ROOM = Geometry(
    name="room",
    grip_height=GRIP_HEIGHT,
    stands={
        Kind.SURFACE: [(x, y, 0.0) for x in (0.42, 0.54) for y in COLUMNS] + [(0.66, y, 0.0) for y in COLUMNS[:3]],
        Kind.CONTAINER: [(x, y, up) for up in (0.0, 0.15) for x, y in [*((0.58, y) for y in COLUMNS), (0.69, 0.0)]],
        Kind.BOWL: [(BOWL_AHEAD, 0.0, 0.0)],
        Kind.PERSON: [(x, y, 0.0) for x in (0.46, 0.58) for y in COLUMNS],
        Kind.SPOT: [(FLOOR_AHEAD + 0.13 * step, 0.0, 0.0) for step in range(6)],
    },
    areas=dict.fromkeys(Kind, (0.3, 0.85, 0.45)),
    grasp_reach=0.06,
    room_for_one=0.10,
    foot=0.032,
)
"""A home: a robot of a person's height drives from place to place."""
ON_DESK = [(x, y, 0.0) for x in (0.25, 0.19) for y in (0.0, 0.065, -0.065)]
DESK = Geometry(
    name="desk",
    grip_height=0.03,
    stands=dict.fromkeys(Kind, ON_DESK) | {Kind.PERSON: [(0.36, y, 0.0) for y in (0.0, 0.065, -0.065)]},
    areas=dict.fromkeys(Kind, (0.10, 0.30, 0.10)) | {Kind.PERSON: (0.30, 0.50, 0.20)},
    grasp_reach=0.03,
    room_for_one=0.055,
    foot=0.016,
)
"""A table and a small arm on it that stays there: approach poses are at its shoulder, turned to the place."""
ON_LOW_TABLE = [(x, y, 0.0) for x in (0.32, 0.26) for y in (0.0, 0.065, -0.065)]
PLAYROOM = Geometry(
    name="playroom",
    grip_height=0.03,
    stands=dict.fromkeys(Kind, ON_LOW_TABLE) | {Kind.PERSON: [(0.40, y, 0.0) for y in (0.0, 0.065, -0.065)]},
    areas=dict.fromkeys(Kind, (0.17, 0.38, 0.12)) | {Kind.PERSON: (0.34, 0.55, 0.20)},
    grasp_reach=0.03,
    room_for_one=0.055,
    foot=0.016,
)
"""A floor with low tables, and a small arm on wheels that drives from one to the other."""
GEOMETRIES = {geometry.name: geometry for geometry in (ROOM, DESK, PLAYROOM)}


@dataclass(frozen=True)
class Location:
    """A place to drive to, and what can be put there."""

    name: str
    kind: Kind
    approach: Pose2D
    """Where the base stands to reach it."""
    height: float
    """Of what things stand on, above the floor."""
    has_door: bool = False
    aliases: tuple[str, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    """Of a person: whether they look at the robot, say."""
    geometry: Geometry = ROOM

    @classmethod
    def from_description(cls, entry: Mapping[str, Any], approach: Pose2D, geometry: Geometry = ROOM) -> "Location":
        """A place as a scene describes it; approach is for an entry that has none. ValueError when wrong."""
        known = {"name", "kind", "approach", "height", "door", "aliases", "state"}
        if unknown := set(entry) - known:
            raise ValueError(f"location {dict(entry)}: unknown {sorted(unknown)}; known are {sorted(known)}")
        door = entry.get("door")
        if door not in (None, "open", "closed"):
            raise ValueError(f'location {entry["name"]}: door must be "open" or "closed", not {door!r}')
        default = "person" if entry["name"] == "person" else "container" if door else "surface"
        kind = Kind(entry.get("kind", default))
        return cls(
            name=entry["name"],
            kind=kind,
            approach=Pose2D(*entry["approach"]) if "approach" in entry else approach,
            height=float(entry.get("height", 0.7 if geometry is ROOM and kind is not Kind.SPOT else 0.0)),
            has_door=door is not None,
            aliases=tuple(entry.get("aliases", ())),
            state=dict(entry.get("state", {})),
            geometry=geometry,
        )

    def stands(self) -> list[Point]:
        """Return where things can stand, best first: the points at which they are gripped."""
        level = self.height + self.geometry.grip_height
        return [self._point(x, y, level + up) for x, y, up in self.geometry.stands[self.kind]]

    def handle(self, is_open: bool) -> Point:
        """Return where a gripper takes the door."""
        x, y = OPEN_HANDLE if is_open else (DOOR_AHEAD, 0.0)
        return self._point(x, y, self.height + self.geometry.grip_height)

    def before_door(self, point: Point) -> float:
        """Return how far a point is on the robot's side of the door's plane."""
        return DOOR_AHEAD - self.approach.to_local(point[0], point[1])[0]

    def is_below(self, point: Point) -> bool:
        """Return whether a thing let go at this point comes to rest here."""
        x, y = self.approach.to_local(point[0], point[1])
        if self.kind is Kind.SPOT:
            return False
        if self.kind is Kind.BOWL:
            return math.hypot(x - BOWL_AHEAD, y) <= BOWL_RADIUS and -0.05 <= point[2] - self.height <= 0.7
        near, far, aside = self.geometry.areas[self.kind]
        return near <= x <= far and abs(y) <= aside and -0.05 <= point[2] - self.height <= 0.7

    def _point(self, ahead: float, left: float, z: float) -> Point:
        return (*self.approach.to_map(ahead, left), z)


def on_ring(index: int, count: int) -> Pose2D:
    """Approach poses around free floor, facing outwards: a straight line between any two stays inside."""
    angle = 2 * math.pi * index / count
    radius = max(1.0, RING_SPACING * count / (2 * math.pi))
    return Pose2D(radius * math.cos(angle), radius * math.sin(angle), math.remainder(angle, 2 * math.pi))


def before_floor(point: Point, coming_from: Pose2D) -> Pose2D:
    """Return where the base stands to pick up what lies on the floor at that point."""
    heading = math.atan2(point[1] - coming_from.y, point[0] - coming_from.x)
    x, y = (
        point[0] - FLOOR_AHEAD * math.cos(heading),
        point[1] - FLOOR_AHEAD * math.sin(heading),
    )
    return Pose2D(x, y, heading)
