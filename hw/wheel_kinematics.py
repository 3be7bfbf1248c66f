"""How fast each wheel of a base rolls for a twist, and which twist its wheels make. Pure.

Both ways are linear (Siegwart, Nourbakhsh, Scaramuzza: Autonomous Mobile Robots, 2nd edition, section 3.2): each wheel
has a row of (forward, left, turn), and rolls with row times twist. The way back is the pseudoinverse: the least squares
of wheels that slip.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hw.state import Twist

Row = tuple[float, ...]


@dataclass(frozen=True)
class WheelKinematics:
    """Kinematics of a base on any number of wheels."""

    rows: tuple[Row, ...]
    """Of each wheel, metres per second of its rim for 1 m/s ahead, for 1 m/s to the left, and for 1 rad/s."""

    @classmethod
    def differential(cls, track: float) -> "WheelKinematics":
        """A left and a right wheel, so many metres apart."""
        return cls(((1.0, 0.0, -track / 2), (1.0, 0.0, track / 2)))

    @classmethod
    def omni(cls, base_radius: float, angles: Sequence[float]) -> "WheelKinematics":
        """Omni wheels, so many metres from the middle; angles: where each rolls to, radians from straight ahead."""
        return cls(tuple((math.cos(angle), math.sin(angle), base_radius) for angle in angles))

    @property
    def holonomic(self) -> bool:
        """Return whether it can move to its side."""
        return any(left for _, left, _ in self.rows)

    def speeds(self, twist: Twist) -> tuple[float, ...]:
        """Metres per second of each wheel's rim."""
        forward, left, turn = twist
        return tuple([ahead * forward + aside * left + around * turn for ahead, aside, around in self.rows])

    def twist(self, speeds: Sequence[float]) -> Twist:
        """The inverse of `speeds`; of ways (metres) instead, how far it went and turned."""
        forward, left, turn = (sum([a * v for a, v in zip(row, speeds, strict=True)]) for row in self._inverse)
        return Twist(forward, left, turn)

    @cached_property
    def _inverse(self) -> list[list[float]]:
        """Three rows, with a column for each wheel; rounded, so that what is zero is zero."""
        inverse: list[list[float]] = np.linalg.pinv(np.array(self.rows)).round(14).tolist()
        return inverse
