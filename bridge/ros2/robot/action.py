"""Goals of heed-hw in one action of ROS, by their numbers. Needs rclpy."""

import threading
from functools import partial
from typing import Any

from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from rclpy.node import Node

from bridge.ros2.robot.connections import Tell

STATES = {
    GoalStatus.STATUS_SUCCEEDED: "succeeded",
    GoalStatus.STATUS_CANCELED: "canceled",
    GoalStatus.STATUS_ABORTED: "aborted",
}


class Action:
    """One action: heed-hw's goals in it, by their numbers, and the cancel of all there are."""

    def __init__(self, node: Node, kind: Any, name: str, tell: Tell) -> None:
        self.name = name
        self._client = ActionClient(node, kind, name)
        self._cancel = node.create_client(CancelGoal, f"{name}/_action/cancel_goal")
        self._tell = tell
        self._goals: dict[int, Any] = {}
        self._sent: set[int] = set()
        """Not answered yet."""
        self._cancelled: set[int] = set()
        self._lock = threading.Lock()

    @property
    def missing(self) -> bool:
        return not self._client.server_is_ready()

    def send(self, number: int, goal: Any) -> None:
        with self._lock:
            self._sent.add(number)
        self._client.send_goal_async(goal).add_done_callback(partial(self._answered, number))

    def cancel(self, number: int) -> None:
        with self._lock:
            handle = self._goals.get(number)
            if number in self._sent:
                self._cancelled.add(number)
        if handle is not None:
            handle.cancel_goal_async()

    def cancel_all(self) -> None:
        """Goals of others as well: zeros as id and stamp say so (action_msgs/CancelGoal)."""
        with self._lock:
            self._cancelled |= self._sent  # which ROS may take up only after the cancel
        self._cancel.call_async(CancelGoal.Request())

    def _answered(self, number: int, answered: Any) -> None:
        handle = answered.result()
        with self._lock:
            self._sent.discard(number)
            cancelled = number in self._cancelled
            self._cancelled.discard(number)
            if handle.accepted:
                self._goals[number] = handle
        if not handle.accepted:
            self._tell({"goal": number, "state": "rejected", "detail": f"{self.name} does not take it"})
            return
        handle.get_result_async().add_done_callback(partial(self._ended, number))
        if cancelled:
            handle.cancel_goal_async()

    def _ended(self, number: int, ended: Any) -> None:
        with self._lock:
            self._goals.pop(number, None)
        answer = ended.result()
        told = answer.result
        detail = getattr(told, "error_string", "") or getattr(told, "error_msg", "")
        if not detail and getattr(told, "error_code", None):
            detail = f"error {told.error_code}"
        stalled = bool(getattr(told, "stalled", False))
        self._tell(
            {"goal": number, "state": STATES.get(answer.status, "aborted"), "detail": detail, "stalled": stalled}
        )
