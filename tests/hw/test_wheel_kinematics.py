"""Twists and wheels: differential and omni bases, held against what others publish, and driven on the simulated bus."""

import copy
import math
import random
import tomllib
from pathlib import Path

import pytest

from hw.description import RobotDescription, describe
from hw.state import HardwareError, Pose2D, Twist
from hw.wheel_kinematics import WheelKinematics
from tests.hw.virtual import ROBOT, VirtualRobot

LEKIWI = WheelKinematics.omni(0.125, [math.radians(angle) for angle in (150, -90, 30)])
"""Left, back and right wheel, as LeRobot's lekiwi.py has them."""
BOTH = [WheelKinematics.differential(0.44), LEKIWI]


def test_the_rows_of_a_lekiwi_are_those_of_lerobot() -> None:
    published = [[-0.866, 0.5, 0.125], [0.0, -1.0, 0.125], [0.866, 0.5, 0.125]]
    for row, theirs in zip(LEKIWI.rows, published, strict=True):
        assert row == pytest.approx(theirs, abs=1e-3)


@pytest.mark.parametrize("kinematics", BOTH)
def test_the_twist_of_the_wheels_is_the_twist_that_they_were_told(kinematics: WheelKinematics) -> None:
    chance = random.Random(1)
    for _ in range(20):
        left = chance.uniform(-1, 1) if kinematics.holonomic else 0.0
        twist = Twist(chance.uniform(-1, 1), left, chance.uniform(-3, 3))
        assert kinematics.twist(kinematics.speeds(twist)) == pytest.approx(twist)


def test_a_differential_base_turns_left_when_its_right_wheel_is_faster() -> None:
    assert WheelKinematics.differential(0.5).twist((0.1, 0.2)) == pytest.approx((0.15, 0.0, 0.2))


def omni(**base: object) -> RobotDescription:
    """The simulated robot on three omni wheels, each with an axis."""
    table = copy.deepcopy(tomllib.loads(ROBOT.read_text()))
    for key in ("left", "right", "track"):
        table["base"].pop(key)
    angles = {"left": 150, "back": -90, "right": 30}
    table["base"] |= {
        "drive": "omni",
        "base_radius": 0.125,
        "wheels": {name: {"node": i, "angle": angle, "direction": 1} for i, (name, angle) in enumerate(angles.items())},
    } | base
    table["base"]["limits"]["lateral_velocity"] = 0.5
    return describe(table, Path("/nowhere"))


def keep_driving(robot: VirtualRobot, seconds: float, **twist: float) -> None:
    for _ in range(round(seconds / 0.1)):
        assert robot.ask("drive", **({"forward": 0.0, "turn": 0.0} | twist))["ok"]
        robot.advance(0.1)


def test_an_omni_base_goes_to_its_side_and_odometry_follows() -> None:
    robot = VirtualRobot(description=omni()).activated()
    keep_driving(robot, 2.0, left=0.3)
    robot.advance(0.5)
    pose = robot.drive.pose
    assert pose.x == pytest.approx(0.0, abs=0.01)
    assert 0.4 < pose.y < 0.65
    assert pose.theta == pytest.approx(0.0, abs=0.01)


def test_an_omni_base_drives_to_a_pose_as_a_differential_one_does() -> None:
    robot = VirtualRobot(description=omni()).activated()
    robot.finish(robot.goal("drive_to", x=1.0, y=0.5, theta=-1.0))
    assert robot.drive.pose.x == pytest.approx(1.0, abs=0.03)
    assert robot.drive.pose.y == pytest.approx(0.5, abs=0.03)
    assert robot.drive.pose.theta == pytest.approx(-1.0, abs=0.05)


def test_what_is_too_fast_for_one_wheel_slows_all_of_them_and_keeps_the_direction() -> None:
    robot = VirtualRobot(description=omni()).activated()
    robot.drive._fastest_rim = 0.2
    keep_driving(robot, 2.0, forward=0.6, left=0.3)
    forward, left, _ = robot.drive.twist
    assert max(map(abs, LEKIWI.speeds(robot.drive.twist))) == pytest.approx(0.2)
    assert forward == pytest.approx(2 * left)


def test_a_differential_base_is_told_nothing_to_its_side() -> None:
    robot = VirtualRobot().activated()
    answer = robot.ask("drive", forward=0.1, turn=0.0, left=0.3)
    assert "left clamped from 0.300 to 0.000" in answer["clamped"]
    robot.advance(1.0)
    assert robot.drive.pose == Pose2D(robot.drive.pose.x, 0.0, 0.0)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"drive": "mecanum"}, "none of: differential, omni"),
        ({"wheels": {"left": {"node": 0, "angle": 0, "direction": 1}}}, "three or more"),
        ({"wheels": {str(i): {"node": i, "angle": 120 * i, "direction": 2} for i in range(3)}}, "must be 1 or -1"),
    ],
)
def test_a_base_that_cannot_be_is_refused(changes: dict[str, object], says: str) -> None:
    with pytest.raises(HardwareError, match=says):
        omni(**changes)
