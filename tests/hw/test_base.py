"""ODrive axes: set up, read back, braked when found armed; errors by their names."""

import copy
import math
import tomllib
from pathlib import Path

import pytest

from hw import odrive
from hw.description import RobotDescription, describe
from hw.protocol import cansimple
from hw.protocol.cansimple import AxisState
from hw.state import HardwareError
from tests.hw.virtual import ROBOT, VirtualRobot, lifecycles

TABLE = tomllib.loads(ROBOT.read_text())
ENDPOINTS = {"watchdog_timeout": 300, "enable_watchdog": 301, "velocity_limit": 302, "current_limit": 303}


def described(sim: bool = True, **base: object) -> RobotDescription:
    table = copy.deepcopy(TABLE)
    table["sim"] = sim
    table["base"].update(base)
    return describe(table, Path("/nowhere"))


def test_limits_and_watchdog_are_written_and_read_back_before_anything_moves() -> None:
    robot = VirtualRobot(description=described(endpoints=ENDPOINTS, watchdog=0.25))
    robot.advance(1.5)
    for axis in robot.axes:
        assert axis.settings[301] == 1
        assert axis.settings[300] == odrive.bits(0.25)
        assert set(axis.settings) == set(ENDPOINTS.values())
    assert lifecycles(robot)["base"] == "inactive"
    robot.activated()


@pytest.mark.parametrize("name", list(ENDPOINTS))
def test_an_axis_that_does_not_keep_a_setting_is_not_used(name: str) -> None:
    robot = VirtualRobot(description=described(endpoints=ENDPOINTS))
    robot.axes[1].stubborn.add(ENDPOINTS[name])
    robot.advance(2.0)
    [fault] = robot.ask("state")["faults"]
    assert (fault["code"], fault["severity"], name in fault["detail"]) == ("LIMIT_MISMATCH", "fatal", True)
    assert robot.ask("activate")["kind"] == "stopped"
    robot.axes[1].stubborn.clear()
    robot.ask("clear_stop", by="Ada")
    robot.advance(2.0)
    robot.activated()


def test_an_axis_that_was_restarted_gets_its_watchdog_again_before_it_is_armed() -> None:
    """ODrive forgets settings that were not saved, and a watchdog that is off stops nobody."""
    robot = VirtualRobot(description=described(endpoints=ENDPOINTS, watchdog=0.25)).activated()
    robot.axes[1].reset()
    robot.advance(1.0)
    assert robot.axes[1].watchdog == math.inf
    robot.ask("clear_stop", by="Ada")
    robot.activated()
    assert [axis.watchdog for axis in robot.axes] == [0.25, 0.25]
    robot.axes[0].stubborn.add(ENDPOINTS["enable_watchdog"])
    robot.axes[0].reset()
    robot.advance(1.0)
    robot.ask("clear_stop", by="Ada")
    assert not robot.ask("activate")["ok"]
    assert robot.axes[0].state is AxisState.IDLE


def test_an_armed_axis_is_never_asked_for_a_setting() -> None:
    robot = VirtualRobot(description=described(endpoints=ENDPOINTS)).activated()
    robot.wires["base"].sent.clear()
    robot.advance(1.0)
    messages = [cansimple.decode(frame) for frame in robot.wires["base"].sent]
    assert not any(message and isinstance(message[1], cansimple.Sdo) for message in messages)


def test_an_axis_that_was_left_armed_and_turning_is_braked_and_disarmed() -> None:
    robot = VirtualRobot(description=described(watchdog=math.inf))
    for axis in robot.axes:
        axis.state, axis.velocity = AxisState.CLOSED_LOOP_CONTROL, 1.0
        axis._wanted = 1.0
    robot.advance(1.5)
    assert all(axis.state == AxisState.IDLE and abs(axis.velocity) < 0.02 for axis in robot.axes)
    assert lifecycles(robot)["base"] == "inactive"


def test_limits_that_nobody_can_read_back_are_a_warning_on_metal_only() -> None:
    for metal in (True, False):
        robot = VirtualRobot(description=described(sim=not metal)).activated()
        assert [fault["code"] for fault in robot.ask("state")["faults"]] == ["LIMITS_UNCHECKED"] * metal


@pytest.mark.parametrize(
    ("error", "code", "word"),
    [
        (0x0100_0000, "DEVICE_WATCHDOG", "WATCHDOG_TIMER_EXPIRED"),
        (0x0000_2000, "OVERHEAT", "MOTOR_OVER_TEMP"),
        (0x0000_0200, "UNDERVOLTAGE", "DC_BUS_UNDER_VOLTAGE"),
        (0x0400_0000, "DEVICE_ERROR", "SPINOUT_DETECTED"),
    ],
)
def test_an_axis_error_has_its_name(error: int, code: str, word: str) -> None:
    robot = VirtualRobot().activated()
    robot.axes[0].fail(error)
    robot.advance(0.4)
    [fault] = robot.ask("state")["faults"]
    assert (fault["code"], word in fault["detail"]) == (code, True)


def test_an_axis_that_was_stopped_by_its_own_emergency_input_is_the_emergency_stop() -> None:
    robot = VirtualRobot().activated()
    robot.axes[0].fail(cansimple.ESTOP_REQUESTED)
    robot.advance(0.4)
    assert "emergency stop" in robot.ask("state")["stopped"]


def test_a_setting_that_no_axis_has_is_refused() -> None:
    with pytest.raises(HardwareError, match="speed_limit"):
        described(endpoints={"speed_limit": 3})
