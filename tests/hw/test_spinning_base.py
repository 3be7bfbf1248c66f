"""Wheels that are told velocities, and the dead-man that cuts them off: tried at each start, whoever falls silent."""

import copy
import math
import tomllib
from pathlib import Path

import pytest

from hw.description import RobotDescription, describe
from hw.protocol import sts
from hw.protocol.sts import PhaseBits
from hw.state import HardwareError
from tests.hw.lekiwi_wheels import LEKIWI, RADIUS, cut, drive, mute, one_wheel_silent, rolled, wheels
from tests.hw.virtual import VirtualRobot, lifecycles

DEAD_MAN = {"device": "/dev/serial/by-id/board", "within": 0.1}
MOST = 0.025
"""Metres that a wheel may roll on, whatever falls silent."""
WITHIN = 0.3
"""Seconds in which it must have come to rest."""


def lekiwi(**base: object) -> RobotDescription:
    table = copy.deepcopy(tomllib.loads(LEKIWI.read_text()))
    table["base"] |= {"mode": "velocity", "dead_man": DEAD_MAN, "rim_velocity": 0.19} | base
    return describe(table, Path("/nowhere"), simulated=True)


@pytest.fixture
def robot() -> VirtualRobot:
    return VirtualRobot(description=lekiwi()).activated()


def at_full_speed(robot: VirtualRobot) -> list[float]:
    """Where the wheels are, one of them as fast as it may be."""
    drive(robot, 1.5, forward=0.2, left=0.1)
    assert robot.drive.fastest * 2 * math.pi * RADIUS == pytest.approx(0.19, abs=0.01)
    return [servo.position for servo in wheels(robot)]


def fault(robot: VirtualRobot) -> dict[str, str]:
    [found] = robot.ask("state")["faults"]
    return dict(found)


def test_it_drives_to_a_pose_by_velocities_alone(robot: VirtualRobot) -> None:
    robot.finish(robot.goal("drive_to", x=0.8, y=0.2, theta=1.0))
    assert (robot.drive.pose.x, robot.drive.pose.y) == pytest.approx((0.8, 0.2), abs=0.02)
    assert all(servo.read(sts.OPERATING_MODE.address, 1) == b"\1" for servo in wheels(robot))
    assert all(0 <= servo.count < sts.STEPS_PER_TURN for servo in wheels(robot))
    assert robot.ask("state")["localised"]


def board_unplugged(robot: VirtualRobot) -> None:
    robot.wires["dead man"].cut = True


@pytest.mark.parametrize("silence", [cut, mute, one_wheel_silent, board_unplugged])
def test_whatever_falls_silent_the_wheels_lose_their_supply(robot: VirtualRobot, silence: "type[cut]") -> None:
    before = at_full_speed(robot)
    silence(robot)
    robot.advance(WITHIN)
    assert rolled(robot, before) < MOST
    assert not any(servo.powered for servo in wheels(robot))
    held = [servo.position for servo in wheels(robot)]
    robot.advance(3.0)
    assert rolled(robot, held) == 0.0


def test_when_this_process_dies_the_wheels_lose_their_supply(robot: VirtualRobot) -> None:
    before = at_full_speed(robot)
    for _ in range(30):
        for wire in robot.wires.values():
            wire.device.step(0.01)  # nobody ticks, nobody says goodbye
    assert rolled(robot, before) < MOST
    assert not any(servo.supplied for servo in wheels(robot))


def test_a_wheel_that_does_not_do_as_it_is_told_loses_its_supply(robot: VirtualRobot) -> None:
    before = [servo.position for servo in wheels(robot)]
    wheels(robot)[0].write(sts.PHASE.address, bytes([PhaseBits.SPEED_IN_STEPS | PhaseBits.ZERO_IS_FULL]))
    robot.advance(WITHIN)
    assert 0 < rolled(robot, before) < 0.04  # it runs at the greatest speed of a servo, more than it is ever told
    assert not any(servo.supplied for servo in wheels(robot))


def test_a_stop_is_on_the_bus_before_the_next_tick_and_the_wheels_keep_their_supply(robot: VirtualRobot) -> None:
    before = at_full_speed(robot)
    robot.wires["right"].sent.clear()
    robot.body.stop("the word stop")
    assert [{goals[servo].speed for servo in (7, 8, 9)} for goals in robot.goals_sent("right") if 7 in goals] == [{0.0}]
    robot.advance(1.0)
    assert rolled(robot, before) < 0.01
    assert all(servo.powered for servo in wheels(robot))


def test_when_nobody_steers_any_more_the_wheels_stand(robot: VirtualRobot) -> None:
    at_full_speed(robot)
    robot.advance(0.5)
    assert robot.drive.at_rest
    assert all(servo.powered for servo in wheels(robot))


def test_a_base_that_is_let_go_can_be_pushed_and_goes_on_beating(robot: VirtualRobot) -> None:
    robot.drive.release()
    robot.advance(3.0)
    assert not any(servo.powered for servo in wheels(robot))
    assert all(servo.supplied for servo in wheels(robot))
    assert robot.ask("state")["faults"] == []


@pytest.mark.parametrize(
    ("welded", "opens_after", "says"),
    [
        (True, 0.08, "still answers"),
        (False, 0.2, "it should have lost its supply within 100 ms"),
    ],
)
def test_wheels_get_no_torque_where_the_dead_man_does_not_do_its_duty(
    welded: bool, opens_after: float, says: str
) -> None:
    robot = VirtualRobot(description=lekiwi())
    robot.board.welded, robot.board.opens_after = welded, opens_after
    robot.advance(2.0)
    assert not robot.ask("activate")["ok"]
    found = fault(robot)
    assert (found["code"], found["component"], says in found["detail"]) == ("DEAD_MAN", "base", True)
    assert "docs/robots/dead-man.md" in found["hint"]
    assert not any(servo.powered for servo in wheels(robot))


def test_a_relay_that_cuts_the_arm_off_too_is_told(robot: VirtualRobot) -> None:
    robot = VirtualRobot(description=lekiwi())
    robot.advance(2.0)
    robot.board._wheels = (*robot.board._wheels, *robot.servos("right").values())
    assert not robot.ask("activate")["ok"]
    assert {found["code"] for found in robot.ask("state")["faults"]} <= {"DEAD_MAN", "COMM_TIMEOUT"}
    assert not any(servo.powered for servo in wheels(robot))


def test_it_is_tried_anew_whenever_the_wheels_get_torque(robot: VirtualRobot) -> None:
    robot.body.stop("the word stop")
    robot.board.welded = True
    robot.ask("clear_stop", by="Ada")
    assert not robot.ask("activate")["ok"]
    assert fault(robot)["code"] == "DEAD_MAN"
    robot.board.welded = False
    robot.advance(3.0)
    robot.ask("clear_stop", by="Ada")
    robot.activated()
    assert lifecycles(robot)["base"] == "active"


def test_after_it_has_cut_a_person_clears_that_and_it_drives_again(robot: VirtualRobot) -> None:
    at_full_speed(robot)
    cut(robot)
    robot.advance(2.0)
    robot.wires["right"].cut = False
    robot.advance(3.0)
    robot.ask("clear_stop", by="Ada")
    robot.advance(1.0)
    robot.activated()
    at_full_speed(robot)


@pytest.mark.parametrize(
    ("base", "says"),
    [
        ({"dead_man": None}, "declare the one that you have built"),
        ({"mode": "travel"}, 'mode = "velocity"'),
        ({"mode": "step"}, "none of: travel, velocity"),
        ({"rim_velocity": 0.23}, "set rim_velocity to 0.19 at the most"),
        ({"phase": 12}, "correct their Phase"),
    ],
)
def test_velocities_without_a_dead_man_that_is_fast_enough_are_refused(base: dict[str, object], says: str) -> None:
    with pytest.raises(HardwareError, match=says):
        lekiwi(**base)
