"""Places that eyes see by a tag, as places where the base can stand. Pure."""

import math

from daemon.eyes.messages import Point, SeenPlace
from daemon.eyes.taught_places import AHEAD
from daemon.memory.place_book import Place
from hw.state import Pose2D

MOVED = 0.03
"""Metres by which a place has moved, so that it is worth writing down."""
SEEN_BY_TAG = "its tag"


def on_map(point: Point, frame: str, base: Pose2D) -> Point:
    """Return a point of the frame "robot" or "map" in the map's, for a robot that stands there."""
    x, y, z = point
    return (*base.to_map(x, y), z) if frame == "robot" else point


def seen_place(seen: SeenPlace, frame: str, base: Pose2D) -> Place:
    """Return a place that is stood at AHEAD metres before it, looking at it."""
    x, y, z = on_map(seen.position, frame, base)
    theta = seen.yaw + math.pi + (base.theta if frame == "robot" else 0.0)
    theta = math.remainder(theta, 2 * math.pi)
    stands = Pose2D(x, y, theta).to_map(-AHEAD, 0.0)
    return Place(seen.name, seen.kind, *stands, theta, z, SEEN_BY_TAG)


def has_moved(place: Place, before: Place | None) -> bool:
    """Return whether a place is new, or elsewhere than before."""
    if before is None or before.kind != place.kind:
        return True
    aside = math.dist((place.x, place.y, place.height), (before.x, before.y, before.height))
    return aside > MOVED
