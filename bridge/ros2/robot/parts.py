"""An arm and a base in ROS 2: goals to their actions, and what the robot tells of itself. Needs rclpy."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped, Twist
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage
from trajectory_msgs.msg import JointTrajectoryPoint

from bridge.ros2.robot.action import Action
from bridge.ros2.robot.connections import Tell
from bridge.ros2.robot.transforms import Link, Transforms, heading
from hw.state import Pose2D

TELL_SECONDS = 0.02
TWIST_SECONDS = 0.25
"""How long a velocity lives that heed-hw does not repeat."""
TOLERATED = 1.0
"""Seconds that a trajectory may take longer before its controller gives it up."""
INITIAL = {0: 0.05, 7: 0.05, 35: 0.03}
"""Covariance of a pose that a person told: x, y (m²), turn (rad²)."""
SENSED = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
FOR_GOOD = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class RosPart(ABC):
    """What both kinds of part have: a clock that tells heed-hw, and actions."""

    def __init__(self, node: Node, tell: Tell, actions: Iterable[Action]) -> None:
        self._node, self._tell = node, tell
        self._actions = tuple(actions)
        self._clock = node.create_timer(TELL_SECONDS, self._say)

    def cancel_all(self) -> None:
        for action in self._actions:
            action.cancel_all()

    @abstractmethod
    def take(self, message: Mapping[str, Any]) -> None:
        """Carry out one packet of heed-hw's."""

    def cancel(self, message: Mapping[str, Any]) -> None:
        """The goal that is named, else all."""
        if "id" not in message:
            self.cancel_all()
        for action in self._actions if "id" in message else ():
            action.cancel(int(message["id"]))

    def close(self) -> None:
        self._node.destroy_timer(self._clock)

    def _say(self) -> None:
        missing = [f"the action {action.name}" for action in self._actions if action.missing]
        self._tell(self._measured(missing) | {"missing": missing})

    @abstractmethod
    def _measured(self, missing: list[str]) -> dict[str, Any]:
        """Return what is measured; what is not yet, is added to `missing`."""


class ArmPart(RosPart):
    """FollowJointTrajectory, GripperCommand, and the joint states."""

    def __init__(self, node: Node, join: Mapping[str, Any], tell: Tell) -> None:
        from control_msgs.action import FollowJointTrajectory, GripperCommand  # whoever has no arm need not have them

        self._trajectory_type, self._grip_type = FollowJointTrajectory, GripperCommand
        self._names, self._effort = list(join["joints"]), float(join.get("effort", 0.0))
        self._states = str(join["joint_states"])
        self._seen: dict[str, tuple[float, float, float]] = {}
        self._trajectory = Action(node, FollowJointTrajectory, join["trajectory"], tell)
        self._gripper = Action(node, GripperCommand, join["gripper"], tell)
        self._heard = node.create_subscription(JointState, self._states, self._hear, SENSED)
        super().__init__(node, tell, (self._trajectory, self._gripper))

    def take(self, message: Mapping[str, Any]) -> None:
        match message["op"]:
            case "follow":
                self._trajectory.send(int(message["id"]), self._trajectory_goal(message["points"]))
            case "grip":
                self._gripper.send(int(message["id"]), self._grip_goal(float(message["position"])))
            case "cancel":
                self.cancel(message)

    def close(self) -> None:
        super().close()
        self._node.destroy_subscription(self._heard)

    def _trajectory_goal(self, points: Iterable[Any]) -> Any:
        goal = self._trajectory_type.Goal()
        goal.trajectory.joint_names = self._names[:-1]
        goal.goal_time_tolerance = Duration(seconds=TOLERATED).to_msg()
        for seconds, positions, velocities in points:
            goal.trajectory.points.append(_point(seconds, positions, velocities))
        return goal

    def _grip_goal(self, position: float) -> Any:
        goal = self._grip_type.Goal()
        goal.command.position, goal.command.max_effort = position, self._effort
        return goal

    def _hear(self, told: JointState) -> None:
        now = time.monotonic()
        stamp = _seconds(told.header.stamp) or now
        for name, position in zip(told.name, told.position, strict=False):
            self._seen[name] = (position, now, stamp)

    def _measured(self, missing: list[str]) -> dict[str, Any]:
        seen = dict(self._seen)
        if unknown := [name for name in self._names if name not in seen]:
            missing.append(f"the joint {', '.join(unknown)} in {self._states}")
            return {}
        positions, heard, stamps = zip(*(seen[name] for name in self._names), strict=True)
        return {"positions": positions, "at": min(heard), "stamp": min(stamps)}


class BasePart(RosPart):
    """NavigateToPose, the transforms, and a topic by which it is steered."""

    def __init__(self, node: Node, join: Mapping[str, Any], tell: Tell) -> None:
        from nav2_msgs.action import NavigateToPose  # whoever has no base need not have it

        self._goal_type = NavigateToPose.Goal
        self._map, self._base = str(join["map_frame"]), str(join["base_frame"])
        self._transforms = Transforms()
        self._navigate = Action(node, NavigateToPose, join["navigate"], tell)
        self._velocity = node.create_publisher(Twist, join["velocity"], 1) if join.get("velocity") else None
        self._initial = node.create_publisher(PoseWithCovarianceStamped, "/initialpose", 1)
        self._steered_until = 0.0
        self._steered = False
        self._heard = [
            node.create_subscription(TFMessage, "/tf", partial(self._hear, False), 100),
            node.create_subscription(TFMessage, "/tf_static", partial(self._hear, True), FOR_GOOD),
        ]
        super().__init__(node, tell, (self._navigate,))

    def take(self, message: Mapping[str, Any]) -> None:
        match message["op"]:
            case "go":
                self._navigate.send(int(message["id"]), self._place_goal(message["pose"]))
            case "velocity":
                self._steer(message["twist"])
            case "stands":
                self._initial.publish(self._initial_pose(message["pose"]))
            case "cancel":
                self.cancel(message)

    def cancel_all(self) -> None:
        super().cancel_all()
        if self._steered:
            self._steer((0.0, 0.0, 0.0))

    def close(self) -> None:
        super().close()
        for heard in self._heard:
            self._node.destroy_subscription(heard)

    def _steer(self, wanted: Iterable[float]) -> None:
        if self._velocity is None:
            return
        told = Twist()
        told.linear.x, told.linear.y, told.angular.z = map(float, wanted)
        self._steered = any((told.linear.x, told.linear.y, told.angular.z))
        self._steered_until = time.monotonic() + TWIST_SECONDS
        self._velocity.publish(told)

    def _place_goal(self, pose: Any) -> Any:
        goal = self._goal_type()
        goal.pose.header.frame_id = self._map
        goal.pose.header.stamp = self._node.get_clock().now().to_msg()
        _put(goal.pose.pose, pose)
        return goal

    def _initial_pose(self, pose: Any) -> PoseWithCovarianceStamped:
        told = PoseWithCovarianceStamped()
        told.header.frame_id, told.header.stamp = self._map, self._node.get_clock().now().to_msg()
        _put(told.pose.pose, pose)
        told.pose.covariance = [INITIAL.get(number, 0.0) for number in range(36)]
        return told

    def _hear(self, for_good: bool, told: TFMessage) -> None:
        now = time.monotonic()
        for one in told.transforms:
            moved, turned = one.transform.translation, one.transform.rotation
            pose = Pose2D(moved.x, moved.y, heading(turned.x, turned.y, turned.z, turned.w))
            self._transforms.take(
                one.child_frame_id,
                Link(one.header.frame_id, pose, math.inf if for_good else now, _seconds(one.header.stamp) or now),
            )

    def _measured(self, missing: list[str]) -> dict[str, Any]:
        if self._steered and time.monotonic() > self._steered_until:
            self._steer((0.0, 0.0, 0.0))
        place = self._transforms.place(self._base, self._map, time.monotonic())
        if place is None:
            missing.append(f"the transforms from {self._map} to {self._base}")
            return {}
        pose = [place.pose.x, place.pose.y, place.pose.theta]
        return {"pose": pose, "at": place.at, "stamp": place.stamp, "localised": place.localised}


def part_of(node: Node, join: Mapping[str, Any], tell: Tell) -> RosPart:
    """Return what heed-hw asks for. Raises KeyError, or LookupError where ROS lacks the types of its actions."""
    kinds: dict[str, Callable[[Node, Mapping[str, Any], Tell], RosPart]] = {"arm": ArmPart, "base": BasePart}
    try:
        return kinds[join["kind"]](node, join, tell)
    except ImportError as error:
        raise LookupError(
            f"this ROS lacks a package: {error}; apt install ros-jazzy-control-msgs ros-jazzy-nav2-msgs"
        ) from error


def actions_of(join: Mapping[str, Any]) -> list[str]:
    """Return the names of the actions that a part uses."""
    return [str(join[key]) for key in ("trajectory", "gripper", "navigate") if join.get(key)]


def _point(seconds: float, positions: list[float], velocities: list[float]) -> Any:
    after = Duration(seconds=seconds).to_msg()
    return JointTrajectoryPoint(positions=positions, velocities=velocities, time_from_start=after)


def _seconds(stamp: Any) -> float:
    return float(stamp.sec + stamp.nanosec * 1e-9)


def _put(into: Any, pose: Any) -> None:
    x, y, theta = map(float, pose)
    into.position.x, into.position.y = x, y
    into.orientation.z, into.orientation.w = math.sin(theta / 2), math.cos(theta / 2)
