"""Which goal moves a part: servos and wheels are told where to be a hundred times a second, actions of ROS 2 once."""

from hw.arm import ServoArm
from hw.base import Base
from hw.head import Head
from hw.motion import Positions
from hw.ros2.arm import ActionArm
from hw.ros2.base import ActionBase
from hw.ros2.goals import GripGoal, NavigateGoal, TrajectoryGoal
from hw.running_goals import DriveGoal, RunningGoal, ServoGoal
from hw.state import Pose2D

AnyArm = ServoArm | ActionArm


def move(arm: AnyArm, joints: Positions, speed: float, clamped: tuple[str, ...]) -> RunningGoal:
    """Bring the joints of an arm there."""
    if isinstance(arm, ActionArm):
        return TrajectoryGoal(arm, joints, speed, clamped)
    return ServoGoal(arm, arm.arm, joints, speed, clamped)


def grip(arm: AnyArm, opening: Positions, clamped: tuple[str, ...]) -> RunningGoal:
    """Bring its fingers so far apart."""
    if isinstance(arm, ActionArm):
        return GripGoal(arm, opening[0], clamped)
    return ServoGoal(arm, arm.gripper, opening, 1.0, clamped)


def look(head: Head, angles: Positions, speed: float, clamped: tuple[str, ...]) -> RunningGoal:
    """Bring pan and tilt there."""
    return ServoGoal(head, head.neck, angles, speed, clamped)


def drive(base: Base, pose: Pose2D, speed: float, clamped: tuple[str, ...]) -> RunningGoal:
    """Bring the base to a place. How fast, ROS decides by itself."""
    if isinstance(base, ActionBase):
        return NavigateGoal(base, pose, clamped)
    return DriveGoal(base, pose, speed, clamped)
