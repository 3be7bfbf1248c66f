"""A robot that runs ROS 2 as heed's body: its own nodes, the bridge to it, heed, the bridge of words, and a client."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median

import pytest

from daemon.service.control import CommandError
from hw.client import Goal, Robot
from tests.ros2.processes import CANCELED, ROOT, SUCCEEDED, Bridge, Client, Heed, Process, moved_in, moves, set_off
from tests.support.waiting import until

pytestmark = pytest.mark.slow
DELAYS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1) * 2
"""Seconds after the robot began to move."""
ROBOT = ROOT / "hw" / "robots" / "ros2.toml"
SCENE = """
[robot]
location = "middle"
[[locations]]
name = "middle"
kind = "spot"
approach = [0.0, 0.0, 0.0]
[[locations]]
name = "sink"
kind = "surface"
approach = [1.2, 1.0, 0.0]
height = 0.75
[[locations]]
name = "person"
kind = "person"
approach = [-1.1, 0.0, 3.1416]
[objects.juice]
category = "drink"
location = "sink"
"""


class RosRobot(Process):
    """The robot's own nodes."""

    def __init__(self, folder: Path) -> None:
        scene = folder / "scene.toml"
        scene.write_text(SCENE)
        command = [sys.executable, "-m", "tests.ros2.robot_node", str(ROBOT), str(scene)]
        super().__init__(command, dict(os.environ), folder / "robot.log")

    def count(self, line: str) -> int:
        """Return how many lines of its log begin so."""
        return sum(one.startswith(line) for one in self.log.read_text().splitlines())


class RobotBridge(Process):
    """The two processes between heed-hw and ROS."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "bridge.ros2.robot", "--runtime", str(folder / "run")]
        super().__init__(command, dict(os.environ), folder / "robot-bridge.log")


class Whole:
    """All of them."""

    def __init__(self, robot: RosRobot, bridge: RobotBridge, heed: Heed, folder: Path) -> None:
        self.robot, self.bridge, self.heed, self.folder = robot, bridge, heed, folder


@pytest.fixture
def whole(client: Client, tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Whole]:
    place = folder / f"robot{time.monotonic_ns() % 10000}"
    place.mkdir()
    with ExitStack() as stack:
        robot = stack.enter_context(closing(RosRobot(place)))
        (place / "run").mkdir()
        bridge = stack.enter_context(closing(RobotBridge(place)))
        until(lambda: (place / "run" / "ros2.sock").exists())
        heed = stack.enter_context(closing(Heed(place, eyes="socket", robot=str(ROBOT))))
        heed.wait_ready()
        stack.enter_context(closing(Bridge(place, "--map-frame", "map", "--no-tf")))
        client.wait_bridge()
        yield Whole(robot, bridge, heed, place)


def test_a_robot_behind_three_actions_fetches_the_juice(whole: Whole, client: Client) -> None:
    until(lambda: "juice" in str(whole.heed.ask("eyes")))
    goal = client.ask("bring me the juice")
    assert goal is not None
    status, result = goal.wait()
    print(f"\n{result}", whole.robot.log.read_text())
    assert status == SUCCEEDED, result
    assert whole.robot.count("done /navigate_to_pose") >= 2
    assert whole.robot.count("goal /left_arm") + whole.robot.count("goal /right_arm") > 3
    assert "juice" in " ".join(result.did)


def test_what_is_stopped_is_cancelled_in_ros(whole: Whole) -> None:
    with Robot(whole.heed.runtime) as robot:
        goal = robot.drive_to(1.5, -1.0, 1.0)
        until(moves(whole.heed.runtime))
        began = time.monotonic()
        report = robot.stop("the test")
        print(f"\nstop: told to the bridge after {1000 * (report.frame_sent_at - began):.1f} ms, {report.standstill}")
        assert report.standstill == "true"
        assert goal.wait(10).state == "aborted"
    until(lambda: whole.robot.count("canceled /navigate_to_pose") == 1)
    assert moved_in(whole.heed.runtime, 0.3) < 0.006


def test_goals_in_words_that_are_cancelled_in_motion_are_cancelled_in_ros(whole: Whole, client: Client) -> None:
    """From a client of ROS through heed to the robot's own action, and the way back."""
    took = []
    for number, delay in enumerate(DELAYS):
        goal = set_off(whole.heed, client, ("go to the sink", "go to the person")[number % 2])
        time.sleep(delay)
        asked = time.monotonic()
        goal.cancel()
        assert goal.wait()[0] == CANCELED
        took.append(1000 * (time.monotonic() - asked))
        assert moved_in(whole.heed.runtime, 0.3) < 0.006
        whole.heed.reset()
    assert whole.robot.count("canceled /navigate_to_pose") == len(DELAYS)
    print(f"\ncancelled in motion: {len(took)} of {len(DELAYS)}, p50 {median(took):.0f} ms, max {max(took):.0f} ms")


def drives(robot: Robot) -> Goal:
    return robot.drive_to(1.5, -1.0, 1.0)


def moves_an_arm(robot: Robot) -> Goal:
    shoulder, *others = robot.state().arms["right"].joints
    return robot.move_joints("right", [shoulder + 0.8, *others], speed=0.3)


BEGUN: dict[str, Callable[[Robot], Goal | None]] = {"idle": lambda robot: None, "arm": moves_an_arm, "base": drives}


@pytest.mark.parametrize("state", [*BEGUN, "canceling", "paused", "stopped"])
def test_a_robot_bridge_that_is_killed_in_any_state_leaves_the_robot_at_rest_and_may_come_back(
    whole: Whole, state: str
) -> None:
    with Robot(whole.heed.runtime) as robot:
        goal = BEGUN.get(state, drives)(robot)
        if goal is not None:
            until(moves(whole.heed.runtime))
        if state == "canceling":
            goal.cancel()
        elif state == "paused":
            robot.pause()
        elif state == "stopped":
            robot.stop("the test")
        os.kill(whole.bridge.child("--worker"), signal.SIGKILL)
        assert whole.bridge.wait() == 1  # its guard ends with it, and systemd would start both
        until(lambda: robot.state().stopped)
        assert goal is None or goal.wait(10).state in ("aborted", "canceled")
        until(lambda: not moves(whole.heed.runtime)())
        with closing(RobotBridge(whole.folder)):
            until(lambda: is_resumed(whole.heed))
            assert robot.drive_to(0.0, 0.5, 0.0).wait(30).state == "succeeded"


def is_resumed(heed: Heed) -> bool:
    """Say "go on", and return whether the robot may move: not before its bridge is there."""
    try:
        heed.ask("resume", by="the test")
    except CommandError:
        return False
    with Robot(heed.runtime) as robot:
        state = robot.state()
    return not state.stopped and set(state.lifecycle.values()) == {"active"}


@pytest.mark.parametrize("which", ["worker", "guard", "hang", "heed-hw"])
def test_whoever_dies_or_hangs_the_robot_comes_to_rest(whole: Whole, which: str) -> None:
    robot = Robot(whole.heed.runtime)
    goal = robot.drive_to(1.5, -1.0, 1.0)
    until(moves(whole.heed.runtime))
    began = time.monotonic()
    if which == "worker":
        os.kill(whole.bridge.child("--worker"), signal.SIGKILL)
    elif which == "guard":
        whole.bridge.signal(signal.SIGKILL)
    elif which == "hang":
        os.kill(whole.bridge.child("--worker"), signal.SIGSTOP)
    else:
        os.kill(whole.heed.child("hw.server"), signal.SIGKILL)
    until(lambda: whole.robot.count("canceled /navigate_to_pose") == 1)
    print(f"\n{which}: cancelled in ROS after {time.monotonic() - began:.2f} s")
    if which == "heed-hw":
        return
    result = goal.wait(10)
    assert result.state == "aborted"
    until(lambda: "ROS" in str(robot.state().stopped))
    robot.close()
