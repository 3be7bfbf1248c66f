"""Hand and eye: mount and joints' zeros from a tag in the hand, and what a touch tells, with a simulated arm."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.body.drawn_room import MOUNT
from camera.hand_eye import LEAST_POSES, POSES, Pose, fit_hand_eye
from camera.lens import Floats
from camera.mount import Mount
from camera.trouble import EyesError
from daemon.cli.hand_eye import HandAndEye, check, read_checks, show_poses, told_hand_eye
from hw.description import load_description
from hw.state import ArmState, TipPose

ARM = load_description(Path("hw/robots/sim.toml"), Path("/nowhere"), simulated=True).arms[0]
KINEMATICS = ARM.kinematics
MEASURED = Mount(MOUNT["position"], MOUNT["pitch"])  # type: ignore[arg-type]
ZEROS = np.radians([0.9, -1.1, 0.7, 1.2, -0.8, 1.0])
HELD = np.array([0.01, 0.02, -0.03])


def sagged() -> Mount:
    x, y, z = MEASURED.position
    pitch, yaw, roll = math.radians(1.5), math.radians(-1.0), math.radians(0.8)
    return Mount((x + 0.02, y - 0.015, z + 0.01), MEASURED.pitch + pitch, yaw, roll)


def before_the_camera(count: int, seed: int) -> Floats:
    """Angles of poses in which the hand is 0.35 to 0.6 m ahead, with any turn of the wrist, (count, 6)."""
    random, rows = np.random.default_rng(seed), []
    while len(rows) < count:
        row = np.array([random.uniform(joint.lower, joint.upper) for joint in KINEMATICS.joints])
        tip = KINEMATICS.fk(row)
        if 0.30 < tip.x < 0.60 and abs(tip.y) < 0.35 and 0.65 < tip.z < 1.0:
            rows.append(row)
    return np.array(rows)


def seen_from(mount: Mount, rows: Floats, seed: int, noise: float = 0.001) -> list[Pose]:
    """What the servos tell, and the camera, of an arm whose joints stand farther by ZEROS."""
    random = np.random.default_rng(seed)
    positions, rotations = KINEMATICS.frames(rows + ZEROS)
    seen = mount.to_camera(positions + rotations @ HELD)
    return [
        Pose(tuple(row), point + random.normal(0, noise, 3)) for row, point in zip(rows.tolist(), seen, strict=True)
    ]


def test_mount_and_zeros_in_one_fit_bring_hand_and_eye_together() -> None:
    poses = seen_from(sagged(), before_the_camera(POSES, 1), 2)
    found = fit_hand_eye(KINEMATICS, poses, MEASURED)
    rows = before_the_camera(40, 3)
    truly, _ = KINEMATICS.frames(rows + ZEROS)

    def missed(mount: Mount, zeros: Floats) -> float:
        """Metres, in the middle, between where the camera sees fingertips and where the joints tell that they are."""
        told, _ = KINEMATICS.frames(rows + zeros)
        return float(np.median(np.linalg.norm(mount.to_robot(sagged().to_camera(truly)) - told, axis=1)))

    assert missed(MEASURED, np.zeros(6)) > 0.02
    assert missed(found.mount, np.array(found.zeros)) < 0.005
    assert found.residual < 0.004
    assert fit_hand_eye(KINEMATICS, poses, MEASURED, zeros=False).residual > found.residual


def test_what_is_right_stays_as_it_was_measured() -> None:
    rows = before_the_camera(POSES, 1)
    positions, rotations = KINEMATICS.frames(rows)
    seen = MEASURED.to_camera(positions + rotations @ HELD)
    poses = [Pose(tuple(row), point) for row, point in zip(rows.tolist(), seen, strict=True)]
    found = fit_hand_eye(KINEMATICS, poses, MEASURED)
    assert np.abs(found.zeros).max() < math.radians(0.1)
    assert np.linalg.norm(np.subtract(found.mount.position, MEASURED.position)) < 0.003


def test_too_few_poses_are_refused() -> None:
    poses = seen_from(sagged(), before_the_camera(LEAST_POSES - 1, 1), 2)
    with pytest.raises(EyesError, match="too few"):
        fit_hand_eye(KINEMATICS, poses, MEASURED)


def robot(states: Callable[[], ArmState], sights: Iterator[Floats | None]) -> HandAndEye:
    def see() -> Floats:
        seen = next(sights)
        if seen is None:
            raise EyesError("tag 0 is not in view")
        return seen

    return HandAndEye(ARM, MEASURED, states, see)


def test_a_person_shows_poses_and_reads_what_to_write_down() -> None:
    poses = seen_from(sagged(), before_the_camera(POSES, 1), 2)
    shown = [poses[0], poses[0], *poses[1:]]  # one is shown twice
    states = iter([ArmState(pose.joints, TipPose(0, 0, 0), 0.0) for pose in [poses[0], *shown]])
    guided = robot(lambda: next(states), iter([None, *(pose.seen for pose in shown)]))
    told: list[str] = []
    taken = show_poses(guided, told.append, lambda question: "")
    assert len(taken) == POSES
    assert any("not in view" in line for line in told)
    assert any("you have shown" in line for line in told)
    lines = told_hand_eye(guided, taken)
    assert lines[1].startswith("mount = { position = [")
    assert [line.split("# ")[1] for line in lines[2:]] == [joint.name for joint in ARM.joints]
    zeros = [int(line.split()[2]) for line in lines[2:]]
    off = [(joint.zero - zero) * joint.scale for joint, zero in zip(ARM.joints, zeros, strict=True)]
    assert np.degrees(np.abs(np.array(off) - ZEROS)).max() < 1.2


def test_a_touch_tells_by_how_much_hand_and_eye_differ_and_is_kept(tmp_path: Path) -> None:
    at = np.array([0.5, 0.1, 0.8])
    state = ArmState((), TipPose(0.503, 0.096, 0.8), 0.0)
    told: list[str] = []
    file = tmp_path / "robot.checks.json"
    guided = replace(robot(lambda: state, iter([])), see=lambda: MEASURED.to_camera(at[None])[0])
    assert check(guided, file, told.append, lambda question: "") == pytest.approx(0.005)
    assert told[-1] == "hand and eye are 5 mm apart: +3 mm ahead, -4 to the left, +0 up"
    check(guided, file, told.append, lambda question: "")
    assert [entry["arm"] for entry in read_checks(file)] == [ARM.name] * 2
    assert json.loads(file.read_text())[0]["off"] == pytest.approx([0.003, -0.004, 0.0])


def test_a_hand_that_misses_by_more_than_fingers_allow_is_told_what_to_do(tmp_path: Path) -> None:
    state = ArmState((), TipPose(0.53, 0.1, 0.8), 0.0)
    told: list[str] = []
    guided = replace(robot(lambda: state, iter([])), see=lambda: MEASURED.to_camera(np.array([[0.5, 0.1, 0.8]]))[0])
    check(guided, tmp_path / "c.json", told.append, lambda question: "")
    assert "calibrate mount, or hand" in told[-1]
