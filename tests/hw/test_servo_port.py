"""An arm and wheels on one port: each looks after its own servos, and neither waits for the other in vain."""

from pathlib import Path

import pytest

from hw.description import load_description
from hw.protocol import sts
from tests.hw.virtual import VirtualRobot, lifecycles

LEKIWI = Path(__file__).parents[2] / "hw" / "robots" / "lekiwi.toml"


@pytest.fixture
def robot() -> VirtualRobot:
    return VirtualRobot(description=load_description(LEKIWI, Path("/nowhere"), simulated=True))


def test_both_are_set_up_and_activated_one_after_the_other(robot: VirtualRobot) -> None:
    robot.activated()
    assert lifecycles(robot) == {"right": "active", "base": "active"}


def test_all_servos_are_asked_in_one_question_and_told_in_one_packet(robot: VirtualRobot) -> None:
    robot.activated()
    robot.wires["right"].sent.clear()
    robot.advance(0.2)
    asked = [p.parameters[2:] for p in robot.wires["right"].sent if p.code == sts.Instruction.SYNC_READ]
    told = [sts.decode_sync_write(p)[1] for p in robot.wires["right"].sent if p.code == sts.Instruction.SYNC_WRITE]
    assert {tuple(sorted(ids)) for ids in asked} == {tuple(range(1, 10))}
    assert {tuple(sorted(goals)) for goals in told} == {tuple(range(1, 10))}
    assert len(asked) == len(told) == 20


def test_a_wheel_that_is_missing_leaves_the_arm_as_it_is(robot: VirtualRobot) -> None:
    del robot.wires["right"].device.servos[8]
    robot.advance(2.0)
    assert lifecycles(robot) == {"right": "inactive", "base": "unconfigured"}
    robot.wires["right"].device.servos[8] = robot.wheels.wheels[1]
    robot.advance(2.0)
    robot.activated()


def test_a_servo_of_the_arm_that_is_missing_leaves_the_wheels_as_they_are(robot: VirtualRobot) -> None:
    missing = robot.wires["right"].device.servos.pop(3)
    robot.advance(2.0)
    assert lifecycles(robot) == {"right": "unconfigured", "base": "inactive"}
    robot.wires["right"].device.servos[3] = missing
    robot.advance(2.0)
    robot.activated()


def test_a_cable_that_was_pulled_is_lost_to_both_and_comes_back_for_both(robot: VirtualRobot) -> None:
    robot.activated()
    robot.wires["right"].cut = True
    robot.advance(0.2)
    assert {fault["component"] for fault in robot.ask("state")["faults"] if fault["code"] == "PORT_LOST"} == {
        "right",
        "base",
    }
    robot.wires["right"].cut = False
    robot.advance(2.0)
    robot.ask("clear_stop", by="Ada")
    robot.activated()


def test_a_joint_that_complains_stops_the_wheels_too(robot: VirtualRobot) -> None:
    robot.activated()
    robot.ask("drive", forward=0.2, turn=0.0, ttl=1.0)
    robot.advance(0.5)
    robot.servos("right")[2].errors |= sts.ErrorBits.OVERLOAD
    robot.advance(0.5)
    assert robot.drive.at_rest
    assert robot.ask("state")["stopped"]
