"""A head that pans and tilts, on the bus of an arm, told by bytes: it looks at points, keeps its range, and stops."""

import copy
import math
import tomllib
from pathlib import Path

import pytest

from daemon.config import ROBOTS
from hw.calibration import save_calibration
from hw.description import describe, load_description
from hw.servo import Memory
from hw.state import HardwareError
from tests.hw.virtual import VirtualRobot

XLEROBOT = ROBOTS / "xlerobot.toml"


@pytest.fixture
def robot() -> VirtualRobot:
    return VirtualRobot(description=load_description(XLEROBOT, Path("/nowhere"), simulated=True)).activated()


def towards(robot: VirtualRobot, ahead: float, left: float, up: float) -> tuple[float, float, float]:
    head = robot.description.head
    assert head is not None
    x, y, z = head.pivot
    return (x + ahead, y + left, z + up)


@pytest.mark.parametrize(
    ("point", "pan", "tilt"),
    [
        ((1.0, 0.0, 0.0), 0.0, 0.0),
        ((1.0, 1.0, 0.0), math.pi / 4, 0.0),
        ((1.0, -1.0, 0.0), -math.pi / 4, 0.0),
        ((0.5, 0.0, -0.5), 0.0, math.pi / 4),
    ],
)
def test_it_turns_to_a_point(robot: VirtualRobot, point: tuple[float, float, float], pan: float, tilt: float) -> None:
    x, y, z = towards(robot, *point)
    result = robot.finish(robot.goal("look_at", x=x, y=y, z=z))
    assert result["detail"] == "there"
    assert robot.ask("state")["head"] == pytest.approx([pan, tilt], abs=0.02)
    assert robot.neck.angles == pytest.approx((pan, tilt), abs=0.02)


def test_it_turns_as_far_as_it_goes_and_says_so(robot: VirtualRobot) -> None:
    x, y, z = towards(robot, -1.0, 0.1, 0.0)
    result = robot.finish(robot.goal("look_at", x=x, y=y, z=z))
    assert "pan" in result["clamped"][0]
    assert robot.neck.angles[0] == pytest.approx(1.5, abs=0.02)


def test_a_stop_holds_it_where_it_is_and_refuses_another_look(robot: VirtualRobot) -> None:
    x, y, z = towards(robot, 0.0, 1.0, 0.0)
    robot.goal("look_at", x=x, y=y, z=z)
    robot.advance(0.4)
    robot.body.stop("the test")
    robot.advance(0.5)
    pan, _ = robot.neck.angles
    assert 0.05 < pan < 1.4
    robot.advance(1.0)
    assert robot.neck.angles[0] == pytest.approx(pan, abs=0.01)
    assert robot.ask("look_at", x=x, y=y, z=z)["kind"] == "stopped"


def test_arm_and_head_move_at_once_on_one_bus(robot: VirtualRobot) -> None:
    home = robot.ask("state")["arms"]["left"]["joints"]
    arm = robot.goal("move_joints", arm="left", joints=[home[0] + 0.4, *home[1:]])
    x, y, z = towards(robot, 1.0, 1.0, 0.0)
    head = robot.goal("look_at", x=x, y=y, z=z)
    assert robot.finish(arm)["detail"] == robot.finish(head)["detail"] == "there"


def test_a_servo_of_the_head_that_is_silent_stops_the_robot(robot: VirtualRobot) -> None:
    robot.servos("left")[8].mute = True
    robot.advance(2.0)
    assert "servo 8 (tilt) has been silent" in str(robot.body.stopped)


def test_a_robot_without_one_refuses() -> None:
    plain = VirtualRobot().activated()
    assert plain.ask("state")["head"] is None
    assert plain.ask("look_at", x=1.0, y=0.0, z=1.0)["message"] == "this robot has no head that turns"


def test_a_head_that_nobody_has_calibrated_gets_no_torque(tmp_path: Path) -> None:
    (tmp_path / "robot.toml").write_text(XLEROBOT.read_text())
    head = load_description(tmp_path / "robot.toml", tmp_path).head
    assert head is not None
    assert head.uncalibrated == ("pan", "tilt")
    recorded = {"pan": Memory(12, 1000, 3000), "tilt": Memory(-7, 1500, 2500)}
    save_calibration(tmp_path / "robot.calibration.json", {"head": recorded})
    head = load_description(tmp_path / "robot.toml", tmp_path).head
    assert head is not None
    assert not head.uncalibrated
    assert [joint.from_steps(2000) for joint in head.joints] == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize(("bus", "told"), [("middle", "bus = 'middle' of the head"), (None, "share a bus, and ids")])
def test_what_is_wrong_in_a_description_is_told(bus: str | None, told: str) -> None:
    table = copy.deepcopy(tomllib.loads(XLEROBOT.read_text()))
    if bus:
        table["head"]["bus"] = bus
    else:
        table["head"]["joints"][0]["servo"] = 3
    with pytest.raises(HardwareError, match=told):
        describe(table, Path("."), simulated=True)
