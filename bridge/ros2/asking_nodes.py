"""What asks heed for something: words and skills as actions, words as topics, and the stop."""

import json
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node
from std_msgs.msg import Empty, String
from std_srvs.srv import Trigger

from bridge.ros2.asked import Asked, Ended, Progress, call_of, in_words
from bridge.ros2.links import stop
from daemon.service.control import CommandError, Message
from hw.state import HardwareError

try:
    from heed_interfaces.action import CallSkill, Request
except ImportError:
    CallSkill = Request = None

GOALS = 4
"""Of one action, open at the same time: as many as heed takes. Each has a thread of the executor."""
LOOK_SECONDS = 0.1
BEAT_SECONDS = 0.5
STOP_REASON = "a ROS 2 node said stop"


class Requests:
    """Has heed do what is asked, each in a thread of whoever calls, and can cancel every one of them."""

    def __init__(self, runtime: Path) -> None:
        self._runtime = runtime
        self._open: dict[bytes, Asked] = {}
        self._cancelled: set[bytes] = set()
        self._lock = threading.Lock()

    @property
    def full(self) -> bool:
        return len(self._open) >= GOALS

    def carry_out(self, key: bytes, command: Callable[[], Message], told: Callable[[Progress], None]) -> Ended:
        """Ask heed, tell how it goes on, and return how it ended; `key` is for cancel()."""
        try:
            asked = Asked(self._runtime, command())
        except CommandError as error:
            return Ended("aborted", error=str(error), hint=error.hint)
        with closing(asked):
            self._begin(key, asked)
            try:
                while not isinstance(news := asked.next(LOOK_SECONDS), Ended):
                    if news is not None:
                        told(news)
                return news
            finally:
                self._forget(key)

    def cancel(self, key: bytes) -> None:
        """Brake what is done for this request, also where it begins only now."""
        with self._lock:
            self._cancelled.add(key)
            asked = self._open.get(key)
        if asked is not None:
            asked.cancel()

    def cancel_all(self) -> None:
        with self._lock:
            keys = list(self._open)
        for key in keys:
            self.cancel(key)

    def _begin(self, key: bytes, asked: Asked) -> None:
        with self._lock:
            self._open[key] = asked
            cancelled = key in self._cancelled
        if cancelled:
            asked.cancel()

    def _forget(self, key: bytes) -> None:
        with self._lock:
            self._open.pop(key, None)
            self._cancelled.discard(key)


class ActionRequests:
    """One action, whose goals heed carries out; needs heed_interfaces."""

    def __init__(self, node: Node, runtime: Path, kind: Any, name: str, command: Callable[[Any], Message]) -> None:
        """`kind` is the action's type; `command` returns what a goal asks of heed, or raises CommandError."""
        self._requests, self._kind, self._command = Requests(runtime), kind, command
        self._server = ActionServer(
            node, kind, name, self._carry_out,
            goal_callback=self._take, cancel_callback=self._cancel, callback_group=ReentrantCallbackGroup(),
        )  # fmt: skip

    def _take(self, goal: Any) -> GoalResponse:
        return GoalResponse.REJECT if self._requests.full else GoalResponse.ACCEPT

    def _cancel(self, goal: Any) -> CancelResponse:
        self._requests.cancel(bytes(goal.goal_id.uuid))
        return CancelResponse.ACCEPT

    def _carry_out(self, goal: Any) -> Any:
        def told(progress: Progress) -> None:
            goal.publish_feedback(self._kind.Feedback(doing=progress.doing, remaining=progress.remaining))

        key, command = bytes(goal.goal_id.uuid), partial(self._command, goal.request)
        ended = self._requests.carry_out(key, command, told)
        if ended.outcome == "succeeded":
            goal.succeed()
        elif ended.outcome == "canceled" and goal.is_cancel_requested:
            goal.canceled()
        else:
            goal.abort()  # ROS knows no goal that somebody else has cancelled
        return self._result(ended)

    def _result(self, ended: Ended) -> Any:
        known = asdict(ended)
        return self._kind.Result(**{name: known[name] for name in self._kind.Result.get_fields_and_field_types()})


class StringRequests:
    """The same with std_msgs alone: words on `request`, how each ended as JSON on `result`, and `cancel` for all."""

    def __init__(self, node: Node, runtime: Path) -> None:
        self._requests = Requests(runtime)
        self._result = node.create_publisher(String, "result", 10)
        group = ReentrantCallbackGroup()
        node.create_subscription(String, "request", self._take, 10, callback_group=group)
        node.create_subscription(Empty, "cancel", lambda _: self._requests.cancel_all(), 10, callback_group=group)
        node.get_logger().info(
            "heed_interfaces is not built, or is old: words are taken on the topic `request`, no actions (docs/ros2.md)"
        )

    def _take(self, told: Any) -> None:
        if self._requests.full:
            ended = Ended("aborted", error=f"{GOALS} requests wait already", hint="wait until one has ended")
        else:
            key, command = id(told).to_bytes(8, "big"), partial(in_words, told.data)
            ended = self._requests.carry_out(key, command, lambda progress: None)
        self._result.publish(String(data=json.dumps({"words": told.data} | asdict(ended))))


class StopNode(Node):
    """The stop, as a service and as a topic: a node and an executor of its own, so that nothing comes before it."""

    def __init__(self, runtime: Path, name: str, beat: Callable[[], None]) -> None:
        """`name` is the namespace; `beat` is called while it lives."""
        super().__init__("stop", namespace=name)
        self._runtime = runtime
        self.create_service(Trigger, "stop", self._answer)
        self.create_subscription(Empty, "stop", self._hear, 10)
        self.create_timer(BEAT_SECONDS, beat)

    def _answer(self, request: Any, response: Any) -> Any:
        try:
            response.success, response.message = True, json.dumps(asdict(stop(self._runtime, STOP_REASON)))
        except HardwareError as error:
            response.success, response.message = False, str(error)
        return response

    def _hear(self, told: Any) -> None:
        try:
            stop(self._runtime, STOP_REASON)
        except HardwareError as error:
            self.get_logger().error(str(error))


def serve_requests(node: Node, runtime: Path) -> None:
    """Take requests in words and calls of skills as actions where heed_interfaces is built, else words as topics."""
    if Request is None:
        StringRequests(node, runtime)
        return
    ActionRequests(node, runtime, Request, "request", lambda goal: in_words(goal.words, goal.user))
    ActionRequests(node, runtime, CallSkill, "skill", lambda goal: call_of(goal.skill, goal.arguments, goal.user))
