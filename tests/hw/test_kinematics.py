"""Inverse kinematics against forward kinematics, on the arms of the simulated robot."""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from hw.kinematics import Arm
from hw.state import UnreachableError

DESCRIPTION = tomllib.loads((Path(__file__).parents[2] / "hw/robots/sim.toml").read_text())
ARMS = [Arm.from_description(DESCRIPTION, name) for name in ("left", "right")]
both = pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)


def random_joints(arm: Arm, count: int, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.uniform([j.lower for j in arm.joints], [j.upper for j in arm.joints], (count, len(arm.joints)))


def in_workspace(arm: Arm, joints: np.ndarray) -> bool:
    tip = arm.fk(joints)
    low, high = arm.workspace
    return all(a <= b <= c for a, b, c in zip(low, (tip.x, tip.y, tip.z), high, strict=True))


@both
def test_all_angles_zero_points_straight_ahead(arm: Arm) -> None:
    tip = arm.fk([0.0] * 6)
    assert (tip.pitch, tip.yaw, tip.roll) == pytest.approx((0, 0, 0))
    assert tip.y == pytest.approx(arm.mount[1])
    assert math.dist((tip.x, tip.y, tip.z), arm.mount) <= arm.reach


def test_positive_pitch_points_down() -> None:
    assert ARMS[0].fk([0, 0.5, 0, 0, 0, 0]).pitch == pytest.approx(0.5)
    assert ARMS[0].fk([0, 0.5, 0, 0, 0, 0]).z < ARMS[0].fk([0.0] * 6).z


@both
def test_ninety_nine_of_a_hundred_reachable_targets_are_reached(arm: Arm) -> None:
    targets = [arm.fk(joints) for joints in random_joints(arm, 250) if in_workspace(arm, joints)]
    reached = 0
    for target in targets:
        try:
            tip = arm.fk(arm.ik(target.x, target.y, target.z, target.pitch))
        except UnreachableError:
            continue
        assert math.dist((tip.x, tip.y, tip.z), (target.x, target.y, target.z)) < 0.001
        assert abs(tip.pitch - target.pitch) < 0.01
        reached += 1
    assert len(targets) > 100
    assert reached >= 0.99 * len(targets)


@both
def test_answers_stay_within_the_joints_limits(arm: Arm) -> None:
    for x, y, z in [(0.5, 0.0, 0.8), (0.4, 0.3, 1.2), (0.28, 0.0, 0.1)]:
        pitch = 1.2 if z < 0.3 else 0.0
        for joint, angle in zip(arm.joints, arm.ik(x, y, z, pitch), strict=True):
            assert joint.lower <= angle <= joint.upper


@both
def test_a_seed_next_to_the_answer_is_hardly_left(arm: Arm) -> None:
    here = arm.ik(0.5, arm.mount[1], 0.9)
    there = arm.ik(0.51, arm.mount[1], 0.9, seed=here)
    assert max(abs(a - b) for a, b in zip(here, there, strict=True)) < 0.15


@both
def test_the_same_question_gets_the_same_answer(arm: Arm) -> None:
    assert arm.ik(0.45, 0.1, 1.0) == arm.ik(0.45, 0.1, 1.0)


def test_a_point_too_far_away_says_how_much_too_far() -> None:
    with pytest.raises(UnreachableError, match=r"m too far: drive closer"):
        ARMS[0].ik(0.89, 0.9, 1.5)


def test_a_point_outside_the_workspace_is_refused_before_any_search() -> None:
    with pytest.raises(UnreachableError, match="outside the left arm's workspace"):
        ARMS[0].ik(3.0, 0.0, 0.8)


def test_a_wrong_pitch_is_answered_with_one_that_works() -> None:
    with pytest.raises(UnreachableError, match=r"pitch 1\.20 works there"):
        ARMS[0].ik(0.28, 0.0, 0.1, pitch=0.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_pose_that_is_no_number_is_a_value_error(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        ARMS[0].ik(bad, 0.0, 0.8)
