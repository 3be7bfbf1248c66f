"""The emergency stop as heed sees it: latched whatever tells of it, and never released by itself."""

import struct
from pathlib import Path

import pytest

from hw.estop import EmergencyStop, FileContact, line_request
from hw.protocol.sts import TORQUE_ENABLE
from hw.state import HardwareError
from tests.hw.virtual import VirtualRobot, lifecycles


class FakeContact:
    def __init__(self) -> None:
        self.reads: int | None = 0
        self.closed = False

    def value(self) -> int:
        if self.reads is None:
            raise OSError("the chip is gone")
        return self.reads

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def contact() -> FakeContact:
    return FakeContact()


@pytest.fixture
def robot(contact: FakeContact) -> VirtualRobot:
    return VirtualRobot(estop=EmergencyStop(contact, released=0, voltage_below=7.0, silent=["base"])).activated()


def is_emergency(robot: VirtualRobot) -> bool:
    state = robot.ask("state")
    return "emergency stop" in str(state["stopped"]) and "ESTOP_ACTIVE" in [f["code"] for f in state["faults"]]


@pytest.mark.parametrize("reads", [1, None], ids=["open", "unreadable"])
def test_an_open_contact_stops_everything_and_asks_nothing_more_of_the_motors(
    robot: VirtualRobot, contact: FakeContact, reads: int | None
) -> None:
    robot.goal("drive_to", x=2, y=0, theta=0)
    robot.goal("move_joints", arm="left", joints=[0.3, 0.4, 0.5, 0.2, 0.1, -0.2])
    robot.advance(0.5)
    contact.reads = reads
    robot.advance(0.02)
    assert is_emergency(robot)
    assert set(lifecycles(robot).values()) == {"inactive"}
    sent = len(robot.goals_sent("left")), len(robot.velocities_sent())
    assert robot.velocities_sent()[-2:] == [(0, 0.0), (1, 0.0)]
    robot.advance(1.0)
    assert (len(robot.goals_sent("left")), len(robot.velocities_sent())) == sent
    assert all(servo.read(TORQUE_ENABLE.address, 1) == b"\0" for servo in robot.servos("left").values())


def test_releasing_the_button_restarts_nothing(robot: VirtualRobot, contact: FakeContact) -> None:
    contact.reads = 1
    robot.advance(0.05)
    for op in ("clear_stop", "activate"):
        assert robot.ask(op, by="Ada")["kind"] == "stopped"
    contact.reads = 0
    robot.advance(0.5)
    assert is_emergency(robot)
    assert robot.ask("activate")["kind"] == "stopped"
    assert robot.ask("clear_stop", by="Ada")["ok"]
    assert robot.ask("drive_to", x=1, y=0, theta=0)["kind"] == "refused"
    robot.activated()
    assert robot.finish(robot.goal("drive_to", x=0.2, y=0, theta=0))["state"] == "succeeded"


def test_a_pressed_button_keeps_the_robot_from_ever_starting(contact: FakeContact) -> None:
    contact.reads = 1
    robot = VirtualRobot(estop=EmergencyStop(contact))
    assert robot.ask("activate")["kind"] == "refused" or is_emergency(robot)
    robot.advance(1.0)
    assert is_emergency(robot)
    assert not robot.goals_sent("left")


def test_a_supply_that_falls_away_is_the_emergency_stop(robot: VirtualRobot) -> None:
    for servo in robot.servos("right").values():
        servo.voltage = 5.0
    robot.advance(0.05)
    assert is_emergency(robot)


def test_axes_that_lose_their_power_with_the_motors_tell_of_it_by_silence(robot: VirtualRobot) -> None:
    robot.wires["base"].mute = True
    robot.advance(1.5)
    assert is_emergency(robot)


def test_silence_of_anything_else_is_a_broken_cable(robot: VirtualRobot) -> None:
    robot.wires["left"].mute = True
    robot.advance(1.5)
    assert not is_emergency(robot)


def test_a_contact_may_be_a_file_and_says_when_it_holds_nonsense(tmp_path: Path) -> None:
    table = {"contact": {"file": "estop", "released": 1}}
    estop = EmergencyStop.from_description(table, tmp_path)
    assert "cannot be read" in str(estop.sign([]))
    for text, pressed in (("1\n", False), ("0", True), ("", True), ("on", True)):
        (tmp_path / "estop").write_text(text)
        assert bool(estop.sign([])) is pressed
    with pytest.raises(OSError, match="neither"):
        FileContact(tmp_path / "estop").value()


def test_a_chip_that_is_not_there_is_said_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match="emergency stop"):
        EmergencyStop.from_description({"contact": {"chip": str(tmp_path / "gpiochip9"), "line": 3}}, tmp_path)


def test_a_line_request_has_the_layout_of_the_kernel() -> None:
    request = line_request(17)
    assert len(request) == 592
    assert struct.unpack_from("<I", request) == (17,)
    assert struct.unpack_from("<Q", request, 288) == (0x104,)
    assert struct.unpack_from("<I", request, 560) == (1,)
