"""Where the base is, from how far its wheels turned; and a note of it that outlives the process."""

import contextlib
import json
import math
import os
from dataclasses import astuple
from pathlib import Path

from hw.motion import wrap
from hw.state import Pose2D

JUMP = 1.0
"""Turns that no wheel makes between two estimates; a larger difference means that the axis was restarted."""

_NOTE_SIZE = 256
"""Characters of a note: five numbers, a word, and spaces over what an earlier one may have left."""

Turns = tuple[float, float]
"""Of the left and of the right wheel, forward positive."""


class Odometry:
    """A pose that follows the wheels."""

    def __init__(self, start: Pose2D, circumference: float, track: float) -> None:
        self.pose = start
        self.turns: Turns | None = None
        """As last heard; None before the first time."""
        self.localised = True
        """Whether the pose can be relied on. False from a restart of the axes until somebody corrects it."""
        self._circumference = circumference
        self._track = track

    def restore(self, pose: Pose2D, turns: Turns) -> None:
        """Go on from a pose noted by another process when the wheels stood at `turns`."""
        self.pose, self.turns = pose, turns

    def correct(self, pose: Pose2D) -> None:
        """Go on from a pose that is known by other means: a person said it, or the eyes saw it."""
        self.pose, self.localised = pose, True

    def update(self, left: float, right: float) -> None:
        """Positions of the wheels; a jump that no wheel can make moves nothing, and nobody knows what it hid."""
        last, self.turns = self.turns, (left, right)
        if last is None:
            return
        if jumped(last, self.turns):
            self.localised = False
            return
        turned_left = (left - last[0]) * self._circumference
        turned_right = (right - last[1]) * self._circumference
        forward = (turned_left + turned_right) / 2
        turn = (turned_right - turned_left) / self._track
        heading = self.pose.theta + turn / 2
        self.pose = Pose2D(
            self.pose.x + forward * math.cos(heading),
            self.pose.y + forward * math.sin(heading),
            wrap(self.pose.theta + turn),
        )


def jumped(before: Turns, after: Turns) -> bool:
    return abs(before[0] - after[0]) > JUMP or abs(before[1] - after[1]) > JUMP


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
        pose, noted = Pose2D(*map(float, note["pose"])), (float(note["turns"][0]), float(note["turns"][1]))
        known = bool(note.get("localised", True))
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return False
    odometry.localised = known and not jumped(noted, turns)
    if jumped(noted, turns):
        return False
    odometry.restore(pose, noted)
    return True
