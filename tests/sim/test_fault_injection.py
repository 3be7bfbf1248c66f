"""Faults on purpose: repeatable noise, and motors that suffer what real ones do."""

import pytest

from hw.protocol import cansimple, sts
from hw.protocol.cansimple import AxisState
from sim.axis import SimulatedAxis
from sim.fault_injection import KINDS, Noise, NoisyWire, heal, inflict, noise_from
from sim.servo import ServoChain, SimulatedServo

DATA = bytes(range(256)) * 40


def carried(noise: Noise, pieces: int = 1) -> bytes:
    wire = NoisyWire(noise)
    size = len(DATA) // pieces
    return b"".join(wire.carry(DATA[i : i + size], 0.0) for i in range(0, len(DATA), size))


def test_the_same_seed_spoils_the_same_bytes_however_they_come() -> None:
    noise = Noise.evenly(0.01, seed=7)
    assert carried(noise) == carried(noise, pieces=64) != DATA
    assert carried(noise) != carried(Noise.evenly(0.01, seed=8))


def test_without_noise_nothing_changes() -> None:
    assert carried(Noise()) == DATA


def test_as_many_bytes_are_spoiled_as_was_asked() -> None:
    wire = NoisyWire(Noise.evenly(0.01))
    for _ in range(20):
        wire.carry(DATA, 0.0)
    assert 0.008 < wire.spoiled / (20 * len(DATA)) < 0.012


@pytest.mark.parametrize(
    ("noise", "result"),
    [
        (Noise(drop=1.0), b""),
        (Noise(duplicate=1.0), b"aabb"),
    ],
)
def test_bytes_are_lost_and_doubled(noise: Noise, result: bytes) -> None:
    assert NoisyWire(noise).carry(b"ab", 0.0) == result


def test_a_corrupt_byte_has_one_bit_wrong_and_garbage_comes_before_a_good_one() -> None:
    (corrupt,) = NoisyWire(Noise(corrupt=1.0)).carry(b"a", 0.0)
    assert (corrupt ^ ord("a")).bit_count() == 1
    assert NoisyWire(Noise(garbage=1.0)).carry(b"ab", 0.0)[1::2] == b"ab"


def test_what_is_late_arrives_in_order() -> None:
    wire = NoisyWire(Noise(delay=0.02))
    assert wire.carry(b"one", 5.0) == b""
    assert wire.carry(b"two", 5.01) == b""
    assert wire.carry(b"", 5.025) == b"one"
    assert wire.carry(b"", 5.04) == b"two"


def test_noise_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        NoisyWire(Noise(drop=0.7, corrupt=0.7))
    with pytest.raises(ValueError, match="colour"):
        noise_from({"colour": 0.1})


def state(servo: SimulatedServo) -> sts.ServoState:
    decoded = sts.ServoState.decode(servo.read(sts.STATE_ADDRESS, sts.STATE_SIZE))
    assert decoded
    return decoded


@pytest.mark.parametrize("kind", ["overheat", "overload", "undervoltage"])
def test_a_suffering_servo_complains_until_it_is_healed(kind: str) -> None:
    servo = SimulatedServo(1, 2048)
    inflict(servo, kind)
    assert state(servo).errors
    heal(servo)
    assert (state(servo).errors, state(servo).temperature, state(servo).voltage) == (0, 30, 12.0)


def powered(servo: SimulatedServo, goal: int) -> SimulatedServo:
    servo.write(sts.TORQUE_ENABLE.address, b"\1")
    servo.write(sts.GOAL_POSITION.address, goal.to_bytes(2, "little"))
    return servo


def test_a_stalled_servo_pushes_and_stays() -> None:
    servo = powered(SimulatedServo(1, 2048), 3000)
    inflict(servo, "stall")
    for _ in range(20):
        servo.step(0.01)
    assert servo.position == 2048
    assert state(servo).load > 900


def test_a_mute_servo_obeys_and_says_nothing() -> None:
    chain = ServoChain([servo := SimulatedServo(1, 2048)])
    inflict(servo, "mute")
    answer, _ = chain.receive(sts.write(1, sts.TORQUE_ENABLE, 1))
    assert answer == b""
    assert servo.powered


def test_a_power_cycle_forgets_everything_but_eeprom() -> None:
    servo = powered(SimulatedServo(1, 2048), 3000)
    servo.write(sts.MIN_POSITION.address, (500).to_bytes(2, "little"))
    inflict(servo, "reset")
    servo.step(0.1)
    assert (servo.powered, servo.position) == (False, 2048)
    assert servo.read(sts.MIN_POSITION.address, 2) == (500).to_bytes(2, "little")


def test_an_axis_that_starts_anew_is_idle_and_counts_from_zero() -> None:
    axis = SimulatedAxis(0, watchdog=10.0)
    axis.receive(cansimple.SetAxisState(AxisState.CLOSED_LOOP_CONTROL))
    axis.receive(cansimple.SetInputVelocity(2.0))
    axis.step(1.0)
    inflict(axis, "reset")
    assert axis.state is AxisState.IDLE
    estimates = [m for m in axis.step(0.01) if isinstance(m, cansimple.EncoderEstimates)]
    assert estimates[0].position < 0.1 < axis.position


def test_an_axis_stalls_fails_and_falls_silent() -> None:
    axis = SimulatedAxis(0, watchdog=10.0)
    axis.receive(cansimple.SetAxisState(AxisState.CLOSED_LOOP_CONTROL))
    axis.receive(cansimple.SetInputVelocity(2.0))
    inflict(axis, "stall")
    axis.step(0.5)
    assert axis.position == 0.0
    inflict(axis, "error")
    assert (axis.state, axis.error) == (AxisState.IDLE, 0x80)
    inflict(axis, "mute")
    assert axis.step(0.5) == []


def test_an_unknown_fault_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="overheat"):
        inflict(SimulatedServo(1, 2048), "sulk")
    with pytest.raises(ValueError, match="error"):
        inflict(SimulatedAxis(0, 1.0), "overheat")
    assert all(KINDS.values())
