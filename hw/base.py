"""What every base has: a twist that it follows within its limits, and a pose. On wheels of ours, odometry tells it.

How it rolls (differential, omni) its kinematics know; what turns its wheels is a class of its own, in hw/axis_base.py
and hw/servo_base.py. A base that ROS 2 drives is in hw/ros2/base.py.
"""

from abc import abstractmethod
from pathlib import Path

from hw import odometry
from hw.base_description import WheelBaseDescription
from hw.device import Component
from hw.limits import BaseLimits, within
from hw.motion import ramp
from hw.odometry import Odometry, Turns
from hw.state import Pose2D, Twist

STILL = 0.02
"""Turns per second of a wheel that count as standing: a centimetre per second."""
NOTE_EVERY = 0.2
"""Seconds between notes of the pose while the base moves."""


class Base(Component):
    """What can be told a twist, and knows where it stands."""

    def __init__(self, limits: BaseLimits, feedback_timeout: float) -> None:
        super().__init__("base", feedback_timeout)
        self.limits = limits
        self.wanted = Twist()
        """What a goal asks for."""
        self.twist = Twist()
        """What goes out: the wanted one, as far as accelerations and wheels allow."""
        self.steerable = True
        """Whether it can be told a twist at all."""

    @property
    @abstractmethod
    def pose(self) -> Pose2D: ...

    @property
    @abstractmethod
    def localised(self) -> bool:
        """Return whether the pose can be relied on."""

    @abstractmethod
    def correct(self, pose: Pose2D) -> None:
        """Take it that the base stands there (map frame)."""

    @property
    @abstractmethod
    def at_rest(self) -> bool:
        """Return whether nothing is asked of it, and it is measured to stand."""

    @property
    @abstractmethod
    def moves(self) -> bool:
        """Return whether it is measured to move."""

    @abstractmethod
    def release(self) -> None:
        """Take the power from the motors, where that is ours to do; the base can be pushed."""

    def halt(self) -> None:
        """Ask for nothing any more, and not gently."""
        self.wanted = self.twist = Twist()

    def _ramp(self, dt: float) -> None:
        """The next twist: towards the wanted one, and for no wheel more than it may."""
        if not self.active:
            self.wanted = Twist()
        limits = self.limits
        most = (limits.velocity, limits.lateral_velocity, limits.angular_velocity)
        wanted = Twist(*(within(part, -limit, limit) for part, limit in zip(self.wanted, most, strict=True)))
        gains = (limits.acceleration, limits.acceleration, limits.angular_acceleration)
        ways = zip(self.twist, self._within_wheels(wanted), gains, strict=True)
        self.twist = self._within_wheels(Twist(*(ramp(part, towards, gain * dt) for part, towards, gain in ways)))

    def _within_wheels(self, twist: Twist) -> Twist:
        """The same direction, so slow that no wheel is too fast."""
        return twist


class WheelBase(Base):
    """Wheels of ours."""

    def __init__(self, description: WheelBaseDescription, feedback_timeout: float, note: Path | None = None) -> None:
        """note: file through which odometry survives the end of this process."""
        super().__init__(description.limits, feedback_timeout)
        self.odometry = Odometry(description.start, description.circumference, description.kinematics)
        self._kinematics = description.kinematics
        self._fastest_rim = description.wheel_velocity * description.circumference
        """Metres per second."""
        self._note = note
        self._noted_at = 0.0
        self._noted: Turns | None = None

    @property
    def pose(self) -> Pose2D:
        return self.odometry.pose

    @property
    def localised(self) -> bool:
        return self.odometry.localised

    def correct(self, pose: Pose2D) -> None:
        """The same, and note it."""
        self.odometry.correct(pose)
        if self._note:
            odometry.save(self.odometry, self._note)

    @property
    def at_rest(self) -> bool:
        return not any(self.twist) and self.fastest < STILL

    @property
    def moves(self) -> bool:
        return self.fastest > STILL / 2

    @property
    @abstractmethod
    def fastest(self) -> float:
        """Turns per second of the wheel that is measured to turn fastest."""

    @abstractmethod
    def _turns(self) -> Turns:
        """Return where the wheels are measured to be."""

    def _follow_wheels(self, now: float) -> None:
        """Bring the pose to where the wheels have taken the base."""
        self.odometry.update(self._turns())
        if self._note and now > self._noted_at + NOTE_EVERY and self.odometry.turns != self._noted:
            odometry.save(self.odometry, self._note)
            self._noted_at, self._noted = now, self.odometry.turns

    def _restore(self) -> None:
        """Go on from the note of the process before this one, once the wheels have been heard."""
        if self.odometry.turns is None and self._note:
            odometry.load(self.odometry, self._note, self._turns())

    def _within_wheels(self, twist: Twist) -> Twist:
        excess = max(map(abs, self._kinematics.speeds(twist))) / self._fastest_rim
        return twist if excess <= 1 else Twist(*(part / excess for part in twist))
