"""A Koch is set up: LeRobot's calibration is taken over, and a person shows where its zero is."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.cli.hardware import Options, inspect_hw
from daemon.cli.setup_robot import Setup
from daemon.config import BodyConfig, Config, ServiceConfig
from daemon.service.control import CommandError
from hw.calibration import load_calibration
from hw.description import load_description
from hw.protocol import dxl2
from sim.devices import SimulatedRobot
from tests.cli.koch import ROBOT, file_of_lerobots, plugged_in, servos, stretch


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    monkeypatch.setenv("HF_LEROBOT_HOME", str(tmp_path / "lerobot"))
    monkeypatch.delenv("HF_LEROBOT_CALIBRATION", raising=False)
    (tmp_path / "config.toml").write_text("[body]\n")
    return replace(Config(), folder=tmp_path, service=ServiceConfig(runtime_directory=str(tmp_path)), body=BodyConfig())


@pytest.mark.whole
def test_it_becomes_a_robot_in_one_conversation(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with plugged_in(tmp_path) as devices:
        file_of_lerobots(devices, tmp_path / "lerobot/calibration/robots/koch_follower/mine.json")
        assert _setup(config, devices).run() == 0
        told = capsys.readouterr().out
        assert "koch_follower/mine.json" in told
        assert "Ready: heed run" in told
        assert "FAIL" not in told
        assert devices.violations == []
        offsets = [servo.value(dxl2.HOMING_OFFSET) for servo in servos(devices).values()]
    arm = load_description(tmp_path / "robot.toml", tmp_path).arms[0]
    assert not arm.uncalibrated
    assert arm.voltage == (9.0, 13.5)
    assert [joint.memory.homing_offset for joint in (*arm.joints, arm.gripper) if joint.memory] == offsets


@pytest.mark.whole
def test_whoever_was_interrupted_is_not_asked_for_the_pose_again(config: Config, tmp_path: Path) -> None:
    with plugged_in(tmp_path) as devices:
        file_of_lerobots(devices, tmp_path / "lerobot/calibration/robots/koch_follower/mine.json")
        with pytest.raises(KeyboardInterrupt):
            _setup(config, devices, {"within reach": _interrupt}).run()
        assert _setup(config, devices, {"Stretch": _never, "within reach": lambda _: "n"}).run() == 0


def test_an_arm_that_was_not_stretched_is_told(config: Config, tmp_path: Path) -> None:
    with plugged_in(tmp_path) as devices:
        file_of_lerobots(devices, tmp_path / "lerobot/calibration/robots/koch_follower/mine.json")

        def fold(question: str) -> str:
            stretch(devices, shoulder_lift=-2.0, elbow_flex=2.8)
            return ""

        with pytest.raises(
            CommandError, match=r"shoulder_lift was recorded from -12 to 116 degrees as seen from there"
        ):
            _setup(config, devices, {"Stretch": fold}).run()
    assert load_calibration(tmp_path / "robot.calibration.json") == {}


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (lambda d: setattr(servos(d)[4], "mute", True), r"servo 4 \(wrist_flex\) does not answer: look at the cable"),
        (lambda d: setattr(servos(d)[3], "twin", True), "two servos have the id 3"),
        (lambda d: servos(d)[2].put(dxl2.MODEL_NUMBER, 1200), r"servo 2 .* is model 1200, not an XL430-W250 \(1060\)"),
        (lambda d: [setattr(servo, "mute", True) for servo in servos(d).values()], "nobody answers: is the supply"),
        (lambda d: d.unplug("right"), "does not open"),
        (
            lambda d: [servos(d)[3].put(register, value) for register, value in _FRESH],
            "not calibrated: elbow_flex",
        ),
    ],
)
def test_what_goes_wrong_is_told_in_one_sentence(
    trouble: Callable[[SimulatedRobot], object], told: str, config: Config, tmp_path: Path
) -> None:
    with plugged_in(tmp_path) as devices:
        trouble(devices)
        with pytest.raises(CommandError, match=told):
            _setup(config, devices).run()


def test_another_firmware_is_told_and_keeps_nobody_from_anything(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with plugged_in(tmp_path) as devices:
        servos(devices)[5].put(dxl2.FIRMWARE, 41)
        _setup(config, devices, {"within reach": lambda _: "n"}).run()
    assert "servo 5 (wrist_roll) has firmware 41, the others 46" in capsys.readouterr().out


def test_what_lerobot_has_is_imported_and_no_offset_is_written(config: Config, tmp_path: Path) -> None:
    config = replace(config, body=BodyConfig(robot="robot.toml"))
    (tmp_path / "robot.toml").write_text(ROBOT.read_text().replace("/dev/ttyACM0", f"{tmp_path}/dev/right_arm"))
    with plugged_in(tmp_path) as devices:
        file = file_of_lerobots(devices, tmp_path / "mine.json")
        offsets = [servo.value(dxl2.HOMING_OFFSET) for servo in servos(devices).values()]
        assert inspect_hw("import-lerobot", Options(file=str(file)), config, _pose(devices)) == 0
        assert inspect_hw("import-lerobot", Options(file=str(file)), config, _never) == 0
        assert [servo.value(dxl2.HOMING_OFFSET) for servo in servos(devices).values()] == offsets
        zeros = [memory.zero for memory in load_calibration(tmp_path / "robot.calibration.json")["right"].values()]
        arm = devices.arms["right"].description
        assert zeros == pytest.approx([joint.to_steps(0.0) for joint in arm.joints] + [None], abs=1)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"range_min": -200}, "calibrate again with LeRobot, each joint in the middle"),
        ({"drive_mode": 1}, r"servo 2 \(shoulder_lift\) holds"),
        ({"homing_offset": 17}, r"servo 2 \(shoulder_lift\) holds offset -1900"),
    ],
)
def test_a_file_of_another_arm_is_refused(changed: dict, told: str, config: Config, tmp_path: Path) -> None:
    config = replace(config, body=BodyConfig(robot="robot.toml"))
    (tmp_path / "robot.toml").write_text(ROBOT.read_text().replace("/dev/ttyACM0", f"{tmp_path}/dev/right_arm"))
    with plugged_in(tmp_path) as devices:
        file = file_of_lerobots(devices, tmp_path / "other.json", **changed)
        with pytest.raises(CommandError, match=told):
            inspect_hw("import-lerobot", Options(file=str(file)), config, _pose(devices))


def test_a_file_of_an_old_lerobot_says_so(config: Config, tmp_path: Path) -> None:
    config = replace(config, body=BodyConfig(robot="robot.toml"))
    (tmp_path / "robot.toml").write_text(ROBOT.read_text())
    (tmp_path / "main_follower.json").write_text('{"homing_offset": [0], "drive_mode": [0], "calib_mode": ["DEGREE"]}')
    with pytest.raises(CommandError, match="before 2025"):
        inspect_hw("import-lerobot", Options(file=str(tmp_path / "main_follower.json")), config)


_FRESH = ((dxl2.HOMING_OFFSET, 0), (dxl2.MIN_POSITION, 0), (dxl2.MAX_POSITION, 4095))


def _setup(config: Config, devices: SimulatedRobot, answers: dict[str, Callable[[str], str]] | None = None) -> Setup:
    known = {"Stretch": _pose(devices), "Y/n": lambda _: "", "y/N": lambda _: "y"}
    known = {**(answers or {}), **{part: answer for part, answer in known.items() if part not in (answers or {})}}

    def ask(question: str) -> str:
        return next((answer(question) for part, answer in known.items() if part in question), "")

    return Setup(config, ask, [config.folder / "dev" / "right_arm"])


def _pose(devices: SimulatedRobot) -> Callable[[str], str]:
    """A person who does as is asked."""

    def stretched(question: str) -> str:
        stretch(devices)
        return ""

    return stretched


def _interrupt(question: str) -> str:
    raise KeyboardInterrupt


def _never(question: str) -> str:
    raise AssertionError(question)
