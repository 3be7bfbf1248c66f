"""A base behind the action NavigateToPose of ROS 2, which knows its way and looks out for obstacles itself."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hw.base import Base
from hw.ros2.description import ActionBaseDescription
from hw.ros2.part import EXCESS, ActionPart
from hw.state import Pose2D, Twist

STILL, STILL_TURN = 0.02, 0.04
"""Metres and radians per second that count as standing."""
LAST_ZEROS = 0.3
"""Seconds for which a velocity of zero is repeated once nothing is steered any more."""


class ActionBase(ActionPart, Base):
    """A base whose pose is that of the transform from ROS's map frame; how fast it drives to a place, ROS decides."""

    def __init__(self, description: ActionBaseDescription, path: Path, timeout: float) -> None:
        Base.__init__(self, description.limits, timeout)
        self._reach(path, description.join)
        self.steerable = bool(description.velocity)
        self._pose = description.start
        self._localised = False
        self._steered_at = -math.inf

    @property
    def pose(self) -> Pose2D:
        return self._pose

    @property
    def localised(self) -> bool:
        return self._localised

    @property
    def at_rest(self) -> bool:
        return not any(self.twist) and super().at_rest

    @property
    def moves(self) -> bool:
        return len(self._seen) > 1 and not self._stands()

    @property
    def resting(self) -> bool:
        return super().resting and not any(self.twist) and not any(self.wanted)

    def correct(self, pose: Pose2D) -> None:
        """Tell ROS's localisation, which goes on from there."""
        self._guard(lambda: self._send({"op": "stands", "pose": [pose.x, pose.y, pose.theta]}))

    def stop(self) -> bool:
        self.halt()
        return super().stop()

    def release(self) -> None:
        self._guard(self._release)

    def details(self) -> list[dict[str, Any]]:
        return [
            {"name": "pose", "position": [round(self._pose.x, 3), round(self._pose.y, 3), round(self._pose.theta, 3)]}
        ]

    def _tick(self, now: float, dt: float) -> None:
        super()._tick(now, dt)
        self._ramp(dt)
        if any(self.twist) or any(self.wanted):
            self._steered_at = now
        if now < self._steered_at + LAST_ZEROS:
            self._send({"op": "velocity", "twist": list(self.twist)})

    def _values(self, packet: Mapping[str, Any]) -> tuple[float, ...] | None:
        self._localised = bool(packet.get("localised"))
        pose = packet.get("pose")
        return None if pose is None else (float(pose[0]), float(pose[1]), float(pose[2]))

    def _measure(self, values: tuple[float, ...]) -> None:
        self._pose = Pose2D(*values)

    def _rates(self) -> Twist:
        (then, before), (now, after) = self._seen[0], self._seen[-1]
        if now <= then:
            return Twist()
        ahead, aside = Pose2D(*before).to_local(after[0], after[1])
        turned = math.remainder(after[2] - before[2], math.tau)
        return Twist(*(way / (now - then) for way in (ahead, aside, turned)))

    def _stands(self) -> bool:
        forward, left, turn = self._rates()
        return math.hypot(forward, left) < STILL and abs(turn) < STILL_TURN

    def _excess(self) -> str:
        forward, left, turn = self._rates()
        speed, limit = math.hypot(forward, left), max(self.limits.velocity, self.limits.lateral_velocity)
        if speed > EXCESS * limit and speed < LEAP:
            return f"the base drives at {speed:.1f} m/s and may drive at {limit:.1f}"
        if abs(turn) > EXCESS * self.limits.angular_velocity and abs(turn) < LEAP:
            return f"the base turns at {abs(turn):.1f} rad/s and may turn at {self.limits.angular_velocity:.1f}"
        return ""


LEAP = 5.0
"""Metres and radians per second that no base does: its localisation has found out that it stands elsewhere."""
