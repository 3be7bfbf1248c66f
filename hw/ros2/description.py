"""What ROS 2 calls the parts of a robot: sections of robot.toml with servos = "ros2", motors = "ros2"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hw.base_description import BaseDescription
from hw.limits import BaseLimits
from hw.state import Pose2D

KIND = "ros2"
"""What `servos` of an arm and `motors` of a base say."""
JOINT_STATES = "/joint_states"


@dataclass(frozen=True)
class ArmActions:
    """The actions of one arm."""

    trajectory: str
    """The action of type control_msgs/FollowJointTrajectory."""
    gripper: str
    """The action of type control_msgs/GripperCommand."""
    joints: tuple[str, ...]
    """From the shoulder outwards, and last the one that stands for the fingers, as the joint states name them."""
    effort: float = 0.0
    """Newtons with which the fingers close; 0: as ROS has it."""
    joint_states: str = JOINT_STATES

    @property
    def join(self) -> dict[str, Any]:
        """Return what the bridge is told of it."""
        names = {"trajectory": self.trajectory, "gripper": self.gripper, "joint_states": self.joint_states}
        return {"kind": "arm", "joints": list(self.joints), "effort": self.effort} | names


@dataclass(frozen=True, kw_only=True)
class ActionBaseDescription(BaseDescription):
    """A base that ROS drives to a place."""

    navigate: str
    """The action of type nav2_msgs/NavigateToPose."""
    velocity: str = ""
    """The topic of type geometry_msgs/Twist by which it is steered; "": it is not."""
    map_frame: str = "map"
    base_frame: str = "base_link"

    @property
    def join(self) -> dict[str, Any]:
        """Return what the bridge is told of it."""
        frames = {"map_frame": self.map_frame, "base_frame": self.base_frame}
        return {"kind": "base", "navigate": self.navigate, "velocity": self.velocity} | frames


def is_behind_ros(arm: Mapping[str, Any]) -> bool:
    """Return whether an arm of a robot's table is moved by actions."""
    return bool(arm.get("servos") == KIND)


def complete_arm(name: str, arm: dict[str, Any]) -> None:
    """Fill in what a section may leave out: ROS's names of joints, and their zeros and directions."""
    for joint in arm["joints"]:
        for key, value in {"ros": f"{name}_{joint['name']}", "zero": 0.0, "direction": 1}.items():
            joint.setdefault(key, value)
    arm["gripper"].setdefault("ros", f"{name}_gripper")
    arm["gripper"].setdefault("torque", 1.0)


def put_on_servos(arm: dict[str, Any]) -> None:
    """Make of it the arm of servos by which it is simulated where there is no ROS."""
    for number, joint in enumerate(arm["joints"], 1):
        joint |= {"servo": number, "zero": 2048, "direction": 1}
    arm["gripper"] |= {"servo": len(arm["joints"]) + 1, "closed": 2048, "open": 3072, "torque": 0.4}
    arm |= {"servos": "feetech", "baud": 1_000_000}


def put_on_wheels(base: dict[str, Any]) -> None:
    """The same of a base: two driven wheels."""
    base |= {"motors": "odrive", "baud": 1_000_000, "bitrate": 500_000, "wheel_radius": 0.08, "track": 0.44}
    base.setdefault("start", [0.0, 0.0, 0.0])
    base |= {"left": {"node": 0, "direction": 1}, "right": {"node": 1, "direction": -1}}
    base["limits"].pop("lateral_velocity", None)


def arm_actions(table: Mapping[str, Any], name: str) -> ArmActions | None:
    """Return what moves an arm of a completed table; None where servos of ours do. Raises KeyError."""
    arm = table["arms"][name]
    if not is_behind_ros(arm):
        return None
    return ArmActions(
        trajectory=str(arm["trajectory"]),
        gripper=str(arm["gripper"]["action"]),
        joints=(*(str(joint["ros"]) for joint in arm["joints"]), str(arm["gripper"]["ros"])),
        effort=float(arm["gripper"].get("effort", 0.0)),
        joint_states=str(arm.get("joint_states", JOINT_STATES)),
    )


def action_base(base: Mapping[str, Any]) -> ActionBaseDescription:
    """Return a base that ROS drives. Raises KeyError for what is missing."""
    return ActionBaseDescription(
        start=Pose2D(*base.get("start", (0.0, 0.0, 0.0))),
        limits=BaseLimits(**base["limits"]),
        navigate=str(base["navigate"]),
        velocity=str(base.get("velocity", "")),
        map_frame=str(base.get("map_frame", "map")),
        base_frame=str(base.get("base_frame", "base_link")),
    )
