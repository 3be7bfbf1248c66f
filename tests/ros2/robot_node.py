"""A robot that runs ROS 2, without metal: `python -m tests.ros2.robot_node robot.toml scene.toml`.

Arms behind FollowJointTrajectory and GripperCommand, a base behind NavigateToPose, joint states, transforms, and eyes
that tell heed's bridge what they see. Nothing of heed moves it but by these. It prints what came, a line each.
"""

import json
import math
import sys
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import rclpy
from action_msgs.msg import GoalStatus
from control_msgs.action import FollowJointTrajectory, GripperCommand
from geometry_msgs.msg import TransformStamped, Twist
from nav2_msgs.action import NavigateToPose
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from hw.kinematics import Arm
from hw.state import Pose2D
from sim.scene import Scene

TICK = 0.01
SPEED, TURN = 0.6, 1.5
"""Metres and radians per second of the base on its way."""
FINGERS = 0.18
EYES_SECONDS = 0.1


class SimulatedArm:
    """Joints that follow a trajectory, and fingers that close until something is between them."""

    def __init__(self, name: str, table: dict[str, Any], scene: Scene) -> None:
        self.name, self._scene = name, scene
        self._kinematics = Arm.from_description(table, name)
        self.joints = [f"{name}_{joint['name']}" for joint in table["arms"][name]["joints"]]
        self.at = list(self._kinematics.home)
        self.finger = f"{name}_finger_joint"
        self._points: list[tuple[float, list[float]]] = []
        self._began = 0.0
        self._wanted: float | None = None
        self.show()

    @property
    def opening(self) -> float:
        return self._scene.opening(self.name)

    @property
    def moves(self) -> bool:
        return bool(self._points)

    @property
    def grips(self) -> bool:
        return self._wanted is not None

    def follow(self, points: list[tuple[float, list[float]]]) -> None:
        self._points, self._began = [(0.0, list(self.at)), *points], time.monotonic()

    def grip(self, opening: float) -> None:
        self._wanted = opening

    def halt(self) -> None:
        self._points = []

    def let_be(self) -> None:
        self._wanted = None

    def step(self) -> None:
        if self._points:
            self._along(time.monotonic() - self._began)
        if self._wanted is not None:
            self._close(self._wanted)

    def _along(self, seconds: float) -> None:
        later = next((n for n, (at, _) in enumerate(self._points) if at > seconds), None)
        if later is None:
            self.at, self._points = list(self._points[-1][1]), []
        else:
            (t0, a), (t1, b) = self._points[later - 1], self._points[later]
            share = (seconds - t0) / (t1 - t0)
            self.at = [x + share * (y - x) for x, y in zip(a, b, strict=True)]
        self.show()

    def _close(self, wanted: float) -> None:
        before = self.opening
        way = min(max(wanted - before, -FINGERS * TICK), FINGERS * TICK)
        self._scene.set_gripper(self.name, before + way)
        if abs(self.opening - wanted) < 1e-4 or abs(self.opening - before) < 1e-6:
            self._wanted = None

    def show(self) -> None:
        self._scene.set_tip(self.name, self._kinematics.fk(self.at))


class SimulatedBase:
    """Turns, drives straight, turns; or follows a velocity."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.goal: Pose2D | None = None
        self.twist = (0.0, 0.0)

    def step(self) -> None:
        if self.goal is not None:
            self._towards(self.goal)
        elif any(self.twist):
            self._move(self.twist[0] * TICK, self.twist[1] * TICK)

    def _towards(self, goal: Pose2D) -> None:
        at = self._scene.base
        ahead, aside = at.to_local(goal.x, goal.y)
        left = math.hypot(ahead, aside)
        angle = math.atan2(aside, ahead) if left > 0.01 else math.remainder(goal.theta - at.theta, math.tau)
        if abs(angle) > 0.01:
            self._move(0.0, min(max(angle, -TURN * TICK), TURN * TICK))
        elif left > 0.01:
            self._move(min(left, SPEED * TICK), 0.0)
        else:
            self.goal = None

    def _move(self, ahead: float, turn: float) -> None:
        at = self._scene.base
        x, y = at.to_map(ahead, 0.0)
        self._scene.set_base(Pose2D(x, y, math.remainder(at.theta + turn, math.tau)))


class RobotNode(Node):
    """The robot's own nodes, in one."""

    def __init__(self, table: dict[str, Any], scene: Scene) -> None:
        super().__init__("robot")
        self._scene, self._lock = scene, threading.Lock()
        self.arms = {name: SimulatedArm(name, table, scene) for name in table["arms"]}
        self.base = SimulatedBase(scene)
        group = ReentrantCallbackGroup()
        for name, arm in self.arms.items():
            section = table["arms"][name]
            self._serve(FollowJointTrajectory, section["trajectory"], self._following(arm), group)
            self._serve(GripperCommand, section["gripper"]["action"], self._gripping(arm), group)
        self._serve(NavigateToPose, table["base"]["navigate"], self._navigate, group)
        self._states = self.create_publisher(JointState, "/joint_states", 10)
        self._tf = self.create_publisher(TFMessage, "/tf", 100)
        self._objects = self.create_publisher(MarkerArray, "/heed/see/objects", 10)
        self._people = self.create_publisher(MarkerArray, "/heed/see/people", 10)
        self._lines = self.create_publisher(String, "/heed/see/line", 10)
        self.create_subscription(Twist, "/cmd_vel", self._steer, 1)
        self.create_timer(TICK, self._step)
        self.create_timer(2 * TICK, self._tell)
        self.create_timer(EYES_SECONDS, self._see)

    def _serve(self, kind: Any, name: str, carry_out: Any, group: Any) -> None:
        def told(goal: Any) -> Any:
            print(f"goal {name}", flush=True)
            result = carry_out(goal)
            print(f"{'canceled' if goal.status == GoalStatus.STATUS_CANCELED else 'done'} {name}", flush=True)
            return result

        take = lambda goal: CancelResponse.ACCEPT  # noqa: E731
        ActionServer(self, kind, name, told, cancel_callback=take, callback_group=group)

    def _following(self, arm: SimulatedArm) -> Any:
        def carry_out(goal: Any) -> Any:
            points = [(_seconds(p.time_from_start), list(p.positions)) for p in goal.request.trajectory.points]
            arm.follow(points)
            self._wait(goal, lambda: arm.moves, arm.halt)
            return FollowJointTrajectory.Result()

        return carry_out

    def _gripping(self, arm: SimulatedArm) -> Any:
        def carry_out(goal: Any) -> Any:
            wanted = goal.request.command.position
            arm.grip(wanted)
            self._wait(goal, lambda: arm.grips, arm.let_be)
            reached = abs(arm.opening - wanted) < 0.001
            return GripperCommand.Result(position=arm.opening, stalled=not reached, reached_goal=reached)

        return carry_out

    def _navigate(self, goal: Any) -> Any:
        pose = goal.request.pose.pose
        theta = 2 * math.atan2(pose.orientation.z, pose.orientation.w)
        self.base.goal = Pose2D(pose.position.x, pose.position.y, theta)
        self._wait(goal, lambda: self.base.goal is not None, lambda: setattr(self.base, "goal", None))
        return NavigateToPose.Result()

    def _wait(self, goal: Any, under_way: Any, halt: Any) -> None:
        while under_way():
            if goal.is_cancel_requested:
                halt()
                goal.canceled()
                return
            time.sleep(TICK)
        goal.succeed()

    def _steer(self, told: Twist) -> None:
        self.base.twist = (told.linear.x, told.angular.z)

    def _step(self) -> None:
        with self._lock:
            self.base.step()
            for arm in self.arms.values():
                arm.step()

    def _tell(self) -> None:
        told = JointState()
        told.header.stamp = self.get_clock().now().to_msg()
        told.name = [name for arm in self.arms.values() for name in (*arm.joints, arm.finger)]
        told.position = [at for arm in self.arms.values() for at in (*arm.at, arm.opening)]
        self._states.publish(told)
        base = self._scene.base
        links = (("map", "odom", Pose2D()), ("odom", "base_link", base))
        self._tf.publish(TFMessage(transforms=[_link(*link, told.header.stamp) for link in links]))

    def _see(self) -> None:
        with self._lock:
            seen = self._scene.observe()
        now = self.get_clock().now().to_msg()
        things = [_marker(one["name"], one["category"], one["position"], now) for one in seen["objects"]]
        self._objects.publish(MarkerArray(markers=things))
        people = [place for place in seen["locations"] if place["kind"] == "person"]
        stand = [(*Pose2D(*place["approach"]).to_map(0.6, 0.0), 1.5) for place in people]
        self._people.publish(MarkerArray(markers=[_marker("person", "", at, now) for at in stand]))
        places = [
            {"name": place["name"], "kind": place["kind"], "position": place["surface"], "yaw": _front(place)}
            for place in seen["locations"]
            if place["kind"] == "surface" and place["surface"]
        ]
        line = {"v": 1, "type": "places", "at": time.time(), "frame": "map", "places": places}
        self._lines.publish(String(data=json.dumps(line)))


def _front(place: dict[str, Any]) -> float:
    return math.remainder(place["approach"][2] + math.pi, math.tau)


def _marker(name: str, kind: str, at: Any, now: Any) -> Marker:
    told = Marker(ns=kind, text=name)
    told.header.frame_id, told.header.stamp = "map", now
    told.pose.position.x, told.pose.position.y, told.pose.position.z = map(float, at)
    return told


def _link(parent: str, child: str, pose: Pose2D, now: Any) -> TransformStamped:
    told = TransformStamped(child_frame_id=child)
    told.header.frame_id, told.header.stamp = parent, now
    told.transform.translation.x, told.transform.translation.y = pose.x, pose.y
    told.transform.rotation.z, told.transform.rotation.w = math.sin(pose.theta / 2), math.cos(pose.theta / 2)
    return told


def _seconds(duration: Any) -> float:
    return float(duration.sec + duration.nanosec * 1e-9)


def main() -> None:
    table = tomllib.loads(Path(sys.argv[1]).read_text())
    scene = Scene.load(Path(sys.argv[2]))
    rclpy.init()
    executor = MultiThreadedExecutor(8)
    executor.add_node(RobotNode(table, scene))
    executor.spin()


if __name__ == "__main__":
    main()
