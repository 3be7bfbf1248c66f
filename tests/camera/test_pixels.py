"""A heed that sees MuJoCo's pixels alone is asked for the juice, and its wheels have drifted (make test-pixels)."""

import ctypes.util
from importlib.util import find_spec

import pytest

from bench.body.pixel_trials import pixel_house
from daemon.eyes.interface import STALE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("mujoco") is None or ctypes.util.find_library("EGL") is None,
        reason="the extra `sim` is not installed, or nothing renders here",
    ),
]


@pytest.mark.timeout(600)
def test_who_sees_pixels_and_does_not_know_where_it_stands_brings_the_juice_on_one_sentence() -> None:
    with pixel_house() as house:
        brought = house.bring(seed=1)
    assert (brought.arrived, brought.why) == (True, "Here is the juice.")
    assert max(brought.ages) < STALE
