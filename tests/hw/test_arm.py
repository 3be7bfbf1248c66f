"""Arms of either make of servos: set up, calibrated, bounded in effort, and honest about what a servo says."""

import copy
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hw.arm import ServoArm
from hw.calibration import load_calibration, save_calibration
from hw.description import RobotDescription, describe, load_description
from hw.protocol import dxl2, sts
from hw.servo import Memory
from hw.state import HardwareError
from sim.dynamixel_servo import SimulatedDynamixel
from tests.hw.virtual import ROBOT, VirtualRobot, lifecycles

STRETCHED = [0.3, 0.4, 0.5, 0.2, 0.1, -0.2]
TABLE = tomllib.loads(ROBOT.read_text())


def described(calibration: Any = None, **arm: Any) -> RobotDescription:
    """hw/robots/sim.toml with other words for its left arm."""
    table = copy.deepcopy(TABLE)
    table["arms"]["left"].update(arm)
    return describe(table, Path("/nowhere"), calibration=calibration)


def fault_codes(robot: VirtualRobot) -> list[str]:
    return [fault["code"] for fault in robot.ask("state")["faults"]]


@pytest.fixture(params=[False, True], ids=["sync read", "fast sync read"])
def dynamixel(request: pytest.FixtureRequest) -> VirtualRobot:
    return VirtualRobot(description=described(servos="dynamixel", fast_read=request.param)).activated()


def servos(robot: VirtualRobot) -> dict[int, SimulatedDynamixel]:
    return dict(robot.wires["left"].device.servos)


def test_a_dynamixel_arm_moves_and_grips(dynamixel: VirtualRobot) -> None:
    assert dynamixel.finish(dynamixel.goal("move_joints", arm="left", joints=STRETCHED))["state"] == "succeeded"
    assert dynamixel.ask("state")["arms"]["left"]["joints"] == pytest.approx(STRETCHED, abs=0.03)
    fingers = servos(dynamixel)[7]
    dynamixel.finish(dynamixel.goal("grip", arm="left", opening=0.09))
    fingers.obstacle = (dynamixel.description.arms[0].gripper.to_steps(0.04), 4095)
    assert "4.0 cm wide" in dynamixel.finish(dynamixel.goal("grip", arm="left", opening=0.0))["detail"]


def test_a_dynamixel_keeps_its_limits_its_effort_and_its_watchdog(dynamixel: VirtualRobot) -> None:
    for joint in (*dynamixel.description.arms[0].joints, dynamixel.description.arms[0].gripper):
        servo = servos(dynamixel)[joint.servo]
        assert (servo.value(dxl2.MIN_POSITION), servo.value(dxl2.MAX_POSITION)) == joint.step_range
        assert servo.value(dxl2.GOAL_PWM) == round(885 * joint.effort)
        assert servo.value(dxl2.BUS_WATCHDOG) == 10


def test_a_dynamixel_stops_by_itself_when_nobody_speaks_and_starts_after_activation_only(
    dynamixel: VirtualRobot,
) -> None:
    dynamixel.goal("move_joints", arm="left", joints=STRETCHED)
    dynamixel.advance(0.3)
    for servo in servos(dynamixel).values():
        for _ in range(50):
            servo.step(0.01)
    assert all(servo.refuses_goals for servo in servos(dynamixel).values())
    held = [servo.position for servo in servos(dynamixel).values()]
    dynamixel.advance(2.0)
    assert [servo.position for servo in servos(dynamixel).values()] == held
    assert dynamixel.ask("state")["stopped"]
    dynamixel.ask("clear_stop", by="Ada")
    dynamixel.activated()
    assert dynamixel.finish(dynamixel.goal("move_joints", arm="left", joints=STRETCHED))["state"] == "succeeded"


@pytest.mark.parametrize(
    ("bits", "code"), [(0x04, "OVERHEAT"), (0x20, "OVERLOAD"), (0x01, "UNDERVOLTAGE"), (0x10, "DEVICE_ERROR")]
)
def test_an_alert_stops_at_once_and_is_then_named(dynamixel: VirtualRobot, bits: int, code: str) -> None:
    servos(dynamixel)[3].errors = bits
    dynamixel.advance(0.1)
    assert "DEVICE_ERROR" in dynamixel.ask("state")["stopped"]
    dynamixel.advance(0.2)
    assert code in fault_codes(dynamixel)


def test_activation_moves_no_dynamixel(dynamixel: VirtualRobot) -> None:
    dynamixel.body.stop("test")
    for servo in servos(dynamixel).values():
        servo.put(dxl2.TORQUE_ENABLE, 0)
        servo.position += 40
    dynamixel.advance(0.1)
    before = [servo.position for servo in servos(dynamixel).values()]
    dynamixel.ask("clear_stop", by="Ada")
    dynamixel.activated().advance(0.5)
    assert [servo.position for servo in servos(dynamixel).values()] == pytest.approx(before, abs=1)


def test_a_feetech_servo_keeps_its_effort() -> None:
    table = copy.deepcopy(TABLE)
    table["arms"]["left"]["joints"][2]["limits"]["effort"] = 0.6
    robot = VirtualRobot(description=describe(table, Path("/nowhere"))).activated()
    assert robot.servos("left")[3].read(sts.TORQUE_LIMIT.address, 2) == (600).to_bytes(2, "little")
    assert robot.servos("left")[7].read(sts.TORQUE_LIMIT.address, 2) == (400).to_bytes(2, "little")


@pytest.mark.parametrize("change", [{"servos": "lego"}, {"mode": "wheel"}])
def test_what_an_arm_cannot_be_is_refused_when_it_is_described(change: dict) -> None:
    with pytest.raises(HardwareError, match=r"none of|position mode only"):
        described(**change)


@pytest.mark.parametrize(
    ("key", "value"), [("velocity", 0), ("velocity", math.nan), ("acceleration", -1), ("effort", 0), ("effort", 1.1)]
)
def test_limits_that_are_none_are_refused(key: str, value: float) -> None:
    table = copy.deepcopy(TABLE)
    table["arms"]["left"]["joints"][0]["limits"][key] = value
    with pytest.raises(HardwareError, match=key):
        describe(table, Path("/nowhere"))


CALIBRATED = {"left": {"elbow_pitch": Memory(25, 100, 4000)}}


def test_calibration_survives_its_file(tmp_path: Path) -> None:
    save_calibration(tmp_path / "c.json", CALIBRATED)
    assert load_calibration(tmp_path / "c.json") == CALIBRATED
    assert load_calibration(tmp_path / "none.json") == {}


def test_a_broken_calibration_is_said(tmp_path: Path) -> None:
    (tmp_path / "robot.toml").write_text(ROBOT.read_text())
    for text in ("{", "[]", '{"left": {"elbow_pitch": {}}}'):
        (tmp_path / "robot.calibration.json").write_text(text)
        with pytest.raises(HardwareError, match="heed hw calibrate"):
            load_description(tmp_path / "robot.toml", tmp_path)


def calibrated_robot(offset: int) -> VirtualRobot:
    robot = VirtualRobot(description=described(CALIBRATED))
    servo = robot.servos("left")[3]
    for register, value in ((sts.HOMING_OFFSET, offset), (sts.MIN_POSITION, 100), (sts.MAX_POSITION, 4000)):
        servo.write(register.address, sts.encode_value(register, value)[0])
    return robot


def test_a_servo_that_is_as_it_was_calibrated_is_used() -> None:
    assert calibrated_robot(25).activated().ask("state")["faults"] == []


def test_a_servo_that_is_not_as_it_was_calibrated_is_a_fault_until_it_is_and_somebody_clears() -> None:
    robot = calibrated_robot(-300)
    robot.advance(0.5)
    assert fault_codes(robot) == ["CALIBRATION_MISMATCH"]
    assert robot.ask("state")["faults"][0]["severity"] == "fatal"
    assert lifecycles(robot)["left"] == "fault"
    robot.ask("clear_stop", by="Ada")
    robot.advance(1.0)
    assert fault_codes(robot) == ["CALIBRATION_MISMATCH"]
    servo = robot.servos("left")[3]
    servo.write(sts.HOMING_OFFSET.address, sts.encode_value(sts.HOMING_OFFSET, 25)[0])
    robot.ask("clear_stop", by="Ada")
    robot.advance(1.0)
    robot.activated()


def test_limits_wider_than_what_calibration_found_are_refused() -> None:
    with pytest.raises(HardwareError, match="calibrate again"):
        described({"left": {"elbow_pitch": Memory(0, 1500, 2500)}})


def test_a_servo_that_was_reset_is_noticed_though_it_answers() -> None:
    robot = VirtualRobot().activated()
    robot.servos("left")[2].reset()
    robot.advance(1.6)
    assert fault_codes(robot) == ["DEVICE_NOT_ARMED"]
    assert "shoulder_pitch" in robot.ask("state")["stopped"]
    robot.ask("clear_stop", by="Ada")
    robot.advance(2.0)
    robot.activated()


def test_a_hot_servo_is_a_warning_once_and_then_a_stop() -> None:
    robot = VirtualRobot(description=described(temperature=60)).activated()
    robot.servos("left")[2].temperature = 52
    robot.advance(0.5)
    [fault] = robot.ask("state")["faults"]
    assert (fault["code"], fault["count"], robot.ask("state")["stopped"]) == ("HOT", 1, None)
    robot.servos("left")[2].temperature = 60
    robot.advance(0.1)
    assert fault_codes(robot) == ["HOT", "OVERHEAT"]


@pytest.mark.parametrize(("volts", "code"), [(9.0, "UNDERVOLTAGE"), (14.0, "OVERVOLTAGE")])
def test_a_supply_out_of_its_range_stops_the_robot(volts: float, code: str) -> None:
    robot = VirtualRobot(description=described(voltage=[10.5, 12.8])).activated()
    robot.servos("left")[2].voltage = volts
    robot.advance(0.1)
    assert fault_codes(robot) == [code]


def test_a_joint_that_pushes_in_vain_stalls() -> None:
    robot = VirtualRobot().activated()
    joint = robot.servos("left")[1]
    joint.obstacle = (joint.position - 5, joint.position + 5)
    robot.goal("move_joints", arm="left", joints=[0.5, 1.7, -2.7, 1.0, 0.0, 0.0], speed=0.1)
    for _ in range(300):
        robot.advance(0.01)
        robot.ask("alive")
    assert fault_codes(robot) == ["STALL"]


def test_a_joint_that_leaves_its_hold_stops_the_robot_long_before_the_end_of_its_range() -> None:
    robot = VirtualRobot().activated()
    servo = robot.servos("left")[2]
    held = servo.position
    servo.write(sts.MIN_POSITION.address, sts.encode_value(sts.MIN_POSITION, 0)[0])
    servo.write(sts.MAX_POSITION.address, sts.encode_value(sts.MAX_POSITION, round(held) - 200)[0])
    robot.advance(1.0)
    assert fault_codes(robot) == ["HOLD_LOST"]
    assert "HOLD_LOST" in robot.ask("state")["stopped"]


def test_goals_wait_while_a_joint_is_not_seen_and_the_time_is_made_up_for() -> None:
    robot = VirtualRobot().activated()
    goal = robot.goal("move_joints", arm="left", joints=[1.0, 1.7, -2.7, 1.0, 0.0, 0.0], speed=0.5)
    robot.advance(0.3)
    servo = robot.servos("left")[3]
    servo.mute = True
    robot.advance(0.04)
    waits = robot.goals_sent("left")[-1]
    robot.advance(0.04)
    assert robot.goals_sent("left")[-1] == waits
    servo.mute = False
    robot.advance(0.05)
    assert robot.goals_sent("left")[-1] != waits
    assert robot.finish(goal)["state"] == "succeeded"


def test_a_joint_that_was_carried_out_of_its_range_gets_no_goal_from_there() -> None:
    """One byte in a hundred spoiled had changed a servo's own range: it ran to the end of that."""
    robot = VirtualRobot().activated()
    joint = max(robot.description.arms[0].joints, key=lambda joint: joint.step_range[0])
    servo, low = robot.servos("left")[joint.servo], joint.step_range[0]
    for register, end in ((sts.MIN_POSITION, 0), (sts.MAX_POSITION, low - 700)):
        servo.write(register.address, sts.encode_value(register, end)[0])
    robot.advance(2.0)
    assert servo.position < low - 600
    arm = robot.body.components["left"]
    assert isinstance(arm, ServoArm)
    arm.arm.pin()  # as every fault does
    robot.advance(0.1)
    assert joint.servo not in robot.goals_sent("left")[-1]
    assert robot.goals_sent("left")[-1]


def test_a_push_that_is_short_stops_nothing() -> None:
    robot = VirtualRobot().activated()
    robot.servos("left")[2].position += 200
    robot.advance(2.0)
    assert fault_codes(robot) == []


def test_a_load_makes_an_arm_slower_and_too_much_is_refused() -> None:
    robot = VirtualRobot(description=described(payload=0.5)).activated()
    assert robot.ask("carry", arm="left", mass=0.6)["kind"] == "limit"
    assert robot.ask("carry", arm="left", mass=math.nan)["kind"] == "limit"
    assert robot.ask("carry", arm="left", mass=0.5)["ok"]
    answer = robot.ask("move_joints", arm="left", joints=STRETCHED)
    assert answer["clamped"] == ("speed clamped from 1 to 0.5 with 0.5 kg in the hand",)
    robot.ask("carry", arm="left", mass=0)
    robot.finish(answer["goal"])
    assert robot.ask("move_joints", arm="left", joints=[0, 1.7, -2.7, 1.0, 0, 0])["clamped"] == ()


@pytest.mark.parametrize("known", [False, True])
def test_a_servo_of_another_model_is_used_only_when_the_owner_says_so(known: bool) -> None:
    robot = VirtualRobot(description=described(models=[4242] if known else []))
    robot.servos("left")[4].write(sts.MODEL_NUMBER.address, (4242).to_bytes(2, "little"))
    robot.advance(0.5)
    assert fault_codes(robot) == ["WRONG_DEVICE"] * (not known)


def test_an_arm_that_was_never_calibrated_is_written_nothing_and_says_what_to_do() -> None:
    table = tomllib.loads(ROBOT.read_text()) | {"sim": False}
    table["arms"]["left"]["joints"][0]["zero"] = "middle"
    robot = VirtualRobot(description=describe(table, Path()))
    robot.advance(0.5)
    assert "NOT_CALIBRATED" in fault_codes(robot)
    assert "import-lerobot" in robot.ask("state")["faults"][0]["hint"]
    assert not any(packet.code == sts.Instruction.WRITE for packet in robot.wires["left"].sent)


def test_an_arm_of_two_makes_of_dynamixel_has_a_supply_for_each() -> None:
    """As a Koch: XL430 at 12 V in the shoulder, XL330 at 5 V from the elbow on."""
    description = described(servos="dynamixel", voltage=[11.0, 13.0], **_with_small_servos(4))
    robot = VirtualRobot(description=description)
    for number, servo in servos(robot).items():
        if number >= 4:
            servo.put(dxl2.MODEL_NUMBER, 1200)
            servo.voltage = 5.0
    robot.activated()
    assert fault_codes(robot) == []
    servos(robot)[5].voltage = 6.5
    robot.advance(0.2)
    assert fault_codes(robot) == ["OVERVOLTAGE"]


@pytest.mark.parametrize(("make", "name"), [("feetech", "overload torque"), ("dynamixel", "PWM limit")])
def test_gains_and_protection_of_each_servo_are_told_and_nothing_is_written(make: str, name: str) -> None:
    robot = VirtualRobot(description=described(servos=make))
    if make == "feetech":
        for register, value in ((sts.P_GAIN, 16), (sts.OVERLOAD_TORQUE, 25)):
            robot.servos("left")[7].write(register.address, bytes([value]))
    robot.activated()
    told = {motor["id"]: motor for motor in robot.ask("devices")["devices"]["left"]["motors"]}
    assert all({"P", "I", "D", name} <= motor.keys() for motor in told.values())
    if make == "feetech":
        assert (told[7]["P"], told[7]["overload torque"], told[1]["P"]) == (16, 25, 32)


def _with_small_servos(first: int) -> dict[str, Any]:
    """Joints from this servo on, and the gripper, work at 5 V."""
    small = [4.5, 5.5]
    arm = copy.deepcopy(TABLE["arms"]["left"])
    joints = [joint | ({"voltage": small} if joint["servo"] >= first else {}) for joint in arm["joints"]]
    return {"joints": joints, "gripper": arm["gripper"] | {"voltage": small}}
