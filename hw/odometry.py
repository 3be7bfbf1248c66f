"""Where the base is, from how far its wheels turned; and a note of it that outlives the process."""

import contextlib
import json
import os
from dataclasses import astuple
from pathlib import Path

from hw.motion import wrap
from hw.state import Pose2D
from hw.wheel_kinematics import WheelKinematics

JUMP = 0.5
"""Turns that no wheel makes between two estimates; a larger difference means that the axis was restarted. A servo that
was restarted counts from its first turn: it is off by whole turns.
"""

_NOTE_SIZE = 256
"""Characters of a note: six numbers, a word, and spaces over what an earlier one may have left."""

Turns = tuple[float, ...]
"""Of each wheel, in the order of the base's wheels; positive as its kinematics say."""


class Odometry:
    """A pose that follows the wheels."""

    def __init__(self, start: Pose2D, circumference: float, kinematics: WheelKinematics) -> None:
        self.pose = start
        self.turns: Turns | None = None
        """As last heard; None before the first time."""
        self.localised = True
        """Whether the pose can be relied on. False from a restart of the axes until somebody corrects it."""
        self._circumference = circumference
        self._kinematics = kinematics

    def restore(self, pose: Pose2D, turns: Turns) -> None:
        """Go on from a pose noted by another process when the wheels stood at `turns`."""
        self.pose, self.turns = pose, turns

    def correct(self, pose: Pose2D) -> None:
        """Go on from a pose that is known by other means: a person said it, or the eyes saw it."""
        self.pose, self.localised = pose, True

    def update(self, turns: Turns) -> None:
        """Positions of the wheels; a jump that no wheel can make moves nothing, and nobody knows what it hid."""
        last, self.turns = self.turns, turns
        if last is None:
            return
        if jumped(last, self.turns):
            self.localised = False
            return
        ways = [(now - before) * self._circumference for before, now in zip(last, turns, strict=True)]
        forward, left, turn = self._kinematics.twist(ways)
        halfway = Pose2D(self.pose.x, self.pose.y, self.pose.theta + turn / 2)
        self.pose = Pose2D(*halfway.to_map(forward, left), wrap(self.pose.theta + turn))


def jumped(before: Turns, after: Turns) -> bool:
    return any(abs(then - now) > JUMP for then, now in zip(before, after, strict=True))


def save(odometry: Odometry, file: Path) -> None:
    """Note the pose, for the process that comes after this one. A full disk is survived.

    One write over the last note, which takes a tenth of the time that a fresh file and its renaming take: the loop
    waits for it.
    """
    if odometry.turns is None:
        return
    told = {"pose": astuple(odometry.pose), "turns": odometry.turns, "localised": odometry.localised}
    note = json.dumps(told).ljust(_NOTE_SIZE)
    with contextlib.suppress(OSError):
        opened = os.open(file, os.O_WRONLY | os.O_CREAT, 0o644)
        try:
            os.pwrite(opened, note.encode(), 0)
        finally:
            os.close(opened)


def load(odometry: Odometry, file: Path, turns: Turns) -> bool:
    """Go on from the note, when the wheels (now at `turns`) have not been restarted since; whether it did.

    After a restart of the axes nobody knows where the base stands: odometry begins at its start, and is not localised.
    Without any note a new map begins where the base stands.
    """
    try:
        note = json.loads(file.read_text())
        pose, noted = Pose2D(*map(float, note["pose"])), tuple(map(float, note["turns"]))
        known = bool(note.get("localised", True))
        was_restarted = jumped(noted, turns)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return False
    odometry.localised = known and not was_restarted
    if was_restarted:
        return False
    odometry.restore(pose, noted)
    return True
