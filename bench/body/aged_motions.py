"""How old what was seen is when a hand sets out for it: stands between the skills and the body, and passes all on."""

import math
import time

from daemon.service.body import RobotBody
from hw.arm_manner import Manner
from hw.client import Goal
from hw.state import RobotState
from skills.skill import Observation

SAME = 0.005
"""Metres, seen from above, between where a hand is sent and where a thing was seen, for it to be sent there."""


class AgedMotions:
    """The body as skills know it, which keeps how old the picture of one thing was at each motion towards it."""

    def __init__(self, body: RobotBody, thing: str) -> None:
        self._body = body
        self._thing = thing
        self._seen_at: dict[tuple[float, float], float] = {}
        """When it was seen there (x, y in metres, map frame), monotonic seconds."""
        self.ages: list[float] = []
        """Seconds; of every motion of a hand towards the thing, in their order."""

    def forget(self) -> None:
        """Begin anew."""
        self._seen_at.clear()
        self.ages.clear()

    def observe(self) -> Observation:
        """Return what is seen, and note where the thing is; of one in a hand the hand knows better."""
        seen, now = self._body.observe(), time.monotonic()
        for thing in seen["objects"]:
            if thing["name"] == self._thing and not thing["held_by"]:
                x, y, _ = thing["position"]
                self._seen_at[x, y] = now - thing["age"]
        return seen

    def state(self) -> RobotState:
        return self._body.state()

    def manner(self, arm: str) -> Manner:
        return self._body.manner(arm)

    def move_tip(self, arm: str, x: float, y: float, z: float, pitch: float | None = None, speed: float = 1.0) -> Goal:
        towards = self._body.state().base.to_map(x, y)
        seen = min(self._seen_at, key=lambda seen: math.dist(seen, towards), default=None)
        if seen and math.dist(seen, towards) < SAME:
            self.ages.append(time.monotonic() - self._seen_at[seen])
        return self._body.move_tip(arm, x, y, z, pitch, speed)

    def grip(self, arm: str, opening: float) -> Goal:
        """Pass it on; once the fingers close, the hand does not go by what was seen any more."""
        if not opening:
            self._seen_at.clear()
        return self._body.grip(arm, opening)

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> Goal:
        return self._body.drive_to(x, y, theta, speed)
