"""A base behind an action of ROS 2: what heed-hw tells a bridge, and what it makes of the answers. No ROS, no clock."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hw.description import load_description
from hw.device_faults import FaultCode
from hw.ros2.base import ActionBase
from hw.ros2.description import ActionBaseDescription
from hw.ros2.goals import NavigateGoal
from hw.state import GoalState, Lifecycle, Pose2D
from tests.hw.virtual import TICK

ROBOT = Path(__file__).parents[2] / "hw" / "robots" / "ros2.toml"
GOAL = Pose2D(1.0, 0.0, 0.0)


class RosBase:
    """A base of heed-hw's, and the bridge's end of its wire, with a clock that the test turns."""

    def __init__(self, folder: Path) -> None:
        description = load_description(ROBOT, folder).base
        assert isinstance(description, ActionBaseDescription)
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listening.bind(str(folder / "ros2.sock"))
        self._listening.listen()
        self.now, self.x, self.speed, self.late = 100.0, 0.0, 0.0, 0.0
        self.base = ActionBase(description, folder / "ros2.sock", 1.0)
        self.base.tick(self.now, TICK)
        self._wire, _ = self._listening.accept()
        self._wire.setblocking(False)

    def ready(self) -> "RosBase":
        self.advance(0.3)
        self.base.activate(self.now)
        return self

    def advance(self, seconds: float, telling: bool = True, goal: NavigateGoal | None = None) -> None:
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.x += self.speed * TICK
            if telling:
                self.tell(at=self.now, stamp=self.now - self.late, pose=[self.x, 0.0, 0.0], localised=True)
            self.base.receive(self.now)
            self.base.tick(self.now, TICK)
            if goal:
                goal.step(self.now, TICK)

    def tell(self, **packet: Any) -> None:
        self._wire.send(json.dumps(packet).encode())

    def told(self) -> list[dict[str, Any]]:
        """Return what has come, signs of life left out."""
        packets = []
        while True:
            try:
                packets.append(json.loads(self._wire.recv(1 << 17)))
            except BlockingIOError:
                return [packet for packet in packets if packet["op"] != "alive"]

    def faults(self) -> list[FaultCode]:
        return [trouble.code for trouble in self.base.troubles]

    def close(self) -> None:
        self.base.close()
        self._wire.close()
        self._listening.close()


@pytest.fixture
def ros(tmp_path: Path) -> Iterator[RosBase]:
    with closing(RosBase(tmp_path)) as made:
        yield made


def test_it_is_ready_once_ros_tells_where_it_is(ros: RosBase) -> None:
    ros.advance(0.2, telling=False)
    assert ros.base.lifecycle is Lifecycle.UNCONFIGURED
    ros.advance(0.2)
    assert ros.base.lifecycle is Lifecycle.INACTIVE
    (join,) = ros.told()
    assert (join["op"], join["kind"], join["navigate"]) == ("join", "base", "/navigate_to_pose")


def test_a_goal_is_given_once_and_arrives_where_it_is_measured_to_be(ros: RosBase) -> None:
    goal = NavigateGoal(ros.ready().base, GOAL, ())
    ros.speed = 0.5
    ros.advance(2.0, goal=goal)
    ros.speed = 0.0
    (given,) = [packet for packet in ros.told() if packet["op"] == "go"]
    ros.tell(goal=given["id"], state="succeeded")
    ros.advance(0.3, goal=goal)
    assert goal.state is GoalState.SUCCEEDED


def test_a_goal_that_ros_calls_reached_elsewhere_is_not(ros: RosBase) -> None:
    goal = NavigateGoal(ros.ready().base, GOAL, ())
    (given,) = [packet for packet in ros.told() if packet["op"] == "go"]
    ros.tell(goal=given["id"], state="succeeded")
    ros.advance(0.3, goal=goal)
    assert goal.state is GoalState.ABORTED


def test_a_stop_cancels_whatever_anybody_asked_for(ros: RosBase) -> None:
    ros.ready().told()
    assert ros.base.stop()
    assert {"op": "cancel"} in ros.told()


def test_a_base_that_is_faster_than_it_may_be_is_a_fault(ros: RosBase) -> None:
    ros.ready().speed = 2.0
    ros.advance(1.0)
    assert FaultCode.LIMIT_MISMATCH in ros.faults()


def test_messages_that_catch_up_make_no_base_fast(ros: RosBase) -> None:
    ros.ready().speed = 0.7
    ros.late = 0.8
    ros.advance(0.5)
    for _ in range(80):
        ros.late -= TICK
        ros.x += ros.speed * TICK
        ros.advance(TICK)
    assert ros.faults() == []


def test_a_ros_that_falls_silent_is_a_fault(ros: RosBase) -> None:
    ros.ready().advance(1.2, telling=False)
    assert ros.faults() == [FaultCode.COMM_TIMEOUT]
