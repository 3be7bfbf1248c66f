"""Trapezoids and brakes: within the limits, and where they should end."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.limits import JointLimits
from hw.motion import Brake, Move, Trapezoid, approach_velocity, ramp, stopping_point, wrap

limits = st.builds(JointLimits, st.just(-3.0), st.just(3.0), st.floats(0.1, 3), st.floats(0.5, 20))
joints = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3), limits), min_size=1, max_size=6)


def test_a_long_way_is_cruised_and_a_short_one_is_not() -> None:
    assert Trapezoid(1.0, velocity=0.5, acceleration=1.0).duration == pytest.approx(2.5)
    assert Trapezoid(0.25, velocity=9.0, acceleration=1.0).duration == pytest.approx(1.0)


@given(joints, st.floats(0.05, 1))
def test_a_move_keeps_velocity_and_acceleration_and_arrives(
    chain: list[tuple[float, float, JointLimits]], speed: float
) -> None:
    start, goal, bounds = (tuple(part) for part in zip(*chain, strict=True))
    move = Move(start, goal, bounds, speed)
    assert move.at(0.0)[0] == pytest.approx(start, abs=1e-8)  # what is nearer than that is there
    assert move.at(move.duration)[0] == goal
    dt = max(move.duration, 0.01) / 50
    samples = [move.at(i * dt) for i in range(52)]
    for (_, before), (_, after) in itertools.pairwise(samples):
        for v, w, bound in zip(before, after, bounds, strict=True):
            assert abs(w) <= speed * bound.velocity * 1.001
            assert abs(w - v) <= bound.acceleration * dt * 1.001


@given(joints)
def test_a_brake_ends_at_rest_within_the_range(chain: list[tuple[float, float, JointLimits]]) -> None:
    start, velocities, bounds = (tuple(part) for part in zip(*chain, strict=True))
    brake = Brake(start, velocities, bounds)
    positions, at_rest = brake.at(brake.duration)
    assert all(v == pytest.approx(0.0) for v in at_rest)
    assert all(bound.lower <= at <= bound.upper for at, bound in zip(positions, bounds, strict=True))


def test_a_brake_of_joints_at_rest_takes_no_time() -> None:
    brake = Brake((1.0,), (0.0,), (JointLimits(-2, 2, 1, 1),))
    assert (brake.duration, brake.at(5.0)) == (0.0, ((1.0,), (0.0,)))


@pytest.mark.parametrize("velocity", [2.0, -2.0])
def test_a_stopping_point_lies_ahead(velocity: float) -> None:
    assert stopping_point(1.0, velocity, 4.0) == pytest.approx(1.0 + math.copysign(0.5, velocity))


@given(st.floats(-10, 10))
def test_who_approaches_can_still_stop_in_time(distance: float) -> None:
    velocity = approach_velocity(distance, 1.0, 2.0)
    assert velocity * distance >= 0
    assert velocity**2 / (2 * 2.0) <= abs(distance)


def test_a_ramp_takes_one_step_at_most() -> None:
    assert (ramp(0.0, 1.0, 0.3), ramp(0.0, -1.0, 0.3), ramp(0.9, 1.0, 0.3)) == (0.3, -0.3, 1.0)


@given(st.floats(-50, 50))
def test_wrapping_keeps_the_direction(angle: float) -> None:
    assert -math.pi <= wrap(angle) <= math.pi
    assert math.cos(wrap(angle)) == pytest.approx(math.cos(angle), abs=1e-9)
