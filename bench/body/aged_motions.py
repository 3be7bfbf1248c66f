"""How old what was seen is when a hand sets out for it: a robot's body that takes note of that."""

import math
import time
from pathlib import Path

from daemon.config import BodyConfig
from daemon.service.body import RobotBody
from hw.client import Goal
from skills.skill import Observation

SAME = 0.005
"""Metres, seen from above, between where a hand is sent and where a thing was seen, for it to be sent there."""


class AgedBody(RobotBody):
    """A body that keeps how old the picture of one thing was at each motion towards it."""

    def __init__(
        self, config: BodyConfig, folder: Path, runtime: Path, models: Path | None = None, thing: str = "juice"
    ) -> None:
        super().__init__(config, folder, runtime, models)
        self._thing = thing
        self._seen_at: dict[tuple[float, float], float] = {}
        """When it was seen there (x, y in metres, map frame), monotonic seconds."""
        self._closed: set[str] = set()
        """Arms whose fingers have closed: they do not go by what was seen any more."""
        self.ages: list[float] = []
        """Seconds; of every motion of a hand towards the thing, in their order."""

    def forget(self) -> None:
        """Begin anew."""
        self._seen_at.clear()
        self.ages.clear()

    def observe(self) -> Observation:
        """Return what is seen, and note where the thing is; of one in a hand the hand knows better."""
        seen, now = super().observe(), time.monotonic()
        for thing in seen["objects"]:
            if thing["name"] == self._thing and not thing["held_by"]:
                x, y, _ = thing["position"]
                self._seen_at[x, y] = now - thing["age"]
        return seen

    def move_tip(self, arm: str, x: float, y: float, z: float, pitch: float | None = None, speed: float = 1.0) -> Goal:
        """Pass it on, and note how old the picture is by which the hand sets out."""
        if arm in self._closed:
            return super().move_tip(arm, x, y, z, pitch, speed)
        towards, known = self.state().base.to_map(x, y), list(self._seen_at.items())
        seen, at = min(known, key=lambda one: math.dist(one[0], towards), default=((math.inf, math.inf), 0.0))
        if math.dist(seen, towards) < SAME:
            self.ages.append(time.monotonic() - at)
        return super().move_tip(arm, x, y, z, pitch, speed)

    def grip(self, arm: str, opening: float) -> Goal:
        """Pass it on; once the fingers close, the hand does not go by what was seen any more, until they open."""
        (self._closed.discard if opening else self._closed.add)(arm)
        return super().grip(arm, opening)
