"""A LeKiwi's wheels behind a pseudo-terminal, and heed-hw a process that is killed, or loses its cable."""

from pathlib import Path

import pytest

from bench.body.wheel_lab import BOARD, ENDS, WITHIN, WheelLab, told_velocities
from sim.fault_injection import Noise

MOST = 0.025
"""Metres that a wheel may roll on."""


@pytest.mark.parametrize("noise", [pytest.param(0.0, marks=pytest.mark.whole), 0.01], ids=["clean wire", "noisy wire"])
@pytest.mark.parametrize("end", ENDS)
def test_wheels_hold_when_nobody_speaks_to_them_any_more(end: str, noise: float) -> None:
    with WheelLab() as lab:
        lab.wait_until_fast()
        lab.devices.disturb("base", Noise.evenly(noise) if noise else None)
        lab.wait_until_fast()
        lab.end(end)
        assert lab.rolled(WITHIN) <= MOST
        assert lab.rolled(WITHIN) == 0.0
        assert all(servo.powered for servo in lab.devices.base.motors.values())  # type: ignore[union-attr]


@pytest.mark.parametrize("end", [*(pytest.param(end, marks=pytest.mark.whole) for end in ENDS), BOARD])
def test_wheels_that_are_told_velocities_lose_their_supply_when_nobody_speaks_any_more(
    end: str, tmp_path: Path
) -> None:
    with WheelLab(told_velocities(tmp_path)) as lab:
        lab.wait_until_fast()
        lab.end(end)
        assert lab.rolled(WITHIN) <= MOST
        assert lab.rolled(WITHIN) == 0.0
        assert not any(servo.powered for servo in lab.devices.base.motors.values())  # type: ignore[union-attr]
