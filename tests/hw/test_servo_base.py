"""Wheels on Feetech servos, on the bus of an arm: they have no dead-man, so whatever falls silent ends in holding."""

import copy
import math
import tomllib
from pathlib import Path

import pytest

from hw.description import RobotDescription, describe, load_description
from hw.protocol import sts
from hw.protocol.sts import PhaseBits
from hw.state import HardwareError
from tests.hw.lekiwi_wheels import LEKIWI, RADIUS, cut, drive, mute, one_wheel_silent, rolled, wheels
from tests.hw.virtual import VirtualRobot, lifecycles

MOST = 0.025
"""Metres that a wheel may roll on after the last packet."""


def lekiwi(**base: object) -> RobotDescription:
    table = copy.deepcopy(tomllib.loads(LEKIWI.read_text()))
    table["base"] |= base
    return describe(table, Path("/nowhere"), simulated=True)


@pytest.fixture
def robot() -> VirtualRobot:
    return VirtualRobot(description=load_description(LEKIWI, Path("/nowhere"), simulated=True)).activated()


def at_full_speed(robot: VirtualRobot) -> list[float]:
    """Where the wheels are, one of them as fast as it may be."""
    drive(robot, 1.5, forward=0.2, left=0.1)
    assert robot.drive.fastest * 2 * math.pi * RADIUS > 0.2
    return [servo.position for servo in wheels(robot)]


def test_it_drives_to_a_pose_and_to_its_side_while_the_arm_moves(robot: VirtualRobot) -> None:
    moving = robot.goal("move_joints", arm="right", joints=[0.5, -1.0, 1.0, 0.8, 0.0])
    robot.finish(robot.goal("drive_to", x=0.4, y=0.2, theta=1.0))
    assert robot.news[moving]["state"] == "succeeded"
    pose = robot.drive.pose
    assert (pose.x, pose.y) == pytest.approx((0.4, 0.2), abs=0.02)
    drive(robot, 2.0, left=0.15)
    robot.advance(0.5)
    ahead, aside = pose.to_local(robot.drive.pose.x, robot.drive.pose.y)
    assert aside > 0.2
    assert ahead == pytest.approx(0.0, abs=0.01)


def test_no_wheel_is_ever_told_a_velocity(robot: VirtualRobot) -> None:
    at_full_speed(robot)
    assert all(servo.read(sts.OPERATING_MODE.address, 1) == b"\0" for servo in wheels(robot))


@pytest.mark.parametrize("silence", [cut, mute, one_wheel_silent])
def test_when_the_bus_falls_silent_each_wheel_ends_its_way_and_holds(robot: VirtualRobot, silence: "type[cut]") -> None:
    before = at_full_speed(robot)
    silence(robot)
    robot.advance(0.3)
    assert rolled(robot, before) < MOST
    held = [servo.position for servo in wheels(robot)]
    robot.advance(1.0)
    assert rolled(robot, held) < 0.001


def test_when_this_process_dies_each_wheel_ends_its_way_and_holds(robot: VirtualRobot) -> None:
    before = at_full_speed(robot)
    chain = robot.wires["right"].device
    for _ in range(30):
        chain.step(0.01)  # nobody ticks, nobody says goodbye
    assert rolled(robot, before) < MOST
    assert all(servo.powered and not servo.velocity for servo in wheels(robot))


def test_when_nobody_steers_any_more_the_wheels_stand(robot: VirtualRobot) -> None:
    at_full_speed(robot)
    robot.advance(0.5)
    assert robot.drive.at_rest


def test_a_stop_is_on_the_bus_before_the_next_tick(robot: VirtualRobot) -> None:
    before = at_full_speed(robot)
    robot.wires["right"].sent.clear()
    robot.body.stop("the word stop")
    assert {7, 8, 9} in [set(goals) for goals in robot.goals_sent("right")]
    robot.wires["right"].cut = True
    for _ in range(30):
        robot.wires["right"].device.step(0.01)
    assert rolled(robot, before) < 0.02


@pytest.mark.parametrize(
    ("phase", "says"),
    [
        (PhaseBits.SPEED_IN_STEPS | PhaseBits.ZERO_IS_FULL, "a speed of 0 means the greatest speed"),
        (0, "speeds count in fifties of steps"),
    ],
)
def test_a_wheel_whose_phase_is_wrong_is_never_armed(phase: int, says: str) -> None:
    robot = VirtualRobot(description=lekiwi())
    wheels(robot)[2].write(sts.PHASE.address, bytes([phase]))
    robot.advance(1.0)
    [fault] = robot.ask("state")["faults"]
    assert (fault["code"], fault["component"], says in fault["detail"]) == ("PHASE_MISMATCH", "base", True)
    assert "heed hw test wheels" in fault["hint"]
    assert not robot.ask("activate")["ok"]
    assert not any(servo.powered for servo in wheels(robot))
    wheels(robot)[2].write(sts.PHASE.address, bytes([PhaseBits.SPEED_IN_STEPS]))
    robot.ask("clear_stop", by="Ada")
    robot.advance(1.5)
    robot.activated()


def test_an_owner_who_has_measured_it_names_another_phase() -> None:
    robot = VirtualRobot(description=lekiwi(phase=12))
    for servo in wheels(robot):
        servo.write(sts.PHASE.address, b"\x0c")
    robot.activated()
    assert robot.ask("state")["faults"] == []


def test_a_wheel_that_somebody_left_turning_is_let_go_before_anything_else() -> None:
    robot = VirtualRobot(description=lekiwi())
    for servo in wheels(robot):
        for register, value in ((sts.OPERATING_MODE, 1), (sts.TORQUE_ENABLE, 1), (sts.GOAL_SPEED, 2000)):
            servo.write(register.address, sts.encode_value(register, value)[0])
        servo.write(sts.PHASE.address, b"\x0c")
    robot.advance(0.5)
    assert not any(servo.powered or servo.velocity for servo in wheels(robot))


def test_a_long_way_is_counted_anew_and_odometry_goes_on(robot: VirtualRobot) -> None:
    robot.finish(robot.goal("drive_to", x=4.0, y=0.0, theta=0.0), seconds=60)
    assert robot.drive.pose.x == pytest.approx(4.0, abs=0.03)
    turned = abs(wheels(robot)[2].position - robot.wheels._begun[2]) / sts.STEPS_PER_TURN
    assert turned > 10
    assert all(abs(servo.count) < 8 * sts.STEPS_PER_TURN for servo in wheels(robot))
    assert robot.ask("state")["localised"]


def test_a_stop_while_the_count_begins_anew_sends_no_wheel_back_to_where_it_counted_before(
    robot: VirtualRobot,
) -> None:
    robot.wires["right"].slow = True
    goal = robot.goal("drive_to", x=4.0, y=0.0, theta=0.0)
    for _ in range(6000):
        robot.advance(0.01)
        robot.ask("alive")
        if robot.drive._counts_anew:  # type: ignore[attr-defined]
            break
    robot.advance(0.1)
    before = [servo.position for servo in wheels(robot)]
    robot.body.stop("in the middle of it")
    robot.advance(1.0)
    assert rolled(robot, before) < 0.001
    assert robot.news[goal]["state"] == "aborted"
    assert not robot.ask("state")["localised"]
    robot.wires["right"].slow = False
    robot.ask("clear_stop", by="Ada")
    robot.activated()
    assert rolled(robot, before) < 0.001


def test_a_wheel_that_was_reset_stops_the_robot(robot: VirtualRobot) -> None:
    drive(robot, 1.0, forward=0.1)
    wheels(robot)[0].reset()
    robot.advance(1.5)
    assert "DEVICE_NOT_ARMED" in [fault["code"] for fault in robot.ask("state")["faults"]]
    assert lifecycles(robot)["right"] != "active"


def test_a_wheel_that_was_reset_is_armed_again_once_a_person_has_seen_it(robot: VirtualRobot) -> None:
    wheels(robot)[0].reset()
    robot.advance(1.5)
    robot.ask("clear_stop", by="Ada")
    robot.advance(2.0)
    robot.activated()
    pose = robot.drive.pose
    drive(robot, 1.0, forward=0.1)
    assert pose.to_local(robot.drive.pose.x, robot.drive.pose.y)[0] > 0.05
    assert robot.ask("state")["stopped"] is None


def test_after_a_power_cycle_of_the_wheels_nobody_knows_where_it_stands(robot: VirtualRobot) -> None:
    drive(robot, 1.5, left=-0.1)
    robot.advance(0.5)
    assert -sts.STEPS_PER_TURN < wheels(robot)[0].count < 0
    pose = robot.drive.pose
    for servo in wheels(robot):
        servo.reset()
    robot.advance(1.0)
    assert robot.ask("state")["localised"] is False
    assert robot.drive.pose.y == pytest.approx(pose.y, abs=0.01)


def test_wheels_and_arm_may_not_have_the_same_id() -> None:
    same = {name: {"servo": 6 + i, "angle": 120 * i, "direction": 1} for i, name in enumerate("abc")}
    with pytest.raises(HardwareError, match="share a bus, and ids"):
        lekiwi(wheels=same)
