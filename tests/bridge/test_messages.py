"""What the bridge says to ROS and to heed's eyes: values in, values out, and the lines are read as heed reads them."""

import json
import math

import pytest

from bridge.ros2.links import Look
from bridge.ros2.messages import (
    ERROR,
    OBJECTS,
    OK,
    PEOPLE,
    UNKNOWN,
    WARN,
    Frames,
    Joints,
    Mark,
    TranslationError,
    base_line,
    diagnostics,
    goes_sideways,
    is_stopped,
    joints,
    odometry,
    seen_lines,
    twist,
)
from daemon.eyes.message_reading import read
from daemon.eyes.messages import Base, Gone, Objects, People
from hw.state import ArmState, Fault, Lifecycle, Pose2D, RobotState, Severity, TipPose

ARM = ArmState((0.1, -0.2), TipPose(0.4, 0.0, 0.9), 0.03)
DESCRIPTION = {"arms": {"left": {"joints": [{"name": "yaw"}, {"name": "elbow"}]}}}
LEVEL = (0.0, 0.0, 0.0, 1.0)
SURE = [0.0001 if row == column else 0.0 for row in range(6) for column in range(6)]


def look(at: float = 1.0, **state: object) -> Look:
    return Look(RobotState(arms={"left": ARM}, **{"base": Pose2D(), **state}), at)  # type: ignore[arg-type]


def test_joints_are_named_by_arm_and_a_gripper_is_one_of_them() -> None:
    assert joints(look().state, DESCRIPTION) == Joints(("left_yaw", "left_elbow", "left_gripper"), (0.1, -0.2, 0.03))


def test_speed_is_what_was_measured_between_two_looks() -> None:
    before = look(1.0, base=Pose2D(1.0, 1.0, math.pi / 2))
    now = odometry(look(1.5, base=Pose2D(1.0, 1.2, math.pi / 2 + 0.1)), before)
    assert (now.speed.forward, now.speed.turn) == pytest.approx((0.4, 0.2))
    assert now.quaternion == pytest.approx((0, 0, math.sin(math.pi / 4 + 0.05), math.cos(math.pi / 4 + 0.05)))
    assert now.covariance == [0.0] * 36


def test_a_turn_past_the_back_is_a_small_one() -> None:
    before = look(1.0, base=Pose2D(0, 0, 3.1))
    assert odometry(look(2.0, base=Pose2D(0, 0, -3.1)), before).speed.turn == pytest.approx(math.tau - 6.2)


def test_a_pose_that_nobody_can_rely_on_says_so() -> None:
    assert odometry(look(localised=False), None).covariance[0] == UNKNOWN


def test_stopped_is_a_stop_and_a_body_that_is_not_there() -> None:
    assert is_stopped(None)
    assert is_stopped(look(stopped="a person said: stop"))
    assert not is_stopped(look())


def test_diagnostics_name_each_part_and_its_faults() -> None:
    state = look(
        lifecycle={"left": Lifecycle.FAULT, "base": Lifecycle.ACTIVE},
        faults=(
            Fault("left", "OVERLOAD", "joint 2", "let it cool"),
            Fault("base", "COMMAND_STALE", "late", "", Severity.WARNING),
        ),
    )
    told = {one.name: one for one in diagnostics(state, {"doing": "waiting"})}
    assert [told[name].level for name in ("heed: mind", "heed: body", "heed: left", "heed: base")] == [
        OK, OK, ERROR, WARN,
    ]  # fmt: skip
    assert told["heed: left"].message == "fault, OVERLOAD"
    assert "let it cool" in told["heed: left"].values["OVERLOAD"]
    assert [one.level for one in diagnostics(None, None)] == [ERROR, ERROR]


def test_a_velocity_is_forward_and_turn_and_to_the_side_where_the_base_can() -> None:
    assert twist((0.2, 0, 0), (0, 0, -0.5)) == (0.2, 0, -0.5)
    assert twist((0.2, -0.1, 0), (0, 0, 0), sideways=True) == (0.2, -0.1, 0)
    for linear, angular in [((math.nan, 0, 0), (0, 0, 0)), ((0, 0.1, 0), (0, 0, 0)), ((0, 0, 0), (0, math.inf, 0))]:
        with pytest.raises(TranslationError):
            twist(linear, angular)
    assert goes_sideways({"base": {"limits": {"lateral_velocity": 0.2}}})
    assert not goes_sideways({"base": {"limits": {"velocity": 0.2}}})
    assert not goes_sideways(None)


def test_heed_reads_the_things_and_people_that_are_told() -> None:
    marks = [Mark("juice", "drink", (0.5, 0.1, 0.8)), Mark("cup", "", (0.4, 0, 0.8)), Mark("milk", "", (0, 0, 0), True)]
    gone, seen = (read(line, 100.0) for line in seen_lines(OBJECTS, 99.9, "robot", marks))
    assert gone == Gone("milk")
    assert isinstance(seen, Objects)
    assert [(one.name, one.category, one.position) for one in seen.objects] == [
        ("juice", "drink", (0.5, 0.1, 0.8)),
        ("cup", "cup", (0.4, 0.0, 0.8)),
    ]
    (people,) = seen_lines(PEOPLE, 99.9, "map", [Mark("ada", "", (2, 0.5, 1.5))])
    assert isinstance(read(people, 100.0), People)


def test_a_picture_with_nothing_in_it_is_told_too() -> None:
    (line,) = seen_lines(OBJECTS, 99.9, "robot", [])
    assert json.loads(line)["objects"] == []


def test_where_the_base_stands_keeps_its_turn_and_deviation() -> None:
    line = base_line(99.9, (1.2, 0.4, 0), (0, 0, math.sin(0.5), math.cos(0.5)), SURE)
    told = read(line, 100.0)
    assert isinstance(told, Base)
    assert (told.x, told.y, told.theta, told.sigma) == pytest.approx((1.2, 0.4, 1.0, 0.01))


@pytest.mark.parametrize("turned", [(0, 0, 0, 0), (0.5, 0, 0, 0.866), (0, 0, 2, 0)])
def test_a_base_that_lies_or_has_no_direction_is_refused(turned: tuple[float, float, float, float]) -> None:
    with pytest.raises(TranslationError):
        base_line(99.9, (0, 0, 0), turned, SURE)


def test_frames_have_the_names_that_ros_has_for_them() -> None:
    frames = Frames("map", "base_footprint")
    assert (frames.heeds("map"), frames.heeds("/base_footprint")) == ("map", "robot")
    with pytest.raises(TranslationError, match="transform it"):
        frames.heeds("camera_link")
