"""The timeless robot does what the real one would be asked to do."""

from pathlib import Path

import pytest

from hw.description import load_description
from hw.state import GoalState, HardwareError, Pose2D, Standstill, StoppedError, UnreachableError
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene

ROOT = Path(__file__).parents[2]


@pytest.fixture
def robot() -> RehearsalRobot:
    return RehearsalRobot(
        Scene.load(ROOT / "sim/scenes/kitchen.toml"),
        load_description(ROOT / "hw/robots/sim.toml", Path("/nowhere")),
    )


def place(robot: RehearsalRobot, name: str) -> dict:
    return next(entry for entry in robot.observe()["locations"] if entry["name"] == name)


def thing(robot: RehearsalRobot, name: str) -> dict:
    return next(entry for entry in robot.observe()["objects"] if entry["name"] == name)


def reach(robot: RehearsalRobot, arm: str, point: list[float], back: float = 0.0) -> None:
    x, y = robot.state().base.to_local(point[0], point[1])
    assert robot.move_tip(arm, x - back, y, point[2]).wait().state is GoalState.SUCCEEDED


def test_the_juice_comes_out_of_the_fridge_and_to_the_person(robot: RehearsalRobot) -> None:
    robot.drive_to(*place(robot, "fridge")["approach"])
    handle = place(robot, "fridge")["handle"]
    robot.grip("right", 0.09)
    reach(robot, "right", handle)
    robot.grip("right", 0.0)
    reach(robot, "right", handle, back=0.2)
    robot.grip("right", 0.09)
    assert place(robot, "fridge")["door"] == "open"
    reach(robot, "right", thing(robot, "juice")["position"])
    robot.grip("right", 0.0)
    assert thing(robot, "juice")["held_by"] == "right"
    robot.drive_to(*place(robot, "person")["approach"])
    reach(robot, "right", place(robot, "person")["surface"])
    robot.grip("right", 0.09)
    assert thing(robot, "juice")["location"] == "person"


def test_the_body_starts_folded_and_where_the_scene_puts_it(robot: RehearsalRobot) -> None:
    state = robot.state()
    assert state.base == Pose2D(0.0, 0.0, 0.0)
    assert set(state.arms) == {"left", "right"}
    assert state.arms["left"].tip.x < 0.45


def test_a_hand_around_a_thing_feels_it(robot: RehearsalRobot) -> None:
    robot.drive_to(*place(robot, "table")["approach"])
    robot.grip("left", 0.09)
    reach(robot, "left", thing(robot, "apple")["position"])
    robot.grip("left", 0.0)
    arm = robot.state().arms["left"]
    assert arm.gripper == pytest.approx(0.05)
    assert arm.gripper_effort > 0


def test_what_is_out_of_reach_is_refused_with_a_hint(robot: RehearsalRobot) -> None:
    with pytest.raises(UnreachableError, match="hint"):
        robot.move_tip("left", 2.0, 0.0, 0.8)


def test_a_request_beyond_the_limits_is_carried_out_within_them_and_says_so(robot: RehearsalRobot) -> None:
    result = robot.grip("left", 1.0).wait()
    assert result.clamped == ("gripper clamped from 1.000 to 0.090",)
    assert robot.state().arms["left"].gripper == pytest.approx(0.09)


def test_a_stop_refuses_every_motion_until_it_is_cleared(robot: RehearsalRobot) -> None:
    assert robot.stop("stop word").standstill is Standstill.TRUE
    assert robot.state().stopped == "stop word"
    for motion in (
        lambda: robot.move_joints("left", [0.0] * 6),
        lambda: robot.move_tip("left", 0.5, 0.1, 0.8),
        lambda: robot.grip("left", 0.0),
        lambda: robot.drive_to(1.0, 0.0, 0.0),
    ):
        with pytest.raises(StoppedError, match="stop word"):
            motion()
    assert robot.state().base == Pose2D(0.0, 0.0, 0.0)
    robot.clear_stop(by="a person")
    with pytest.raises(HardwareError, match="activate"):
        robot.drive_to(1.0, 0.0, 0.0)
    robot.activate()
    robot.drive_to(1.0, 0.0, 0.0)
    assert robot.state().base.x == 1.0


@pytest.mark.parametrize("joints", [[0.0] * 5, [float("nan")] * 6, ["a"] * 6])
def test_joints_that_make_no_sense_are_refused(robot: RehearsalRobot, joints: list) -> None:
    with pytest.raises(UnreachableError):
        robot.move_joints("left", joints)


def test_a_paused_robot_waits_for_resume(robot: RehearsalRobot) -> None:
    robot.pause()
    with pytest.raises(HardwareError, match="resume"):
        robot.grip("left", 0.05)
    robot.resume()
    robot.grip("left", 0.05)


def test_an_unknown_arm_is_answered_with_the_known_ones(robot: RehearsalRobot) -> None:
    with pytest.raises(HardwareError, match="use one of left, right"):
        robot.grip("middle", 0.0)
