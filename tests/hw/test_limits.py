"""What no request may exceed: bounded, or refused with a sentence."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.limits import (
    LOOK_AHEAD,
    JointLimits,
    LimitError,
    bound_goal,
    clamp_positions,
    clamp_speed,
    finite,
)

JOINT = JointLimits(-1.0, 2.0, velocity=2.5, acceleration=8.0)


def test_positions_within_the_limits_are_kept_and_others_are_told() -> None:
    kept, reasons = clamp_positions(["yaw", "pitch"], [JOINT, JOINT], [0.5, -3])
    assert (kept, reasons) == ((0.5, -1.0), ("pitch clamped from -3.000 to -1.000",))


def test_too_few_positions_are_answered_with_the_names() -> None:
    with pytest.raises(LimitError, match="send 2: yaw, pitch"):
        clamp_positions(["yaw", "pitch"], [JOINT, JOINT], [0.5])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "1", None, True, [1]])
def test_only_finite_numbers_are_numbers(value: object) -> None:
    with pytest.raises(LimitError, match="finite"):
        finite("x", value)


def test_a_speed_is_a_share_of_the_limit() -> None:
    assert clamp_speed(0.5) == (0.5, ())
    assert clamp_speed(-1)[0] == 0.05
    assert clamp_speed(3) == (1.0, ("speed clamped from 3 to 1",))


@given(st.floats(-9, 9), st.floats(-1, 2), st.floats(-1, 2), st.floats(0, 0.05))
def test_a_goal_stays_in_range_and_near_the_joint(wanted: float, last: float, measured: float, dt: float) -> None:
    goal = bound_goal(wanted, last, measured, JOINT, dt)
    assert JOINT.lower <= goal <= JOINT.upper
    assert abs(goal - measured) <= JOINT.velocity * LOOK_AHEAD + 1e-9


def test_a_joint_that_was_carried_far_out_of_its_range_is_not_called_back_with_a_leap() -> None:
    """One byte in a hundred spoiled had changed a servo's own range, and it ran there while nobody could look."""
    far_out = JOINT.lower - 2 * JOINT.velocity * LOOK_AHEAD
    assert bound_goal(1.0, 1.0, far_out, JOINT, 0.05) == 1.0
    assert bound_goal(1.0, far_out, far_out, JOINT, 0.05) == far_out  # which is no goal: hw/arm.py leaves it out


@given(st.floats(-9, 9), st.floats(-1, 2), st.floats(0, 0.05))
def test_a_goal_travels_no_faster_than_the_joint(wanted: float, at: float, dt: float) -> None:
    assert abs(bound_goal(wanted, at, at, JOINT, dt) - at) <= JOINT.velocity * dt + 1e-9


@pytest.mark.parametrize(("wanted", "at", "end"), [(9.0, 2.0, 2.0), (-9.0, -1.0, -1.0), (9.0, 2.2, 2.0)])
def test_at_the_end_of_its_range_a_joint_is_sent_no_further(wanted: float, at: float, end: float) -> None:
    assert bound_goal(wanted, at, at, JOINT, 0.05) == end
