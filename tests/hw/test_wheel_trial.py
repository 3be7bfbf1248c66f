"""What `heed hw test wheels` finds out, on a simulated wheel whose registers are set otherwise."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.description import load_description
from hw.feetech import Feetech
from hw.protocol import sts
from hw.protocol.sts import PhaseBits
from hw.wheel_trial import WheelTrial, right_phase
from hw.workbench import Workbench
from sim.devices import SimulatedRobot
from sim.scene import Scene
from sim.servo import SimulatedServo

ROOT = Path(__file__).parents[2]


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[SimulatedRobot]:
    description = load_description(ROOT / "hw/robots/lekiwi.toml", tmp_path, simulated=True)
    robot = SimulatedRobot(tmp_path, Scene.load(ROOT / "sim/scenes/playroom.toml"), description)
    robot.start()
    yield robot
    robot.close()


@pytest.fixture
def bench(devices: SimulatedRobot, tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "dev" / "right_arm", 1_000_000, Feetech()) as opened:
        yield opened


def wheel(devices: SimulatedRobot, servo: int, phase: int) -> SimulatedServo:
    """A wheel with this Phase."""
    found = devices.base.motors[servo]
    assert isinstance(found, SimulatedServo)
    devices.call(lambda: found.write(sts.PHASE.address, bytes([phase])))
    return found


@pytest.mark.whole
def test_a_wheel_that_may_be_driven_though_a_speed_of_0_is_full_speed(
    devices: SimulatedRobot, bench: Workbench, violations: list[str]
) -> None:
    phase = PhaseBits.SPEED_IN_STEPS | PhaseBits.ZERO_IS_FULL
    servo = wheel(devices, 8, phase)
    trial = WheelTrial(bench, 8, speed=3000)
    found = trial.find_out(trial.begin())
    trial.let_go()
    assert (found.in_steps, found.zero_is_full, found.counted_on, found.counted_anew) == (True, True, True, True)
    assert found.faults == []
    assert 0 < found.unevenness < 1
    assert right_phase(found) == phase
    assert not devices.call(lambda: servo.powered)
    violations.clear()  # the inspector minds a speed of 0


@pytest.mark.whole
def test_a_wheel_whose_speeds_count_in_fifties_may_not_be_driven(
    devices: SimulatedRobot, bench: Workbench, violations: list[str]
) -> None:
    wheel(devices, 7, 0)
    trial = WheelTrial(bench, 7, speed=3000)
    found = trial.find_out(trial.begin())
    assert not found.in_steps
    assert "bit 2 of Phase" in found.faults[0]
    assert right_phase(found) is None
    violations.clear()


def test_a_tenth_of_a_turn_is_a_tenth_of_a_turn(devices: SimulatedRobot, bench: Workbench) -> None:
    wheel(devices, 9, PhaseBits.SPEED_IN_STEPS)
    trial = WheelTrial(bench, 9)
    trial.begin()
    assert trial.turn_a_tenth() == pytest.approx(410, abs=5)
