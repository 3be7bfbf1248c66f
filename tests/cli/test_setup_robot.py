"""`heed setup robot` in a terminal, against simulated arms: healthy, and with what goes wrong on a first evening."""

import json
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from daemon.cli.setup_robot import Setup
from daemon.config import ROBOTS, BodyConfig, Config, ServiceConfig
from daemon.service.control import CommandError
from hw.description import load_description
from hw.protocol import sts
from sim.devices import SimulatedRobot
from sim.scene import Scene
from sim.servo import SimulatedServo

CALIBRATION = Path("bench/body/lerobot/laundry.json")
YES = {"101/100": "101", "Y/n": "", "y/N": "y"}
"""What a person answers to questions that hold these."""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    monkeypatch.setenv("HF_LEROBOT_HOME", str(tmp_path / "lerobot"))
    monkeypatch.delenv("HF_LEROBOT_CALIBRATION", raising=False)
    (tmp_path / "config.toml").write_text('[body]\n# robot = "sim"      # another\n[console]\n')
    return replace(Config(), folder=tmp_path, service=ServiceConfig(runtime_directory=str(tmp_path)), body=BodyConfig())


@contextmanager
def plugged_in(folder: Path, robot: str = "so101") -> Iterator[SimulatedRobot]:
    """Arms with the calibration that LeRobot wrote into somebody's."""
    devices = SimulatedRobot(folder, Scene.load(Path("sim/scenes/desk.toml")), _described(robot, folder))
    for arm in devices.arms.values():
        for servo in (*arm.joints, arm.gripper):
            _write_calibration(servo)
        arm.gripper.position = 2500.0  # within the range that was recorded
    devices.start()
    try:
        yield devices
    finally:
        devices.close()


def test_an_arm_becomes_a_robot_in_one_conversation(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with plugged_in(tmp_path) as devices:
        assert _setup(config, devices).run() == 0
        told = capsys.readouterr().out
        assert "Ready: heed run" in told
        assert "FAIL" not in told
        assert "ok   right gripper" not in told  # joints alone
    described = load_description(tmp_path / "robot.toml", tmp_path)
    assert described.arms[0].device == tmp_path / "dev" / "right_arm"
    assert described.arms[0].voltage == (9.0, 13.5)
    assert not described.arms[0].uncalibrated
    assert tomllib.loads((tmp_path / "config.toml").read_text())["body"]["robot"] == "robot.toml"


def test_whoever_was_interrupted_begins_again_and_is_not_asked_twice(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with plugged_in(tmp_path) as devices:
        with pytest.raises(KeyboardInterrupt):
            _setup(config, devices, {"101/100": "100", "Use that": KeyboardInterrupt}).run()
        assert _setup(config, devices, {"101/100": AssertionError, "within reach": "n"} | YES).run() == 0
    assert "describes it already" in capsys.readouterr().out
    assert 'model = "so100"' in (tmp_path / "robot.toml").read_text()


def test_a_file_of_lerobots_that_the_servos_agree_with_is_found_among_several(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lerobot/calibration/robots/so_follower"
    folder.mkdir(parents=True)
    for file in CALIBRATION.parent.glob("*.json"):
        (folder / file.name).write_text(file.read_text())
    with plugged_in(tmp_path) as devices:
        _setup(config, devices, {"Use that": AssertionError, "within reach": "n"} | YES).run()
    assert "so_follower/laundry.json" in capsys.readouterr().out


def test_of_two_arms_a_person_shows_which_is_the_left_one(config: Config, tmp_path: Path) -> None:
    with plugged_in(tmp_path, "so101-pair") as devices:
        show = turning_by_hand(devices, "right")  # the port that the simulation calls right_arm
        _setup(config, devices, {"LEFT": show, "within reach": "n"} | YES).run()
    arms = {arm.name: arm.device.name for arm in load_description(tmp_path / "robot.toml", tmp_path).arms}
    assert arms == {"left": "right_arm", "right": "left_arm"}


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (lambda devices: _servo(devices, 4, mute=True), r"servo 4 \(wrist_flex\) does not answer: look at the cable"),
        (lambda devices: _servo(devices, 1, mute=True), r"servo 1 \(shoulder_pan\) does not answer: is it plugged"),
        (lambda devices: _servo(devices, 3, twin=True), "two servos have the id 3"),
        (lambda devices: _register(devices, 2, sts.MODEL_NUMBER, 1029), r"servo 2 \(shoulder_lift\) is model 1029"),
        (
            lambda devices: [_servo(devices, number, mute=True) for number in range(1, 7)],
            "nobody answers: is the supply",
        ),
        (lambda devices: devices.unplug("right"), "does not open"),
        (lambda devices: _register(devices, 3, sts.MIN_POSITION, 0, 31), "not calibrated: elbow_flex"),
    ],
)
def test_what_goes_wrong_is_told_in_one_sentence(
    trouble: Callable[[SimulatedRobot], object], told: str, config: Config, tmp_path: Path
) -> None:
    with plugged_in(tmp_path) as devices:
        trouble(devices)
        with pytest.raises(CommandError, match=told):
            _setup(config, devices).run()
        assert not (tmp_path / "robot.calibration.json").exists()


def test_another_firmware_is_told_and_keeps_nobody_from_anything(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with plugged_in(tmp_path) as devices:
        _register(devices, 5, sts.FIRMWARE_MINOR, 9)
        _setup(config, devices, {"within reach": "n"} | YES).run()
    assert "servo 5 (wrist_roll) has firmware 3.9, the others 3.10" in capsys.readouterr().out


def test_a_description_that_a_person_wrote_is_not_lost(config: Config, tmp_path: Path) -> None:
    (tmp_path / "robot.toml").write_text("# mine\n" + (ROBOTS / "so101.toml").read_text())
    with plugged_in(tmp_path) as devices:
        with pytest.raises(CommandError, match="was kept"):
            _setup(config, devices, {"Replace it": "n"} | YES).run()
        _setup(config, devices, {"within reach": "n"} | YES).run()
    assert (tmp_path / "robot.toml.before").read_text().startswith("# mine")


def _setup(config: Config, devices: SimulatedRobot, answers: Mapping[str, object] = YES) -> Setup:
    def ask(question: str) -> str:
        answer = next((answer for part, answer in answers.items() if part in question), "")
        if isinstance(answer, type):
            raise answer(question)
        return answer(question) if callable(answer) else str(answer)

    return Setup(config, ask, [config.folder / "dev" / f"{name}_arm" for name in devices.arms])


def _described(robot: str, folder: Path):
    return load_description(ROBOTS / f"{robot}.toml", folder, simulated=True)


def _write_calibration(servo: SimulatedServo) -> None:
    joint = next(one for one in json.loads(CALIBRATION.read_text()).values() if one["id"] == servo.id)
    for register, key in (
        (sts.HOMING_OFFSET, "homing_offset"),
        (sts.MIN_POSITION, "range_min"),
        (sts.MAX_POSITION, "range_max"),
    ):
        servo.write(register.address, sts.encode_value(register, joint[key])[0])


def _servo(devices: SimulatedRobot, number: int, **changed: bool) -> None:
    for name, value in changed.items():
        setattr(devices.arms["right"].chain.servos[number], name, value)


def _register(
    devices: SimulatedRobot, number: int, register: sts.Register, value: int, offset: int | None = None
) -> None:
    servo = devices.arms["right"].chain.servos[number]
    servo.write(register.address, sts.encode_value(register, value)[0])
    if offset is not None:
        servo.write(sts.MAX_POSITION.address, sts.encode_value(sts.MAX_POSITION, 4095)[0])
        servo.write(sts.HOMING_OFFSET.address, sts.encode_value(sts.HOMING_OFFSET, 0)[0])


def turning_by_hand(devices: SimulatedRobot, arm: str) -> Callable[[str], str]:
    """What a person does who is asked: open and close an arm's gripper until its motor holds it, for ten seconds at
    most."""
    gripper = devices.arms[arm].gripper

    def turn(to: float) -> None:
        if not gripper.powered:
            gripper.position = to

    def open_and_close() -> None:
        for number in range(100):
            devices.call(partial(turn, 2300.0 + 200 * (number % 3)))
            time.sleep(0.1)

    def answer(question: str) -> str:
        threading.Thread(target=open_and_close, daemon=True).start()
        return ""

    return answer
