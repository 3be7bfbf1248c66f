"""A room as a kinematic scene: places, things, doors, and what grippers do to them. No I/O, no time.

A gripper that closes on a thing near it holds it, and the thing moves with the tip. A gripper that
opens lets go: into the person's hands, into the bowl or onto the plate below, onto the surface or into the container
below, else onto the floor. What lies in a bowl moves with the bowl.
A closed door hides and protects what is behind it; its handle is gripped like a thing, and the tip opens it
by pulling and closes it by pushing. Nothing collides, falls over or breaks.

A description (a TOML file like scenes/kitchen.toml, or the same as a dict) names places and things; places
without an approach pose are laid out on a ring, so that a world given in words alone is a world to move in.
"""

import copy
import difflib
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from hw.state import Pose2D, TipPose
from sim.layout import GEOMETRIES, ROOM, Geometry, Kind, Location, Point, before_floor, on_ring
from sim.scene_things import DISH_RADIUS, INSIDE, MOUTH, Thing, plus

T = TypeVar("T")

DOOR_OPENS = 0.15
DOOR_CLOSES = 0.03
"""Metres of the tip from the door's plane, when it pulls and when it pushes."""
HANDLE_WIDTH = 0.02
"""Metres between the fingers."""
SLACK = 0.001
"""Metres the fingers open before they let go, so that a motor's last step does not drop anything."""
FLOOR = "floor"
"""The location of things that lie nowhere in particular."""


@dataclass(frozen=True)
class Hand:
    """Where an arm's tip is and what its fingers do."""

    tip: TipPose = field(default_factory=lambda: TipPose(0.4, 0.0, 0.8))
    """Robot frame."""
    opening: float = 0.0
    """Metres."""
    door: str | None = None
    """The place whose door handle it grips."""


class Scene:
    """The room now. Setters move the robot; the rules above do the rest."""

    def __init__(
        self,
        locations: Iterable[Location],
        things: Iterable[Thing],
        open_doors: Iterable[str],
        base: Pose2D,
        geometry: Geometry = ROOM,
    ) -> None:
        self._locations = {location.name: location for location in locations}
        self._things = {thing.name: thing for thing in things}
        self._open_doors = set(open_doors)
        self._hands: dict[str, Hand] = {}
        self.base = base
        self.geometry = geometry
        self.weightless = True
        """Things obey the rules above; else physics moves them, tells by found(), and only doors obey."""

    @classmethod
    def load(cls, path: Path) -> "Scene":
        """The scene that a TOML file describes."""
        return cls.from_description(tomllib.loads(path.read_text(encoding="utf-8")))

    @classmethod
    def from_description(cls, description: Mapping[str, Any]) -> "Scene":
        """Lay out a described world.

        {"locations": [name or {"name", "kind", "approach", "height", "door": "open"|"closed", "aliases",
                                "state"}],
         "objects": {name: {"category", "location" or "held_by" or "at": [x, y] on the floor, "state", "aliases",
                            "width", "holds", "mass", "radius"}},
         "robot": {"location"}, "geometry": "room" or "desk"}
        Only names are needed. The robot starts at the map's origin unless told otherwise.
        Raises ValueError naming what is wrong.
        """
        entries = [{"name": entry} if isinstance(entry, str) else entry for entry in description.get("locations", [])]
        geometry = _named(GEOMETRIES, description.get("geometry", ROOM.name), "geometry")
        ring = [on_ring(index, len(entries)) for index in range(len(entries))]
        locations = [Location.from_description(*placed, geometry) for placed in zip(entries, ring, strict=True)]
        scene = cls(locations, [], [e["name"] for e in entries if e.get("door") == "open"], Pose2D(), geometry)
        if "robot" in description:
            scene.base = scene.location(description["robot"]["location"]).approach
        for name, entry in description.get("objects", {}).items():
            scene._add(name, entry)
        return scene

    @classmethod
    def from_observation(cls, observation: Mapping[str, Any], base: Pose2D) -> "Scene":
        """The scene that was observed (the inverse of observe()), with the robot at `base`.

        What was held is held by the same arm.
        """
        geometry = GEOMETRIES[observation.get("geometry", ROOM.name)]
        locations = [
            Location(
                name=seen["name"],
                kind=Kind(seen["kind"]),
                approach=Pose2D(*seen["approach"]),
                height=seen["height"],
                has_door=seen["door"] is not None,
                aliases=tuple(seen["aliases"]),
                state=dict(seen.get("state", {})),
                geometry=geometry,
            )
            for seen in observation["locations"]
            if not seen.get("bare")
        ]
        things = [Thing.from_observation(seen) for seen in observation["objects"]]
        open_doors = [seen["name"] for seen in observation["locations"] if seen["door"] == "open"]
        scene = cls(locations, things, open_doors, base, geometry)
        scene._hands = {thing.held_by: Hand(opening=thing.width) for thing in things if thing.held_by}
        return scene

    def copy(self) -> "Scene":
        """Another scene that starts where this one is."""
        other = copy.copy(self)
        other._things, other._hands, other._locations = dict(self._things), dict(self._hands), dict(self._locations)
        other._open_doors = set(self._open_doors)
        return other

    def set_base(self, pose: Pose2D) -> None:
        """The robot stands there now, and has taken along what it holds."""
        self.base = pose
        for arm in self._hands:
            self._follow(arm)

    def set_tip(self, arm: str, tip: TipPose) -> None:
        """The arm's tip is there now (robot frame), with what it holds."""
        self._hands[arm] = replace(self._hand(arm), tip=tip)
        self._follow(arm)

    def set_gripper(self, arm: str, opening: float) -> None:
        """The fingers are that far apart now, or as close as what is between them allows."""
        before = self._hand(arm)
        self._hands[arm] = replace(before, opening=opening)
        grip = self.least_opening(arm)
        if grip and opening > grip + SLACK:
            self._let_go(arm)
        elif not grip and opening < before.opening:
            self._take(arm, opening)
        self._hands[arm] = replace(self._hands[arm], opening=max(opening, self.least_opening(arm)))

    def opening(self, arm: str) -> float:
        """Return how far apart the fingers are."""
        return self._hand(arm).opening

    def least_opening(self, arm: str) -> float:
        """Return how far the fingers can close: the width of what is between them, else 0."""
        if self._hand(arm).door:
            return HANDLE_WIDTH
        held = self.held(arm)
        return held.width if held else 0.0

    def held(self, arm: str) -> Thing | None:
        """Return what that arm holds."""
        return next((thing for thing in self._things.values() if thing.held_by == arm), None)

    def location(self, name: str) -> Location:
        """The place of that name; ValueError with the nearest name otherwise."""
        return _named(self._locations, name, "location")

    def thing(self, name: str) -> Thing:
        """The object of that name; ValueError with the nearest name otherwise."""
        return _named(self._things, name, "object")

    def is_open(self, location: str) -> bool:
        """Return whether one can reach in: a place without a door always is."""
        return not self.location(location).has_door or location in self._open_doors

    def place(self, name: str, location: str) -> None:
        """Move an object, as somebody else, to a free spot of a place or into a bowl; no closed door keeps them out."""
        thing = self.thing(name)
        if location not in self._locations and location in self._things:
            placed = self._inside(thing, self._things[location])
        else:
            stand = self._free_stand(self.location(location), name)
            placed = replace(thing, position=stand, location=location, held_by=None) if stand else None
        if placed is None:
            raise ValueError(f"there is no room for {name} at {location}: take something away first")
        self._put(placed)

    def locations(self) -> list[Location]:
        """All places, in the order of the description."""
        return list(self._locations.values())

    def things(self) -> list[Thing]:
        """All objects, in the order of the description."""
        return list(self._things.values())

    def found(self, name: str, position: Point, held_by: str | None = None) -> None:
        """An object is there: in a hand, in the object or at the place below it, or on the floor.

        Raises ValueError for no object.
        """
        thing = self.thing(name)
        location = None if held_by else self._dish_below(name, position) or self._place_below(position)
        self._put(replace(thing, position=position, location=location, held_by=held_by))

    def set_door(self, location: str, is_open: bool) -> None:
        """Open or close a door, as somebody else."""
        if not self.location(location).has_door:
            raise ValueError(f"{location} has no door")
        (self._open_doors.add if is_open else self._open_doors.discard)(location)

    def set_state(self, name: str, state: Mapping[str, Any]) -> None:
        """A place, that of a person say, or a thing is now in this state, too."""
        if name in self._locations:
            self._locations[name] = replace(self._locations[name], state={**self._locations[name].state, **state})
        else:
            self._things[name] = replace(self.thing(name), state={**self.thing(name).state, **state})

    def give(self, name: str, arm: str) -> None:
        """The person puts an object between the open fingers of an arm, ready to be gripped."""
        thing = self.thing(name)
        if self.opening(arm) < thing.width or self.held(arm):
            raise ValueError(f"the {arm} gripper has no room for {name}: open it first")
        self._put(replace(thing, position=self.tip(arm), location="person", held_by=None))

    def observe(self) -> dict[str, Any]:
        """Return all there is to see and to remember, as JSON-able values (map frame, metres, radians)."""
        return {
            "locations": [
                *(self._see_location(location) for location in self._locations.values()),
                *(self._see_location(location) | {"bare": True} for location in self._floor()),
            ],
            "objects": [self._see_thing(thing) for thing in self._things.values()],
            "geometry": self.geometry.name,
        }

    def _see_location(self, location: Location) -> dict[str, Any]:
        is_open = location.name in self._open_doors
        stand = None if location.kind is Kind.SPOT else self._free_stand(location, "")
        return {
            "name": location.name,
            "kind": str(location.kind),
            "approach": _pose(location.approach),
            "height": location.height,
            "surface": list(stand) if stand else None,
            "door": ("open" if is_open else "closed") if location.has_door else None,
            "handle": list(location.handle(is_open)) if location.has_door else None,
            "aliases": list(location.aliases),
            "state": dict(location.state),
        }

    def _floor(self) -> list[Location]:
        """A place to drive to while something lies on the floor: before the nearest thing there."""
        lying = [thing.position for thing in self._things.values() if thing.location == self._bare_floor]
        if not lying:
            return []
        nearest = min(lying, key=lambda point: math.dist(point[:2], (self.base.x, self.base.y)))
        return [Location(self._bare_floor, Kind.SPOT, before_floor(nearest, self.base), 0.0, aliases=("ground",))]

    @property
    def _bare_floor(self) -> str:
        """Where there is no place: the floor, by another name where a described place has that one."""
        return f"bare_{FLOOR}" if FLOOR in self._locations else FLOOR

    def _see_thing(self, thing: Thing) -> dict[str, Any]:
        approach, visible = _pose(self._approach(thing)), self._is_open_to(thing)
        holds = thing.holds if self.weightless else min(thing.holds, 1)
        return thing.seen() | {"approach": approach, "visible": visible, "holds": holds}

    def _approach(self, thing: Thing) -> Pose2D:
        """Return where the base stands to take the thing; in front of it when it lies on the floor."""
        outermost = self._outermost(thing)
        if outermost.held_by:
            return self.base
        location = self._locations.get(outermost.location or "")
        if location is None or location.kind is Kind.SPOT:
            return before_floor(thing.position, self.base)
        return location.approach

    def _add(self, name: str, entry: Mapping[str, Any]) -> None:
        self._things[name] = Thing.from_description(name, entry)
        arm = entry.get("held_by")
        if "at" in entry:
            self.found(name, (*entry["at"], self.geometry.grip_height))
        elif arm is None:
            self.place(name, entry["location"])
        else:
            self._hands[arm] = replace(self._hand(arm), opening=self.least_opening(arm))
            self._follow(arm)

    def _hand(self, arm: str) -> Hand:
        return self._hands.get(arm) or Hand()

    def tip(self, arm: str) -> Point:
        """Return where the arm's tip is, in the map frame."""
        tip = self._hand(arm).tip
        return (*self.base.to_map(tip.x, tip.y), tip.z)

    def _follow(self, arm: str) -> None:
        """Move what the arm grips with it."""
        tip, door, held = self.tip(arm), self._hand(arm).door, self.held(arm)
        if held:
            self._put(replace(held, position=tip))
        if door:
            out = self._locations[door].before_door(tip)
            if out > DOOR_OPENS:
                self._open_doors.add(door)
            elif out < DOOR_CLOSES:
                self._open_doors.discard(door)

    def _put(self, thing: Thing) -> None:
        """The thing is now like this, and what lies in it comes along; with weight it does so by itself."""
        before = self._things[thing.name].position
        self._things[thing.name] = thing
        if not self.weightless:
            return
        shift = [new - old for new, old in zip(thing.position, before, strict=True)]
        for inside in [other for other in self._things.values() if other.location == thing.name]:
            x, y, z = (old + by for old, by in zip(inside.position, shift, strict=True))
            self._put(replace(inside, position=(x, y, z)))

    def _outermost(self, thing: Thing) -> Thing:
        """The thing itself, or the bowl in which it lies, or the tray below that."""
        while thing.location in self._things:
            thing = self._things[thing.location]
        return thing

    def _is_open_to(self, thing: Thing) -> bool:
        """Return whether no closed door is before it."""
        at = self._outermost(thing).location
        return at is None or at == self._bare_floor or self.is_open(at)

    def _take(self, arm: str, opening: float) -> None:
        """Closing fingers hold the nearest thing or handle that is at least as wide as their opening."""
        tip = self.tip(arm)
        graspable = (thing for thing in self._things.values() if self.weightless and self._is_graspable(thing, opening))
        things = {thing.name: thing.position for thing in graspable}
        doors = {
            location.name: location.handle(location.name in self._open_doors)
            for location in self._locations.values()
            if location.has_door and opening <= HANDLE_WIDTH
        }
        thing, door = self._nearest(things, tip), self._nearest(doors, tip)
        if thing and not (door and math.dist(doors[door], tip) < math.dist(things[thing], tip)):
            self._put(replace(self._things[thing], held_by=arm, location=None))
        elif door:
            self._hands[arm] = replace(self._hands[arm], door=door)
        self._follow(arm)

    def _is_graspable(self, thing: Thing, opening: float) -> bool:
        return not thing.held_by and opening <= thing.width and self._is_open_to(thing)

    def _let_go(self, arm: str) -> None:
        self._hands[arm] = replace(self._hands[arm], door=None)
        held = self.held(arm)
        if held and self.weightless:
            self._put(self._rest(held))

    def _rest(self, thing: Thing) -> Thing:
        """The thing where it comes to rest when it is let go."""
        x, y, z = thing.position
        if inside := self._rest_inside(thing):
            return inside
        below = [place for place in self._locations.values() if self._catches(place, thing.position)]
        if below:
            place = min(below, key=lambda p: math.dist((x, y), p.stands()[0][:2]))
            level = min((stand[2] for stand in place.stands()), key=lambda level: abs(level - z))
            stand = self._free_stand(place, thing.name, near=(x, y, level))
            if stand:
                return replace(thing, position=stand, location=place.name, held_by=None)
        return replace(thing, position=(x, y, self.geometry.grip_height), location=self._bare_floor, held_by=None)

    def _rest_inside(self, thing: Thing) -> Thing | None:
        """The thing in the bowl, say, over which it is let go; None where there is none, or no room in it.

        A person who has a bowl already takes what is handed over into the other hand.
        """
        people = {place.name for place in self._locations.values() if place.kind is Kind.PERSON}
        carriers = {
            other.name: plus(other.position, INSIDE[0])
            for other in self._things.values()
            if other.holds and other.name != thing.name and other.location not in people and self._is_open_to(other)
        }
        name = self._nearest(carriers, thing.position)
        return self._inside(thing, self._things[name]) if name else None

    def _inside(self, thing: Thing, carrier: Thing) -> Thing | None:
        """The thing in or on another; None where that is full."""
        taken = [other.position for other in self._things.values() if other.location == carrier.name]
        if len(taken) >= carrier.holds:
            return None
        stands = [plus(carrier.position, offset) for offset in INSIDE]
        free = next((stand for stand in stands if all(math.dist(stand, point) > 0.01 for point in taken)), stands[0])
        return replace(thing, position=free, location=carrier.name, held_by=None)

    def _place_below(self, point: Point) -> str:
        """Return where a thing at this point is, doors or not; the floor where there is nothing else."""
        below = [place for place in self._locations.values() if place.is_below(point)]
        nearest = min(below, key=lambda place: math.dist(point[:2], place.stands()[0][:2]), default=None)
        return nearest.name if nearest else self._bare_floor

    def _dish_below(self, name: str, point: Point) -> str | None:
        """The object in or on which a thing at this point lies."""
        for other in self._things.values():
            over = other.holds and math.dist(point[:2], other.position[:2]) <= DISH_RADIUS
            if over and 0.0 <= point[2] - other.position[2] <= MOUTH and name not in (other.name, other.location):
                return other.name
        return None

    def _catches(self, place: Location, point: Point) -> bool:
        return self.is_open(place.name) and place.is_below(point)

    def _free_stand(self, place: Location, moving: str, near: Point | None = None) -> Point | None:
        """Return where a thing can stand at a place: at the wished point, else nearest to it; None when full."""
        stands = place.stands() if near is None else [near, *_by_distance(place.stands(), near)]
        return next((stand for stand in stands if self._is_free(stand, moving)), None)

    def _is_free(self, stand: Point, moving: str) -> bool:
        return all(
            thing.held_by or thing.name == moving or math.dist(stand, thing.position) >= self.geometry.room_for_one
            for thing in self._things.values()
        )

    def _nearest(self, points: Mapping[str, Point], tip: Point) -> str | None:
        """The name of the nearest point of which a hand can take hold."""
        name = min(points, key=lambda name: math.dist(points[name], tip), default=None)
        return name if name is not None and math.dist(points[name], tip) <= self.geometry.grasp_reach else None


def _by_distance(points: Iterable[Point], near: Point) -> list[Point]:
    return sorted(points, key=lambda point: math.dist(point, near))


def _named(table: Mapping[str, T], name: str, what: str) -> T:
    if name in table:
        return table[name]
    nearest = difflib.get_close_matches(name, table, n=1, cutoff=0.0)
    raise ValueError(f"there is no {what} {name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else ""))


def _pose(pose: Pose2D) -> list[float]:
    return [pose.x, pose.y, pose.theta]
