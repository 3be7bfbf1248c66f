"""Places that the robot was taught, beside those that its eyes know."""

from collections.abc import Sequence
from typing import Any

from daemon.memory.place_book import Place
from hw.state import Pose2D
from skills.skill import Observation

AHEAD = 0.50
"""Metres from where the base stands at a place to the middle of what is put there."""

SOMEBODY = ("person", "me")


def with_places(seen: Observation, places: Sequence[Place]) -> Observation:
    """Return what is seen with the places that it lacks."""
    known = {place["name"] for place in seen["locations"]}
    new = [as_seen(place, ahead_of(place)) for place in places if place.name not in known]
    return {**seen, "locations": [*seen["locations"], *new]}


def as_seen(
    place: Place, surface: Sequence[float] | None, door: str | None = None, handle: Sequence[float] | None = None
) -> dict[str, Any]:
    """Return a place as perception reports it (skills/scene.py).

    `surface` is a free spot, `door` open or closed, `handle` where a hand takes the door; metres, map frame.
    """
    return {
        "name": place.name,
        "kind": place.kind,
        "approach": [place.x, place.y, place.theta],
        "height": place.height,
        "surface": list(surface) if surface and place.kind in ("surface", "container") else None,
        "door": door,
        "handle": list(handle) if handle else None,
        "aliases": [],
        "state": {},
    }


def call_the_only_person_so(locations: Sequence[dict[str, Any]]) -> None:
    """Give the only person the other names of whoever speaks, since "bring me" can mean nobody else."""
    people = [place for place in locations if place["kind"] == "person"]
    if len(people) == 1:
        people[0]["aliases"] = [name for name in SOMEBODY if name != people[0]["name"]]


def ahead_of(place: Place, aside: float = 0.0) -> tuple[float, float, float]:
    """Return a point straight ahead of the base there, or so far to its left: metres, map frame."""
    return (*Pose2D(place.x, place.y, place.theta).to_map(AHEAD, aside), place.height)
