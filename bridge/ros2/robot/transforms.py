"""Where a base stands, by the transforms that ROS tells: the chain from its frame up to that of the map. No I/O."""

import math
from dataclasses import dataclass

from hw.state import Pose2D

STALE = 5.0
"""Seconds after which a link of the chain counts no more: then nobody knows where the base stands in the map."""
LONGEST = 20
"""Links of a chain; a longer one is a circle."""


@dataclass(frozen=True)
class Link:
    """A frame in the frame above it, seen from above."""

    parent: str
    pose: Pose2D
    at: float
    """Monotonic seconds when it was told; infinite for one that holds for good."""
    stamp: float = 0.0
    """Seconds when it was measured, by the clock of whoever tells."""


@dataclass(frozen=True)
class Place:
    pose: Pose2D
    at: float
    """When the link of the chain that is next to the base was told."""
    stamp: float
    """The same, by its own stamp."""
    localised: bool
    """Every link is fresh."""


class Transforms:
    """The last of each link."""

    def __init__(self) -> None:
        self._links: dict[str, Link] = {}

    def take(self, child: str, link: Link) -> None:
        self._links[child.lstrip("/")] = link

    def place(self, base: str, top: str, now: float) -> Place | None:
        """Return where `base` is in the frame `top`; None while no chain leads there."""
        pose, at, stamp, localised, frame = Pose2D(), math.inf, 0.0, True, base
        for _ in range(LONGEST):
            if frame == top:
                return Place(pose, now, now, localised) if math.isinf(at) else Place(pose, at, stamp, localised)
            link = self._links.get(frame)
            if link is None:
                return None
            x, y = link.pose.to_map(pose.x, pose.y)
            pose = Pose2D(x, y, math.remainder(link.pose.theta + pose.theta, math.tau))
            at, stamp = (link.at, link.stamp) if math.isinf(at) else (at, stamp)
            localised = localised and now - link.at < STALE
            frame = link.parent.lstrip("/")
        return None


def heading(x: float, y: float, z: float, w: float) -> float:
    """Return the turn about the vertical of a quaternion; radians."""
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
