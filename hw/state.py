"""What the body says about itself: plain values that the real robot and the rehearsed one share. No I/O.

Units are SI: metres, radians, seconds. The map frame is fixed to the room; the robot frame has x forward,
y left, z up, and its origin on the floor between the wheels.

    HardwareError(RuntimeError)      for example: heed-hw is not running
        StoppedError                 a stop is latched; motion is refused until a person clears it
        UnreachableError             no joint angles bring the tip there
"""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class HardwareError(RuntimeError):
    """The body cannot do this; the message ends with what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} (hint: {hint})" if hint else message)
        self.hint = hint


class StoppedError(HardwareError):
    """Motion was refused because a stop is latched."""


class UnreachableError(HardwareError):
    """The arm cannot bring its tip to that pose from where the base stands."""


@dataclass(frozen=True)
class Pose2D:
    """A place on the floor: metres, and radians anticlockwise from the x axis."""

    x: float = 0.0
    y: float = 0.0
    theta: float = 0.0

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        """A point of the frame that sits at this pose, in the frame around it."""
        cos, sin = math.cos(self.theta), math.sin(self.theta)
        return self.x + cos * x - sin * y, self.y + sin * x + cos * y

    def to_local(self, x: float, y: float) -> tuple[float, float]:
        """A point of the surrounding frame, as seen from this pose: the inverse of to_map."""
        cos, sin = math.cos(self.theta), math.sin(self.theta)
        return cos * (x - self.x) + sin * (y - self.y), -sin * (x - self.x) + cos * (y - self.y)


class Twist(NamedTuple):
    """How a base moves: metres per second ahead and to its left, radians per second anticlockwise."""

    forward: float = 0.0
    left: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class TipPose:
    """The point between the fingertips, in the robot frame.

    pitch: 0 points level, +pi/2 straight down. yaw: 0 points forward. roll: 0 closes the fingers sideways.
    """

    x: float
    y: float
    z: float
    pitch: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0


@dataclass(frozen=True)
class ArmState:
    """One arm, as measured."""

    joints: tuple[float, ...]
    """Radians, from the shoulder outwards."""
    tip: TipPose
    gripper: float
    """Opening between the fingers in metres; 0 is closed."""
    gripper_effort: float = 0.0
    """0 to 1 of the gripper's greatest effort."""


class Lifecycle(StrEnum):
    """The life of one component (an arm, the base)."""

    UNCONFIGURED = "unconfigured"
    INACTIVE = "inactive"
    ACTIVE = "active"
    FAULT = "fault"


class Severity(StrEnum):
    WARNING = "warning"
    """Told and counted; motion goes on."""
    STOP = "stop"
    """A protective stop."""
    FATAL = "fatal"
    """A protective stop; the component is set up anew once a person has cleared it."""


@dataclass(frozen=True)
class Fault:
    """Something is wrong with a component; latched until a person clears it."""

    component: str
    code: str
    """For example OVERLOAD, PORT_LOST, FOLLOWING_ERROR."""
    detail: str
    hint: str
    severity: Severity = Severity.STOP
    count: int = 1
    """How often it was seen since it was cleared last."""


@dataclass(frozen=True)
class RobotState:
    """The whole body, as measured."""

    arms: dict[str, ArmState]
    base: Pose2D
    """From odometry, in the map frame."""
    localised: bool = True
    """Whether `base` can be relied on: False from a restart of the axes until somebody corrects it."""
    stopped: str | None = None
    """Why motion is refused, or None."""
    paused: bool = False
    lifecycle: dict[str, Lifecycle] = field(default_factory=dict)
    """Component name ("left", "right", "base") to where it is in its life."""
    faults: tuple[Fault, ...] = ()
    head: tuple[float, float] | None = None
    """Pan and tilt of a head that turns, radians; None for a robot without one."""


class GoalState(StrEnum):
    ACCEPTED = "accepted"
    EXECUTING = "executing"
    CANCELING = "canceling"
    SUCCEEDED = "succeeded"
    ABORTED = "aborted"
    CANCELED = "canceled"

    @property
    def done(self) -> bool:
        return self in (GoalState.SUCCEEDED, GoalState.ABORTED, GoalState.CANCELED)


@dataclass(frozen=True)
class GoalResult:
    """How a motion ended."""

    state: GoalState
    detail: str = ""
    hint: str = ""
    clamped: tuple[str, ...] = ()
    """What the limits changed about the request, a phrase each; empty when it was carried out as asked."""


class Standstill(StrEnum):
    TRUE = "true"
    FALSE = "false"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True)
class StopReport:
    """The answer to a stop: what was measured, not what was meant."""

    accepted_at: float
    """time.monotonic() when heed-hw took the stop."""
    frame_sent_at: float | None
    """time.monotonic() when the last device had its stop frame; None when no device could be written."""
    standstill: Standstill
