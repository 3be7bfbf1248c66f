"""A Koch: Dynamixel servos of two makes, in extended position mode, with what LeRobot has written into them."""

from pathlib import Path

import pytest

from hw.calibration import load_calibration, save_calibration
from hw.description import RobotDescription, load_description
from hw.protocol import dxl2
from hw.servo import Memory
from hw.state import HardwareError
from sim.dynamixel_servo import SimulatedDynamixel
from tests.hw.virtual import VirtualRobot

ROBOT = Path("hw/robots/koch.toml")
JOINTS = ("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll", "gripper")
HOME = [0.0, -2.0, 2.7, 0.2, 0.0]
ELSEWHERE = [0.4, -1.4, 1.8, 0.6, 0.5]
LEROBOTS = {
    "shoulder_pan": Memory(3000, 0, 4095, zero=2010),
    "shoulder_lift": Memory(-1900, 1330, 2790, zero=2760),
    "elbow_flex": Memory(2500, 1050, 3060, zero=3040),
    "wrist_flex": Memory(-3900, 1040, 3050, zero=2380),
    "wrist_roll": Memory(1800, 0, 4095, zero=2100),
    "gripper": Memory(-200, 1500, 2600),
}
"""Offsets of which position mode would ignore most."""


@pytest.fixture
def described(tmp_path: Path) -> RobotDescription:
    (tmp_path / "robot.toml").write_text(ROBOT.read_text())
    save_calibration(tmp_path / "robot.calibration.json", {"right": LEROBOTS})
    return load_description(tmp_path / "robot.toml", tmp_path)


@pytest.fixture
def koch(described: RobotDescription) -> VirtualRobot:
    """Its servos as they are after a power cycle: they have forgotten whole turns."""
    robot = VirtualRobot(description=described)
    for number, name in enumerate(JOINTS, 1):
        servo = servos(robot)[number]
        memory = LEROBOTS[name]
        servo.put(dxl2.HOMING_OFFSET, memory.homing_offset)
        servo.put(dxl2.MIN_POSITION, memory.low)
        servo.put(dxl2.MAX_POSITION, memory.high)
        servo.put(dxl2.OPERATING_MODE, 4)
        servo.reset()
    return robot


def servos(robot: VirtualRobot) -> dict[int, SimulatedDynamixel]:
    return dict(robot.wires["right"].device.servos)


def fault_codes(robot: VirtualRobot) -> list[str]:
    return [fault["code"] for fault in robot.ask("state")["faults"]]


def test_it_moves_with_what_lerobot_has_left_in_its_servos(koch: VirtualRobot) -> None:
    assert any(servo.count > 4095 or servo.count < 0 for servo in servos(koch).values())
    koch.activated()
    assert koch.ask("state")["arms"]["right"]["joints"] == pytest.approx(HOME, abs=0.01)
    assert koch.finish(koch.goal("move_joints", arm="right", joints=ELSEWHERE))["state"] == "succeeded"
    assert koch.ask("state")["arms"]["right"]["joints"] == pytest.approx(ELSEWHERE, abs=0.03)
    held = {number: servo.value(dxl2.HOMING_OFFSET) for number, servo in servos(koch).items()}
    assert held == {number: LEROBOTS[name].homing_offset for number, name in enumerate(JOINTS, 1)}


def test_activation_moves_nothing_whatever_turn_the_servos_count(koch: VirtualRobot) -> None:
    before = [servo.position for servo in servos(koch).values()]
    koch.activated().advance(0.5)
    assert [servo.position for servo in servos(koch).values()] == pytest.approx(before, abs=1)


def test_a_servo_that_forgets_its_turns_stops_the_arm_and_is_understood_again(koch: VirtualRobot) -> None:
    koch.activated()
    koch.finish(koch.goal("move_joints", arm="right", joints=ELSEWHERE))
    servos(koch)[4].reset()
    koch.advance(1.5)
    assert koch.ask("state")["stopped"]
    before = [servo.position for servo in servos(koch).values()]
    koch.ask("clear_stop", by="Ada")
    koch.activated().advance(0.5)
    assert [servo.position for servo in servos(koch).values()] == pytest.approx(before, abs=1)


def test_it_stops_by_itself_when_nobody_speaks(koch: VirtualRobot) -> None:
    koch.activated()
    koch.goal("move_joints", arm="right", joints=ELSEWHERE)
    koch.advance(0.3)
    for servo in servos(koch).values():
        for _ in range(50):
            servo.step(0.01)
    held = [servo.position for servo in servos(koch).values()]
    for servo in servos(koch).values():
        servo.step(1.0)
    assert [servo.position for servo in servos(koch).values()] == held


def test_position_mode_is_refused_where_it_would_ignore_an_offset(described: RobotDescription, tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    file.write_text(file.read_text() + 'mode = "position"\n')
    robot = VirtualRobot(description=load_description(file, tmp_path))
    for number, name in enumerate(JOINTS, 1):
        for register, value in zip(
            (dxl2.HOMING_OFFSET, dxl2.MIN_POSITION, dxl2.MAX_POSITION), LEROBOTS[name], strict=False
        ):
            servos(robot)[number].put(register, value)
    robot.advance(0.5)
    (fault,) = robot.ask("state")["faults"]
    assert fault["code"] == "CALIBRATION_MISMATCH"
    assert 'mode = "extended"' in fault["detail"]


def test_a_speed_is_a_speed_whatever_drive_mode_somebody_has_left(koch: VirtualRobot) -> None:
    servos(koch)[2].put(dxl2.DRIVE_MODE, dxl2.DriveMode.BY_TIME | dxl2.DriveMode.TORQUE_BY_GOAL)
    koch.activated()
    assert servos(koch)[2].value(dxl2.DRIVE_MODE) == 0


def test_a_servo_that_counts_the_other_way_round_turns_its_joint_the_right_way(tmp_path: Path) -> None:
    inverted = LEROBOTS | {name: LEROBOTS[name]._replace(inverted=True) for name in ("shoulder_pan", "gripper")}
    (tmp_path / "robot.toml").write_text(ROBOT.read_text())
    save_calibration(tmp_path / "robot.calibration.json", {"right": inverted})
    assert load_calibration(tmp_path / "robot.calibration.json") == {"right": inverted}
    arm = load_description(tmp_path / "robot.toml", tmp_path).arms[0]
    assert arm.joints[0].from_steps(2110) < 0
    assert arm.gripper.from_steps(2600) == pytest.approx(0.0)
    assert arm.gripper.from_steps(1500) == pytest.approx(0.07)


def test_without_a_zero_that_somebody_has_shown_it_stays_without_torque(
    described: RobotDescription, tmp_path: Path
) -> None:
    unshown = {name: memory.kept for name, memory in LEROBOTS.items()}
    save_calibration(tmp_path / "robot.calibration.json", {"right": unshown})
    robot = VirtualRobot(description=load_description(tmp_path / "robot.toml", tmp_path))
    robot.advance(0.5)
    assert fault_codes(robot) == ["NOT_CALIBRATED"]


def test_a_zero_from_which_a_joint_never_comes_into_its_range_is_refused(
    described: RobotDescription, tmp_path: Path
) -> None:
    folded = LEROBOTS | {"shoulder_lift": LEROBOTS["shoulder_lift"]._replace(zero=1300)}
    save_calibration(tmp_path / "robot.calibration.json", {"right": folded})
    with pytest.raises(HardwareError, match="show it again"):
        load_description(tmp_path / "robot.toml", tmp_path)
