"""Looking for a thing that nobody sees: from place to place, until it is in sight.

Each step is a statement of the console: what is forbidden stays forbidden, and a stop ends it. Nothing is looked for
behind closed doors, and nothing where everything that there is has been seen.
"""

import math
from collections.abc import Callable, Generator, Sequence
from typing import Protocol

from daemon.console.executor import Outcome
from daemon.names import joined, spoken
from skills.scene import Location, Scene

LOOK = "get_objects_in_sight()"
LOOKS = 2
"""At each place: the second tells where a robot stands by tags on walls, and sees what one picture missed."""
LABEL = "label"
"""The source of a thing of which nothing tells but what was read on it."""
HOLDING = ("surface", "container")
"""Kinds of places at which things stand."""

Steps = Generator[str, Outcome | None, str | None]
"""Yields statements, and may be sent how each ended. Returns "" once the thing is in sight, what to say where it is
not, and None where a person ended it."""


class Surroundings(Protocol):
    """What is seen now."""

    @property
    def scene(self) -> Scene:
        """The scene as it is now. Raises RuntimeError where nothing can be seen."""
        ...

    @property
    def here(self) -> str:
        """Return where the robot stands; "" between places."""
        ...


def search(now: Surroundings, thing: str, is_seen: Callable[[Scene], bool], likely: str = "") -> Steps:
    """Look for a thing from where the robot stands, then at the `likely` place, then at the others, the nearest first.

    `thing` is what people call it.
    """
    looked = [now.here]
    ended = yield from _looks(now, thing, is_seen)
    while not (ended or is_seen(now.scene)):
        place = _next(now.scene, looked, likely)
        if place is None:
            return _in_vain(thing, looked, now.scene)
        looked.append(place.name)
        moved = yield f"move_to({place.name!r})"
        ended = _is_ended(moved)
        if moved is None or moved.ok:
            ended = yield from _looks(now, thing, is_seen)
    return None if ended else ""


def _looks(now: Surroundings, thing: str, is_seen: Callable[[Scene], bool]) -> Generator[str, Outcome | None, bool]:
    """Look up to LOOKS times, then read labels where that is possible; returns whether a person ended it."""
    reading = [f"read_labels({thing!r})", LOOK] if now.scene.reads_labels else []
    for statement in [LOOK] * LOOKS + reading:
        if is_seen(now.scene):
            break
        if _is_ended((yield statement)):
            return True
    return False


def _is_ended(outcome: Outcome | None) -> bool:
    return outcome is not None and "KeyboardInterrupt" in outcome.result


def _next(scene: Scene, looked: Sequence[str], likely: str) -> Location | None:
    """Return the place to look at next, the nearest to where it looked last; None where it has looked everywhere."""
    left = [place for place in scene.locations if place.name not in looked and _can_be_looked_at(place, likely)]
    last = next((place for place in scene.locations if place.name == looked[-1]), None)

    def rank(place: Location) -> tuple[bool, float]:
        away = math.dist(place.approach[:2], last.approach[:2]) if last else 0.0
        return place.name != likely, away

    return min(left, key=rank, default=None) if scene.drives else None


def _can_be_looked_at(place: Location, likely: str) -> bool:
    return place.name == likely or (place.kind in HOLDING and place.door != "closed")


def _in_vain(thing: str, looked: Sequence[str], scene: Scene) -> str:
    read = next((one for one in scene.objects if one.source == LABEL and spoken(one.name) == thing), None)
    if read is not None:
        return f"I read {thing} on something at the {spoken(read.location)}, but cannot tell well enough where it is."
    places = [
        f"the {spoken(place.name)}" for place in scene.locations if place.kind in HOLDING and place.name in looked
    ]
    return f"I looked at {joined(places)}, and do not see any {thing}." if places else f"I do not see any {thing} here."
