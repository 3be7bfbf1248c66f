"""What eyes are to the rest of heed, whoever they belong to: a simulation, a camera, or another program."""

from collections.abc import Sequence
from typing import Protocol

from hw.state import Pose2D, RobotState
from skills.skill import Observation

STALE = 1.0
"""Seconds after which what was seen is remembered, and no longer present: no arm moves towards it."""
LOOK_SECONDS = 1.5
"""Within which a look that is asked for has to come."""


class Eyes(Protocol):
    """One robot's sight. Any thread may call."""

    def observe(self, state: RobotState) -> Observation:
        """Return what is present and what is remembered, at once; `state` is the body's at this moment.

        Raises HardwareError where nothing can be told at all.
        """
        ...

    def look(self, seconds: float = LOOK_SECONDS) -> None:
        """Return once something was seen that is newer than this call. Raises HardwareError, saying what is wrong."""
        ...

    def labels(self, thing: str = "") -> Sequence[tuple[str, str]]:
        """Read the labels in sight now, and return (words, the thing that they are on, "" for none): it takes seconds.

        What carries a tag that nobody has named, and says `thing`, is called so from now on. Raises HardwareError where
        nobody reads.
        """
        ...

    def grip(self, arm: str, point: tuple[float, float, float], opening: float) -> None:
        """Take note that an arm's fingers open or close to `opening` (metres) at this point (metres, map frame)."""
        ...

    def base(self) -> Pose2D | None:
        """Return where the base is seen to stand at this moment; None where the eyes do not tell."""
        ...

    def corrected(self, before: Pose2D, after: Pose2D) -> None:
        """Take note that the base stood at `after`, not at `before`: what was seen from there moves along."""
        ...

    def trouble(self) -> str:
        """Return what is wrong with the eyes; "" while they see."""
        ...

    def silent(self) -> float:
        """Return for how many seconds nobody has told anything."""
        ...

    def picture(self, thing: str = "") -> bytes:
        """Return what they see as a PNG, or the part of it where a thing is. Raises HardwareError for none."""
        ...

    def close(self) -> None: ...
