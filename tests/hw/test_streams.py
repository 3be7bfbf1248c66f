"""Driving and jogging: what goes on only while it is asked for."""

import math

import pytest

from tests.hw.virtual import TICK, VirtualRobot

STRETCHED = [0.3, 0.4, 0.5, 0.2, 0.1, -0.2]


@pytest.fixture
def robot() -> VirtualRobot:
    return VirtualRobot().activated()


def keep(robot: VirtualRobot, seconds: float, op: str, **parameters: object) -> int:
    """Ask for the same again in every second tick; the goal that runs."""
    goal = 0
    for _ in range(round(seconds / TICK / 2)):
        goal = robot.goal(op, **parameters)
        robot.advance(2 * TICK)
    return goal


def test_a_twist_that_is_kept_up_drives_and_one_that_is_not_ends_in_zero_velocity(robot: VirtualRobot) -> None:
    goal = keep(robot, 1.0, "drive", forward=0.4, turn=0.0)
    assert robot.drive.pose.x > 0.2
    robot.advance(0.15)
    assert robot.velocities_sent()[-1][1] != 0.0
    robot.advance(0.1)
    assert robot.velocities_sent()[-2:] == [(0, 0.0), (1, 0.0)]
    assert robot.news[goal]["state"] == "aborted"
    state = robot.ask("state")
    assert [fault["code"] for fault in state["faults"]] == ["COMMAND_STALE"]
    assert state["stopped"] is None


def test_a_twist_runs_as_one_goal_and_ends_well_after_zero(robot: VirtualRobot) -> None:
    first = robot.goal("drive", forward=0.4, turn=0.5)
    assert keep(robot, 0.5, "drive", forward=0.4, turn=0.5) == first
    assert keep(robot, 1.5, "drive", forward=0, turn=0) == first
    assert robot.finish(first)["state"] == "succeeded"


def test_a_twist_beyond_the_limits_is_clamped_and_told(robot: VirtualRobot) -> None:
    answer = robot.ask("drive", forward=9, turn=-9)
    assert answer["clamped"] == ("forward clamped from 9.000 to 0.800", "turn clamped from -9.000 to -2.000")


@pytest.mark.parametrize("ttl", [0, -1, 5, math.nan, None])
def test_a_command_that_would_live_for_long_is_refused(robot: VirtualRobot, ttl: object) -> None:
    assert robot.ask("drive", forward=0.1, turn=0, ttl=ttl)["kind"] == "limit"


def test_two_hands_on_the_wheel_are_refused(robot: VirtualRobot) -> None:
    robot.goal("drive", forward=0.1, turn=0)
    answers: list[dict] = []
    robot.request({"op": "drive", "forward": -0.1, "turn": 0}, object(), answers.append)
    assert "busy" in answers[0]["message"]


def test_a_stop_ends_a_stream_and_the_next_command_is_refused(robot: VirtualRobot) -> None:
    keep(robot, 0.5, "drive", forward=0.4, turn=0.0)
    robot.body.stop("test")
    assert robot.ask("drive", forward=0.4, turn=0.0)["kind"] == "stopped"
    assert robot.velocities_sent()[-2:] == [(0, 0.0), (1, 0.0)]


def test_a_paused_stream_takes_no_commands(robot: VirtualRobot) -> None:
    keep(robot, 0.5, "drive", forward=0.4, turn=0.0)
    robot.ask("pause")
    assert robot.ask("drive", forward=0.4, turn=0.0)["kind"] == "refused"
    robot.advance(2.0)
    assert robot.velocities_sent()[-2:] == [(0, 0.0), (1, 0.0)]


def test_a_jogged_joint_turns_at_its_speed_and_rests_when_nobody_asks_any_more(robot: VirtualRobot) -> None:
    before = robot.ask("state")["arms"]["left"]["joints"]
    keep(robot, 1.0, "jog", arm="left", velocities=[0.2, 0, 0, 0, 0, 0])
    robot.advance(0.5)
    held = robot.ask("state")["arms"]["left"]["joints"]
    assert held[0] - before[0] == pytest.approx(0.2 * 1.2, abs=0.05)
    assert held[1:] == pytest.approx(before[1:], abs=0.01)
    robot.advance(1.0)
    assert robot.ask("state")["arms"]["left"]["joints"] == held


def test_a_jog_ends_at_the_joints_limit(robot: VirtualRobot) -> None:
    robot.finish(robot.goal("move_joints", arm="left", joints=[0, 0.4, 0.5, 0.2, 0.1, 1.4]))
    keep(robot, 1.5, "jog", arm="left", velocities=[0, 0, 0, 0, 0, 9.0])
    upper = robot.description.arms[0].joints[5].limits.upper
    assert upper - 0.02 < robot.ask("state")["arms"]["left"]["joints"][5] <= upper


def test_a_jog_does_not_leave_the_workspace(robot: VirtualRobot) -> None:
    robot.finish(robot.goal("move_joints", arm="left", joints=STRETCHED))
    arm = robot.description.arms[0].kinematics
    for _ in range(300):
        robot.ask("jog", arm="left", velocities=[0.8, 0, 0, 0, 0, 0])
        robot.advance(TICK)
    tip = arm.fk(robot.ask("state")["arms"]["left"]["joints"])
    low, high = arm.workspace
    assert all(a - 0.01 <= b <= c + 0.01 for a, b, c in zip(low, (tip.x, tip.y, tip.z), high, strict=True))
