"""Robots that people own: their descriptions are the published geometry, and calibration by LeRobot fits them."""

import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hw.calibration import save_calibration
from hw.description import RobotDescription, load_description
from hw.robot_file import complete
from hw.servo import Memory
from hw.state import HardwareError, UnreachableError

ROBOTS = Path("hw/robots")
CALIBRATIONS = Path(__file__).parent / "lerobot"
LEROBOT_SIGNS = {"shoulder_pan": -1, "wrist_roll": -1}
"""Of joints that turn the other way in LeRobot's numbers and in the URDF; of the others 1."""

Floats = NDArray[np.float64]
Chain = list[tuple[tuple[float, float, float], tuple[float, float, float], tuple[int, int, int]]]

SO101: Chain = [
    ((0.0207909, -0.0230745, 0.0948817), (-3.14159, 0, 1.5708), (0, 0, 1)),
    ((-0.0303992, -0.0182778, -0.0542), (-1.5708, -1.5708, 0), (0, 0, 1)),
    ((-0.11257, -0.028, 0), (0, 0, 1.5708), (0, 0, 1)),
    ((-0.1349, 0.0052, 0), (0, 0, -1.5708), (0, 0, 1)),
    ((0, -0.0611, 0.0181), (1.5708, 0, 3.14159), (0, 0, 1)),
]
"""Origins, roll-pitch-yaw and axes in so101_new_calib.urdf, TheRobotStudio/SO-ARM100 at 96f799e0, Apache-2.0."""
SO101_TIP = (-0.0079, -0.000218121, -0.0981274)
SO100: Chain = [
    ((0, -0.0452, 0.0165), (1.57079, 0, 0), (0, 1, 0)),
    ((0, 0.1025, 0.0306), (-1.8, 0, 0), (1, 0, 0)),
    ((0, 0.11257, 0.028), (1.57079, 0, 0), (1, 0, 0)),
    ((0, 0.0052, 0.1349), (-1, 0, 0), (1, 0, 0)),
    ((0, -0.0601, 0), (0, 1.57079, 0), (0, 1, 0)),
]
"""The same in so100.urdf at 0c8e2892, as far as the wrist; it knows no finger tips."""
SO100_ZEROS = (0.0, 1.8, -math.pi / 2, 1 - math.pi / 2, 0.0)
"""Angles of that URDF where the arm stands as SO-101's does at zero: upper arm up, forearm and hand level."""


@pytest.mark.parametrize("name", ["so101", "so100", "so101-pair"])
def test_a_description_loads_with_and_without_metal(name: str, tmp_path: Path) -> None:
    metal, simulated = (load_description(ROBOTS / f"{name}.toml", tmp_path, simulated) for simulated in (False, True))
    assert all(arm.uncalibrated for arm in metal.arms)
    assert not any(arm.uncalibrated for arm in simulated.arms)
    assert all(arm.device.parent == tmp_path / "dev" for arm in simulated.arms)
    assert metal.embodiment["drives"] is False


def test_the_so101_is_that_of_the_published_urdf(tmp_path: Path) -> None:
    arm = load_description(ROBOTS / "so101.toml", tmp_path, simulated=True).arms[0].kinematics
    base = np.array([0.0388, 0.0, 0.0624])
    for angles in _angles(500):
        theirs, _ = _urdf(SO101, angles, SO101_TIP)
        ours = arm.fk([LEROBOT_SIGNS.get(j.name, 1) * q for j, q in zip(arm.joints, angles, strict=True)])
        here = np.array([ours.x, ours.y, ours.z]) - base
        there = _turned(-math.pi / 2).T @ (theirs - np.array(SO101[0][0]))
        assert np.linalg.norm(here - there) < 0.0005


def test_the_so100_is_that_of_the_published_urdf_as_far_as_its_wrist(tmp_path: Path) -> None:
    table = complete(tomllib.loads((ROBOTS / "so100.toml").read_text()), {}, simulated=True)
    table["arms"]["right"] |= {"tip": [0.0, 0.0, 0.0], "workspace": {"min": [-1, -1, -1], "max": [1, 1, 1]}}
    arm = load_description(ROBOTS / "so100.toml", tmp_path, simulated=True).arms[0].kinematics
    arm = type(arm).from_description(table, "right")
    for angles in _angles(500):
        theirs, _ = _urdf(SO100, angles + np.array(SO100_ZEROS), (0, 0, 0))
        ours = arm.fk([q if j.name != "wrist_roll" else -q for j, q in zip(arm.joints, angles, strict=True)])
        here = np.array([ours.x, ours.y, ours.z]) - np.array([0.0452, 0.0, 0.0165])
        there = _turned(-math.pi / 2).T @ (theirs - np.array(SO100[0][0]))
        assert np.linalg.norm(here - there) < 0.0005


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


def _angles(count: int) -> Floats:
    return np.random.default_rng(1).uniform(-1.5, 1.5, (count, 5))


def _urdf(chain: Chain, angles: Floats, tip: tuple[float, float, float]) -> tuple[Floats, Floats]:
    """Position and rotation of a chain of URDF joints: metres, radians."""
    position, rotation = np.zeros(3), np.eye(3)
    for (origin, (roll, pitch, yaw), axis), angle in zip(chain, angles, strict=True):
        position = position + rotation @ np.array(origin)
        fixed = _about((0, 0, 1), yaw) @ _about((0, 1, 0), pitch) @ _about((1, 0, 0), roll)
        rotation = rotation @ fixed @ _about(axis, float(angle))
    return position + rotation @ np.array(tip), rotation


def _turned(yaw: float) -> Floats:
    return _about((0, 0, 1), yaw)


def _about(axis: tuple[int, int, int], angle: float) -> Floats:
    """Rodrigues' rotation."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=float)
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
