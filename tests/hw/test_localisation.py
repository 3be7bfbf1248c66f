"""Where the base stands: known until its axes are restarted, corrected at standstill, by eyes or by a person."""

import math
from pathlib import Path

import pytest

from tests.hw.virtual import VirtualRobot


@pytest.fixture
def lost() -> VirtualRobot:
    """A robot that drove, and whose axes were restarted where it stands."""
    robot = VirtualRobot().activated()
    robot.finish(robot.goal("drive_to", x=3.0, y=0.5, theta=1.0))
    for axis in robot.axes:
        axis.position = 0.0
    robot.advance(0.5)
    return robot


def test_after_a_restart_of_the_axes_nothing_is_driven_to_on_the_map(lost: VirtualRobot) -> None:
    assert lost.ask("state")["localised"] is False
    refused = lost.ask("drive_to", x=1.0, y=0.0, theta=0.0)
    assert (refused["kind"], "you are at the" in refused["hint"]) == ("refused", True)
    assert lost.ask("drive", forward=0.1, turn=0.0)["ok"]  # a person who steers sees where it goes


@pytest.mark.parametrize("by", ["Ada", ""], ids=["a person", "eyes"])
def test_somebody_says_where_it_is_and_it_drives_again(lost: VirtualRobot, by: str) -> None:
    assert lost.ask("correct_base", x=3.0, y=0.5, theta=1.0, by=by)["ok"]
    assert lost.ask("state")["localised"] is True
    lost.finish(lost.goal("drive_to", x=2.0, y=0.5, theta=0.0))
    assert lost.drive.pose.x == pytest.approx(2.0, abs=0.02)


def test_eyes_correct_what_drifted_by_a_hand_and_no_more() -> None:
    robot = VirtualRobot().activated()
    begun = robot.drive.pose
    near = {"x": begun.x + 0.1, "y": begun.y - 0.1, "theta": begun.theta + math.radians(5)}
    assert robot.ask("correct_base", **near)["ok"]
    assert robot.drive.pose.x == pytest.approx(near["x"])
    for far in ({"x": near["x"] + 0.4}, {"theta": near["theta"] + math.radians(20)}):
        refused = robot.ask("correct_base", **(near | far))
        assert "a person" in refused["hint"]
    assert robot.drive.pose.x == pytest.approx(near["x"])


def test_nothing_is_corrected_while_anything_moves() -> None:
    robot = VirtualRobot().activated()
    goal = robot.goal("drive_to", x=2.0, y=0.0, theta=0.0)
    robot.advance(0.5)
    assert "standstill" in robot.ask("correct_base", x=0.0, y=0.0, theta=0.0, by="Ada")["message"]
    robot.finish(goal)
    robot.goal("move_joints", arm="left", joints=[0.3, 1.7, -2.7, 1.0, 0.0, 0.0])
    assert not robot.ask("correct_base", x=0.0, y=0.0, theta=0.0, by="Ada")["ok"]


@pytest.mark.parametrize("value", [math.nan, math.inf, "north"])
def test_what_is_no_number_corrects_nothing(value: object) -> None:
    robot = VirtualRobot().activated()
    assert not robot.ask("correct_base", x=value, y=0.0, theta=0.0, by="Ada")["ok"]


def test_that_nobody_knows_where_it_stands_outlives_the_process(tmp_path: Path) -> None:
    note = tmp_path / "odometry.json"
    before = VirtualRobot(note).activated()
    before.finish(before.goal("drive_to", x=3.0, y=0.0, theta=0.0))
    before.advance(1.0)
    restarted = VirtualRobot(note)
    restarted.advance(1.0)
    assert restarted.ask("state")["localised"] is False
    for axis in restarted.axes:
        axis.position += 0.1
    restarted.advance(1.0)
    again = VirtualRobot(note)
    for old, new in zip(restarted.axes, again.axes, strict=True):
        new.position = old.position
    again.advance(1.0)
    assert again.ask("state")["localised"] is False
    assert again.ask("correct_base", x=3.0, y=0.0, theta=0.0, by="Ada")["ok"]
    third = VirtualRobot(note)
    for old, new in zip(again.axes, third.axes, strict=True):
        new.position = old.position
    third.advance(1.0)
    assert (third.ask("state")["localised"], third.drive.pose.x) == (True, 3.0)
