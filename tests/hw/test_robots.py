"""Robots that people own: their descriptions are the published geometry, and calibration by LeRobot fits them."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench.body.published_urdf import PUBLISHED, farthest_off
from hw.calibration import save_calibration
from hw.description import RobotDescription, load_description
from hw.servo import Memory
from hw.state import HardwareError, UnreachableError

ROBOTS = Path("hw/robots")
CALIBRATIONS = Path("bench/body/lerobot")


@pytest.mark.parametrize("name", ["so101", "so100", "so101-pair", "koch", "lekiwi", "xlerobot", "xlerobot-2wheels"])
def test_a_description_loads_with_and_without_metal(name: str, tmp_path: Path) -> None:
    metal, simulated = (load_description(ROBOTS / f"{name}.toml", tmp_path, simulated) for simulated in (False, True))
    assert all(arm.uncalibrated for arm in metal.arms)
    assert not any(arm.uncalibrated for arm in simulated.arms)
    assert all(arm.device.parent == tmp_path / "dev" for arm in simulated.arms)
    assert metal.embodiment["drives"] is (name in ("lekiwi", "xlerobot", "xlerobot-2wheels"))


@pytest.mark.parametrize("model", sorted(PUBLISHED))
def test_an_arm_is_that_of_the_published_urdf(model: str, tmp_path: Path) -> None:
    arm = load_description(ROBOTS / f"{model}.toml", tmp_path, simulated=True).arms[0].kinematics
    assert farthest_off(arm, PUBLISHED[model]) < 0.0005


@pytest.mark.parametrize(
    ("height", "nearest", "farthest"), [(0.02, 0.12, 0.40), (0.05, 0.12, 0.40), (0.10, 0.16, 0.40), (0.15, 0.18, 0.38)]
)
def test_the_so101_reaches_what_was_measured_of_it(
    height: float, nearest: float, farthest: float, tmp_path: Path
) -> None:
    arm = load_description(ROBOTS / "so101.toml", tmp_path, simulated=True).arms[0].kinematics
    for distance in np.arange(nearest, farthest + 0.001, 0.04):
        arm.ik(arm.mount[0] + float(distance), 0.0, arm.mount[2] + height)
    with pytest.raises(UnreachableError):
        arm.ik(arm.mount[0] + 0.55, 0.0, arm.mount[2] + height)


@pytest.mark.parametrize("file", sorted(CALIBRATIONS.glob("*.json")), ids=lambda file: file.stem)
def test_zero_is_the_middle_of_the_range_that_lerobot_recorded(file: Path, tmp_path: Path) -> None:
    described = _calibrated(file, tmp_path)
    recorded = json.loads(file.read_text())
    arm = described.arms[0]
    assert not arm.uncalibrated
    for joint in arm.joints:
        low, high = recorded[joint.name]["range_min"], recorded[joint.name]["range_max"]
        assert joint.from_steps((low + high) / 2) == pytest.approx(0.0)
        assert low <= joint.step_range[0]
        assert joint.step_range[1] <= high
        assert joint.memory == Memory(recorded[joint.name]["homing_offset"], low, high)
    gripper = recorded["gripper"]
    assert arm.gripper.from_steps(gripper["range_min"]) == pytest.approx(0.0)
    assert arm.gripper.from_steps(gripper["range_max"]) == pytest.approx(0.075)


def test_nothing_is_asked_of_an_arm_beyond_the_range_that_was_recorded(tmp_path: Path) -> None:
    described = _calibrated(CALIBRATIONS / "follower.json", tmp_path)
    roll = described.arms[0].kinematics.joints[-1]
    assert roll.upper < 2.0
    assert roll.lower > -2.0  # 899 to 3221 steps; the model alone would allow 2.74


def test_a_model_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    file.write_text((ROBOTS / "so101.toml").read_text().replace('model = "so101"', 'model = "so102"'))
    with pytest.raises(HardwareError, match=r"so102.*so100, so101"):
        load_description(file, tmp_path)


def _calibrated(file: Path, folder: Path) -> RobotDescription:
    """An SO-101 with the calibration of that file of LeRobot's."""
    joints = json.loads(file.read_text())
    memories = {
        name: Memory(joint["homing_offset"], joint["range_min"], joint["range_max"]) for name, joint in joints.items()
    }
    save_calibration(folder / "robot.calibration.json", {"right": memories})
    (folder / "robot.toml").write_text((ROBOTS / "so101.toml").read_text())
    return load_description(folder / "robot.toml", folder)
