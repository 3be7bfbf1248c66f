"""What is known of the world from what eyes told: what is present, what is only remembered, what the hands hold.

Present is what was seen a moment ago, or what a hand holds. Held is what the gripper says, since a hand hides what is
in it. Where a thing is follows from where it was seen and which places there are. No I/O, no thread; the clock is
handed in.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from daemon.eyes.interface import STALE
from daemon.eyes.messages import HOLDING, Leaf, Objects, People, Places, Point, Seen
from daemon.eyes.tagged_places import has_moved, on_map, seen_place
from daemon.eyes.taught_places import AHEAD, ahead_of, as_seen, call_the_only_person_so
from daemon.memory.place_book import LastSeen, Place
from hw.state import ArmState, Pose2D, RobotState
from skills.scene import NEAR_ENOUGH
from skills.skill import Observation

HELD_OPENING, HELD_EFFORT = 0.004, 0.05
"""Metres between the fingers, and share of their greatest effort, above which they hold something."""
AT_THE_FINGERS = 0.10
"""Metres between where the fingers closed and where a thing was seen last, at most, for it to be the one they hold."""
BELOW, ABOVE = 0.10, 0.45
"""Metres below and above a place's height within which a thing belongs to it."""
USUAL_GRIP = 0.05
"""Metres above what it stands on at which a thing is taken, where nobody knows better."""
OPENED = 0.10
"""Metres on the floor by which a point of a door's leaf is away from where it is while the door is closed."""
BEFORE_PERSON = 0.70
"""Metres before a person at which the base stops."""


@dataclass(frozen=True)
class Scale:
    """How large places are, metres."""

    on_it: float
    """From straight ahead of the base at a place, seen from above, within which a thing belongs to the place."""
    aside: tuple[float, ...]
    """To the left of straight ahead at which one looks for a free spot, in this order."""
    apart: float
    """Between what is put somewhere and what stands there."""


ROOM = Scale(0.60, (0.0, 0.2, -0.2, 0.35, -0.35), 0.15)
TABLE = Scale(0.12, (0.0, 0.065, -0.065), 0.055)
"""Before a robot that does not drive."""


@dataclass(frozen=True)
class Sighting:
    """A thing, where and when it was seen last."""

    name: str
    category: str
    position: Point
    """Metres, map frame."""
    at: float
    """Unix seconds of the picture."""
    source: str
    sigma: float = 0.0
    """Metres: one standard deviation."""
    grip: float = 0.0
    """Metres of the position above what it stood on; 0: not told."""
    from_base: bool = False
    """Whether it was told where it is from the robot: then its place on the map is as wrong as the base's was."""


class World:
    """Everything that eyes have told of one room."""

    def __init__(self, remembered: Iterable[LastSeen] = (), stale: float = STALE, drives: bool = True) -> None:
        """`remembered` was seen before this heed was started; a robot that does not drive has somebody before it."""
        self.things: dict[str, Sighting] = {
            seen.name: Sighting(
                seen.name, seen.category, (seen.x, seen.y, seen.z), seen.seen_at.timestamp(), seen.source, seen.sigma
            )
            for seen in remembered
        }
        self.people: dict[str, Sighting] = {}
        self._doors: dict[str, bool] = {}
        self._handles: dict[str, Point] = {}
        self._places: dict[str, Place] = {}
        """Those that are seen; they go before those that were taught."""
        self._stale = stale
        self._drives = drives
        self._scale = ROOM if drives else TABLE
        self._gripped: dict[str, Point] = {}
        """Where the fingers of an arm closed or opened last."""
        self._wanted: dict[str, float] = {}
        """Metres between the fingers of an arm that were asked for last."""
        self._held: dict[str, str] = {}
        self._before: dict[str, Sighting] = {}
        """How each thing that is held was seen before the fingers closed on it."""

    # --- what is told ---

    def see(self, told: Objects | People, base: Pose2D) -> list[Sighting]:
        """Take in what was seen while the base stood there; returns the sightings, in the map frame."""
        into = self.people if isinstance(told, People) else self.things
        seen = told.people if isinstance(told, People) else told.objects
        new = [self._sighting(one, told, base) for one in seen]
        into.update({sighting.name: sighting for sighting in new if self._is_newer(sighting, into)})
        return new

    def lose(self, name: str) -> None:
        """A thing is not where it ought to be."""
        if name not in self._held.values():
            self.things.pop(name, None)

    def see_places(self, told: Places, base: Pose2D) -> None:
        """Take in places that were seen while the base stood there."""
        self._places |= {place.name: seen_place(place, told.frame, base) for place in told.places}

    def see_leaf(self, told: Leaf, base: Pose2D) -> None:
        """Take in where the leaf of a door is; what is far from where it is while closed, is open."""
        away = math.dist(on_map(told.position, told.frame, base)[:2], told.closed[:2])
        self._handles[told.place] = on_map(told.handle, told.frame, base)
        self.set_door(told.place, away > OPENED)

    def set_door(self, place: str, is_open: bool) -> None:
        self._doors[place] = is_open

    def grip(self, arm: str, point: Point, opening: float) -> None:
        """The fingers of an arm close or open to `opening` (metres) at this point (map frame)."""
        self._gripped[arm] = point
        self._wanted[arm] = opening

    def correct(self, before: Pose2D, after: Pose2D, since: float) -> None:
        """Move along what was seen since a time (Unix seconds): the base stood at `after`, not at `before`."""
        for known in (self.things, self.people):
            for name, one in known.items():
                if one.from_base and one.at >= since:
                    known[name] = replace(one, position=_carried(one.position, before, after))
        self._gripped = {arm: _carried(point, before, after) for arm, point in self._gripped.items()}

    # --- what is so ---

    def observe(self, now: float, state: RobotState, places: Sequence[Place]) -> Observation:
        """Return what is known at `now` (Unix seconds), as perception reports it (skills/scene.py)."""
        self._feel(now, state)
        places = self._with_seen(places)
        lift = max((_gripped_at(self._before[held], places) for held in self._held.values()), default=0.0)
        locations = [self._location(place, lift) for place in places] + self._persons(state.base, places)
        call_the_only_person_so(locations)
        things = [self._thing(thing, now, state, locations) for thing in self.things.values()]
        lonely = [thing for thing in things if thing["location"].startswith("near_")]
        lonely_places = [_beside(thing, state.base) for thing in lonely]
        return {"locations": locations + lonely_places, "objects": things, "partial": True}

    def new_places(self, known: Sequence[Place]) -> list[Place]:
        """Return the places that were seen and are not `known` to be there, to be kept for the next time."""
        before = {place.name: place for place in known}
        return [place for place in self._places.values() if has_moved(place, before.get(place.name))]

    def noticed(self, now: float) -> list[LastSeen]:
        """Return everything that is present at `now`, to be kept for the next time."""
        present = [thing for thing in self.things.values() if now - thing.at <= self._stale]
        return [
            LastSeen(s.name, s.category, *s.position, datetime.fromtimestamp(s.at, UTC), s.source, s.sigma)
            for s in present
        ]

    def surface(self, base: Pose2D, taught: Sequence[Place]) -> float | None:
        """Return how high things stand at the place where the base stands; None between places."""
        at = [place for place in self._with_seen(taught) if place.kind in HOLDING]
        nearest = min(at, key=lambda place: math.dist((place.x, place.y), (base.x, base.y)), default=None)
        near = nearest and math.dist((nearest.x, nearest.y), (base.x, base.y)) <= NEAR_ENOUGH
        return nearest.height if nearest and near else None

    # --- hands ---

    def _feel(self, now: float, state: RobotState) -> None:
        """Find out what each hand holds, from its fingers alone."""
        for arm, measured in state.arms.items():
            if not self._holds(arm, measured):
                self._release(arm, measured, now)
            elif arm not in self._held and (nearest := self._nearest(arm)):
                self._held[arm] = nearest
                self._before[nearest] = self.things[nearest]
            if held := self._held.get(arm):
                at_tip = _tip(measured, state.base)
                self.things[held] = replace(self.things[held], position=at_tip, at=now, source="gripper")

    def _holds(self, arm: str, measured: ArmState) -> bool:
        """Return whether something keeps the fingers apart that want to close; fingers that open strain as well."""
        strains = measured.gripper > HELD_OPENING and measured.gripper_effort > HELD_EFFORT
        return strains and measured.gripper - self._wanted.get(arm, 0.0) > HELD_OPENING

    def _release(self, arm: str, measured: ArmState, now: float) -> None:
        """Nothing is in the fingers: it lies where they opened, or they closed on nothing and never had it."""
        thing = self._held.pop(arm, "")
        before = self._before.pop(thing, None)
        if thing not in self.things:
            return
        if before and measured.gripper <= HELD_OPENING:
            self.things[thing] = before
            return
        point = self._gripped.get(arm, self.things[thing].position)
        self.things[thing] = replace(self.things[thing], position=point, at=now, source="gripper")

    def _nearest(self, arm: str) -> str:
        """The thing that lay where the fingers closed; "" where nothing was known to lie."""
        point = self._gripped.get(arm)
        free = [thing for thing in self.things.values() if thing.name not in self._held.values()]
        near = min(free, key=lambda thing: math.dist(thing.position, point), default=None) if point else None
        return near.name if near and point and math.dist(near.position, point) <= AT_THE_FINGERS else ""

    # --- places and things ---

    def _with_seen(self, taught: Sequence[Place]) -> list[Place]:
        return [*(place for place in taught if place.name not in self._places), *self._places.values()]

    def _location(self, place: Place, lift: float) -> dict[str, Any]:
        """`lift` is how far a hand stays above what it puts something on, metres."""
        is_open = self._doors.get(place.name)
        door = None if is_open is None else "open" if is_open else "closed"
        spot = self._free_spot(place)
        above = (spot[0], spot[1], spot[2] + lift) if spot else None
        return as_seen(place, above, door, self._handles.get(place.name))

    def _free_spot(self, place: Place) -> Point | None:
        """The first point ahead of the base that nothing stands near to."""
        taken = [thing.position for thing in self.things.values() if thing.name not in self._held.values()]
        spots = (ahead_of(place, aside) for aside in self._scale.aside)
        return next(
            (spot for spot in spots if not any(_stands_near(spot, other, self._scale.apart) for other in taken)), None
        )

    def _persons(self, base: Pose2D, places: Sequence[Place]) -> list[dict[str, Any]]:
        taught = {place.name for place in places}
        people = [person for person in self.people.values() if person.name not in taught]
        if not (people or self._drives or any(place.kind == "person" for place in places)):
            return [as_seen(Place("person", "person", base.x, base.y, base.theta), None)]
        return [
            as_seen(Place(person.name, "person", *_before(person.position, base, BEFORE_PERSON)), None)
            for person in people
        ]

    def _thing(
        self, thing: Sighting, now: float, state: RobotState, locations: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        held_by = next((arm for arm, held in self._held.items() if held == thing.name), None)
        age = max(0.0, now - thing.at)
        return {
            "name": thing.name,
            "category": thing.category,
            "location": "" if held_by else _place_of(thing, locations, self._scale.on_it),
            "position": list(thing.position),
            "held_by": held_by,
            "present": bool(held_by) or age <= self._stale,
            "age": age,
            "source": thing.source,
            "sigma": thing.sigma,
        }

    def _sighting(self, seen: Seen, told: Objects | People, base: Pose2D) -> Sighting:
        position = on_map(seen.position, told.frame, base)
        from_base = told.frame == "robot"
        source = seen.source or told.source
        return Sighting(seen.name, seen.category, position, told.at, source, seen.sigma, seen.grip, from_base)

    def _is_newer(self, sighting: Sighting, known: Mapping[str, Sighting]) -> bool:
        """Return whether a sighting tells more than what is known; of what is in a hand nobody knows more than the
        hand.
        """
        before = known.get(sighting.name)
        return sighting.name not in self._held.values() and (before is None or sighting.at >= before.at)


def _carried(point: Point, before: Pose2D, after: Pose2D) -> Point:
    """Return where a point is on the map that was taken to be there from a base that stood elsewhere."""
    x, y, z = point
    return (*after.to_map(*before.to_local(x, y)), z)


def _tip(arm: ArmState, base: Pose2D) -> Point:
    return (*base.to_map(arm.tip.x, arm.tip.y), arm.tip.z)


def _gripped_at(thing: Sighting, places: Sequence[Place]) -> float:
    """Return how far above what it stood on a thing was taken, metres: as whoever saw it told, else from the places
    there.
    """
    above = [thing.position[2] - place.height for place in places if _is_on(thing, place)]
    return thing.grip or min(above, default=USUAL_GRIP)


def _is_on(thing: Sighting, place: Place) -> bool:
    aside = math.dist(thing.position[:2], ahead_of(place)[:2])
    return place.kind in HOLDING and aside <= ROOM.on_it and 0 < thing.position[2] - place.height <= ABOVE


def _place_of(thing: Sighting, locations: Sequence[Mapping[str, Any]], on_it: float) -> str:
    """The place that a thing stands on or in; one of its own, "near_NAME", where there is none."""
    x, y, z = thing.position
    fitting = []
    for place in locations:
        ahead = Pose2D(*place["approach"]).to_map(AHEAD, 0.0)
        level = place["kind"] == "person" or -BELOW <= z - place["height"] <= ABOVE
        if place["kind"] != "spot" and level:
            fitting.append((math.dist((x, y), ahead), place["name"]))
    distance, name = min(fitting, default=(math.inf, ""))
    return str(name) if distance <= on_it else f"near_{thing.name}"


def _beside(thing: Mapping[str, Any], base: Pose2D) -> dict[str, Any]:
    """A spot to drive to before a thing that stands at no place that has a name."""
    x, y, z = thing["position"]
    return as_seen(Place(thing["location"], "spot", *_before((x, y, z), base, AHEAD), height=z), None)


def _stands_near(spot: Point, other: Point, apart: float) -> bool:
    return math.dist(spot[:2], other[:2]) <= apart and abs(other[2] - spot[2]) <= ABOVE


def _before(point: Point, base: Pose2D, metres: float) -> tuple[float, float, float]:
    """Return where the base stands so that a point is straight ahead of it, reached from where the base is now."""
    heading = math.atan2(point[1] - base.y, point[0] - base.x)
    return point[0] - metres * math.cos(heading), point[1] - metres * math.sin(heading), heading
