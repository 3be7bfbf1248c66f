"""Watches the process that gives the robot its goals: where that dies or hangs, they are cancelled from here.

A goal of ROS 2 goes on when its client has died, and nobody else would end it. So this process has a node of its own,
which has found the actions before they are needed.
"""

import json
import os
import select
import subprocess
import sys
import time
from typing import Any

import rclpy
from action_msgs.srv import CancelGoal
from geometry_msgs.msg import Twist
from rclpy.node import Node

ANSWERED_WITHIN = 1.0
"""Seconds that the cancel may take to be answered."""
LATE_GOALS = 0.2
"""Seconds after which all is cancelled again: ROS may take up what was on its way."""
STARTS_WITHIN = 30.0
"""Seconds until the first sign of life: rclpy is slow to load from a card."""


class Guard:
    """What has to be ended when the other process ends."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._cancels: dict[str, Any] = {}
        self._velocities: dict[str, Any] = {}

    def know(self, told: dict[str, list[str]]) -> None:
        """Find the actions, and topics of velocities, that the other process uses from now on."""
        for name in told.get("actions", ()):
            if name not in self._cancels:
                self._cancels[name] = self._node.create_client(CancelGoal, f"{name}/_action/cancel_goal")
        for name in told.get("velocities", ()):
            if name not in self._velocities:
                self._velocities[name] = self._node.create_publisher(Twist, name, 1)

    def breathe(self) -> None:
        rclpy.spin_once(self._node, timeout_sec=0.0)

    def cancel_all(self) -> None:
        """End every goal of these actions, and tell the base to stand."""
        calls = [client.call_async(CancelGoal.Request()) for client in self._cancels.values()]
        for publisher in self._velocities.values():
            publisher.publish(Twist())
        ends = time.monotonic() + ANSWERED_WITHIN
        while time.monotonic() < ends and not all(call.done() for call in calls):
            rclpy.spin_once(self._node, timeout_sec=0.02)


def watch(worker: subprocess.Popen[bytes], patience: float, ended: Any) -> int:
    """Return the exit status once `ended` is set, or once the worker has died or been silent for `patience` seconds."""
    guard = Guard(rclpy.create_node("heed_robot_guard"))
    assert worker.stdout is not None
    beats = worker.stdout.fileno()
    rest, silent_at = b"", time.monotonic() + STARTS_WITHIN
    while not ended.is_set():
        ready, _, _ = select.select([beats], [], [], 0.05)
        if ready:
            data = os.read(beats, 65536)
            if not data:
                return _end(guard, worker, "has died")
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                guard.know(json.loads(line))
            silent_at = time.monotonic() + patience
        elif time.monotonic() > silent_at:
            return _end(guard, worker, "has been silent for too long")
        guard.breathe()
    worker.terminate()
    guard.cancel_all()
    worker.wait(5)
    return 0


def _end(guard: Guard, worker: subprocess.Popen[bytes], how: str) -> int:
    worker.kill()
    guard.cancel_all()
    time.sleep(LATE_GOALS)
    guard.cancel_all()
    print(f"heed-ros2-robot: the bridge {how}; its goals are cancelled, and it ends", file=sys.stderr, flush=True)
    worker.wait(5)
    return 1
