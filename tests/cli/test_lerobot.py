"""`heed hw import-lerobot`: calibrations of other people's arms, taken over without a byte written into a servo."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.cli.hardware import Options, inspect_hw
from daemon.config import ROBOTS, BodyConfig, Config, ServiceConfig
from daemon.service.control import CommandError
from hw.description import load_description
from hw.protocol import sts
from sim.devices import SimulatedRobot
from sim.scene import Scene

PUBLISHED = Path("bench/body/lerobot")
FOLDER = Path("calibration/robots/so_follower")


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """A person with an SO-101 that is not plugged in, and whose LeRobot keeps its files in tmp_path."""
    monkeypatch.setenv("HF_LEROBOT_HOME", str(tmp_path))
    monkeypatch.delenv("HF_LEROBOT_CALIBRATION", raising=False)
    device = f'device = "{tmp_path}/dev/right_arm"'
    (tmp_path / "robot.toml").write_text((ROBOTS / "so101.toml").read_text().replace('device = "/dev/ttyACM0"', device))
    return replace(
        Config(),
        folder=tmp_path,
        body=BodyConfig(robot="robot.toml"),
        service=ServiceConfig(runtime_directory=str(tmp_path)),
    )


@pytest.fixture
def arm(tmp_path: Path, config: Config) -> Iterator[SimulatedRobot]:
    """The same arm, plugged in, with what LeRobot has written into its servos."""
    described = load_description(ROBOTS / "so101.toml", tmp_path, simulated=True)
    robot = SimulatedRobot(tmp_path, Scene.load(Path("sim/scenes/desk.toml")), described)
    for servo in robot.arms["right"].chain.servos.values():
        joint = next(
            one for one in json.loads((PUBLISHED / "laundry.json").read_text()).values() if one["id"] == servo.id
        )
        for register, key in (
            (sts.HOMING_OFFSET, "homing_offset"),
            (sts.MIN_POSITION, "range_min"),
            (sts.MAX_POSITION, "range_max"),
        ):
            servo.write(register.address, sts.encode_value(register, joint[key])[0])
    robot.start()
    yield robot
    robot.close()


@pytest.mark.parametrize("file", sorted(PUBLISHED.glob("*.json")), ids=lambda file: file.stem)
def test_a_calibration_is_found_and_taken_over(
    file: Path, config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _put(file, tmp_path / FOLDER / "my_arm.json")
    assert inspect_hw("import-lerobot", Options(), config) == 0
    assert "not compared with the servos" in capsys.readouterr().out
    described = load_description(tmp_path / "robot.toml", tmp_path)
    assert not described.arms[0].uncalibrated


def test_what_the_servos_hold_is_compared_and_nothing_is_written(
    arm: SimulatedRobot, config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _put(PUBLISHED / "laundry.json", tmp_path / FOLDER / "my_arm.json")
    assert inspect_hw("import-lerobot", Options(), config) == 0
    assert "the servos hold the same" in capsys.readouterr().out
    assert not any(seen.content.code == sts.Instruction.WRITE for seen in arm.frames)  # type: ignore[union-attr]


def test_the_file_of_another_arm_is_refused(arm: SimulatedRobot, config: Config, tmp_path: Path) -> None:
    _put(PUBLISHED / "none.json", tmp_path / FOLDER / "other.json")
    with pytest.raises(CommandError, match=r"servo 1 \(shoulder_pan\) holds offset -2007, 790 to 3336, the file"):
        inspect_hw("import-lerobot", Options(), config)
    assert not (tmp_path / "robot.calibration.json").exists()


def test_older_names_of_lerobot_are_looked_in(config: Config, tmp_path: Path) -> None:
    _put(PUBLISHED / "follower.json", tmp_path / "calibration/robots/so101_follower/None.json")
    assert inspect_hw("import-lerobot", Options(), config) == 0


def test_of_several_files_one_must_be_named(config: Config, tmp_path: Path) -> None:
    for name in ("one", "two", "pair_left"):
        _put(PUBLISHED / "follower.json", tmp_path / FOLDER / f"{name}.json")
    with pytest.raises(CommandError, match=r"several calibrations:\n.*one.json\n.*two.json$"):
        inspect_hw("import-lerobot", Options(), config)
    assert inspect_hw("import-lerobot", Options(file=str(tmp_path / FOLDER / "two.json")), config) == 0


def test_without_a_file_it_is_said_where_it_was_looked_for(config: Config, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=f"{tmp_path}/calibration/robots/so_follower"):
        inspect_hw("import-lerobot", Options(), config)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"drive_mode": 1}, "inverted"),
        ({"id": 4}, "servo 4 there, and servo 1"),
        ({"range_min": 3000, "range_max": 1000}, "the range 3000 to 1000"),
        ({"range_max": 5000}, "1041 to 5000"),
        ({"homing_offset": "x"}, "invalid literal"),
    ],
)
def test_a_file_that_cannot_be_true_is_refused(
    change: dict[str, object], told: str, config: Config, tmp_path: Path
) -> None:
    table = json.loads((PUBLISHED / "follower.json").read_text())
    table["shoulder_pan"] |= change
    (tmp_path / "broken.json").write_text(json.dumps(table))
    with pytest.raises(CommandError, match=told):
        inspect_hw("import-lerobot", Options(file=str(tmp_path / "broken.json")), config)


def _put(file: Path, there: Path) -> None:
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, there)
