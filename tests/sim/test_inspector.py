"""The inspector knows the description's limits, and finds whatever on a wire goes beyond them."""

import math
from pathlib import Path

import pytest

from hw.description import load_description
from hw.protocol import cansimple, slcan, sts
from hw.protocol.can import Frame
from sim.inspector import ArmInspector, AxisBaseInspector
from sim.servo import SimulatedServo

LEFT = load_description(Path(__file__).parents[2] / "hw/robots/sim.toml", Path("/nowhere"))
ARM = LEFT.arms[0]
ELBOW = ARM.joints[2]
FASTEST = ELBOW.limits.velocity / abs(ELBOW.scale)


@pytest.fixture
def arm() -> ArmInspector:
    home = zip(ARM.joints, ARM.kinematics.home, strict=True)
    servos = {joint.servo: SimulatedServo(joint.servo, joint.to_steps(angle)) for joint, angle in home}
    servos[7] = SimulatedServo(7, ARM.gripper.to_steps(0.0))
    for servo in servos.values():
        servo.write(sts.TORQUE_ENABLE.address, b"\1")
    return ArmInspector(ARM, servos)


@pytest.fixture
def base() -> AxisBaseInspector:
    assert LEFT.base is not None
    return AxisBaseInspector(LEFT.base)


def goal(servo: int, steps: float, speed: float = FASTEST) -> bytes:
    return sts.sync_write_goals({servo: sts.Goal(steps, speed)})[0]


def said(inspector: ArmInspector | AxisBaseInspector, violations: list[str]) -> str:
    """What it found; expected, so the fixture shall not complain."""
    violations.clear()
    return "; ".join(inspector.violations)


def test_goals_within_the_limits_pass(arm: ArmInspector) -> None:
    steps = round(ELBOW.to_steps(-2.7))
    for ahead in range(0, 100, 10):
        arm.read(goal(ELBOW.servo, steps + ahead), 0.0)
    assert (arm.goals, arm.violations) == (10, [])


@pytest.mark.parametrize(
    ("packet", "says"),
    [
        (goal(ELBOW.servo, ELBOW.step_range[1] + 1), "its range"),
        (goal(ELBOW.servo, 1000, speed=FASTEST * 1.1), "its limit is"),
        (goal(ELBOW.servo, 1000, speed=0), "0 means none"),
        (sts.write(ELBOW.servo, sts.GOAL_POSITION, 4095), "its range"),
        (sts.write(ELBOW.servo, sts.OPERATING_MODE, 1), "no range"),
        (sts.write(ELBOW.servo, sts.MAX_POSITION, 4095), "end of its range"),
        (sts.write(7, sts.TORQUE_LIMIT, 1000), "100 % torque"),
    ],
)
def test_a_command_beyond_a_limit_is_named(arm: ArmInspector, violations: list[str], packet: bytes, says: str) -> None:
    arm.read(packet, 0.0)
    assert says in said(arm, violations)


def test_a_goal_far_ahead_is_found_because_servos_have_no_dead_man(arm: ArmInspector, violations: list[str]) -> None:
    arm.read(goal(ELBOW.servo, ELBOW.to_steps(-2.7)) + goal(ELBOW.servo, ELBOW.to_steps(0.0)), 0.0)
    assert "steps ahead" in said(arm, violations)


def test_torque_on_an_old_goal_far_ahead_is_found_a_goal_without_torque_is_none(violations: list[str]) -> None:
    servo = SimulatedServo(ELBOW.servo, ELBOW.to_steps(-2.7))
    arm = ArmInspector(ARM, {ELBOW.servo: servo})
    arm.read(goal(ELBOW.servo, servo.position) + goal(ELBOW.servo, ELBOW.to_steps(0.0)), 0.0)
    assert arm.violations == []
    arm.read(sts.write(ELBOW.servo, sts.TORQUE_ENABLE, 1), 0.0)
    assert "torque with its goal" in said(arm, violations)


def test_a_tip_outside_its_workspace_is_found(arm: ArmInspector, violations: list[str]) -> None:
    straight_back = (2.4, 0.0, 0.0, 0.0, 0.0, 0.0)
    goals = {joint.servo: sts.Goal(joint.to_steps(a), 1.0) for joint, a in zip(ARM.joints, straight_back, strict=True)}
    arm.read(sts.sync_write_goals(goals)[0], 0.0)
    assert "outside its workspace" in said(arm, violations)


def tell(left: float, right: float) -> bytes:
    """Both wheels' turns per second, forward positive."""
    frames = [cansimple.encode(node, cansimple.SetInputVelocity(v)) for node, v in ((0, left), (1, -right))]
    return b"".join(map(slcan.encode, frames))


def test_the_base_may_stop_at_once_but_not_start_so(base: AxisBaseInspector, violations: list[str]) -> None:
    for tick in range(50):
        turns = min(0.016 * tick, 0.5) / (2 * math.pi * 0.08)
        base.read(tell(turns, turns), tick / 100)
    base.read(tell(0.0, 0.0), 0.50)
    assert base.violations == []
    base.read(tell(1.0, 1.0), 0.52)
    assert "faster than" in said(base, violations)


def test_wheels_may_not_turn_faster_than_the_base_may_drive(base: AxisBaseInspector, violations: list[str]) -> None:
    per_turn = 2 * math.pi * 0.08
    base.read(tell(0.79 / per_turn, 0.79 / per_turn), 0.0)
    assert base.violations == []
    base.read(tell(0.82 / per_turn, 0.82 / per_turn), 0.0)
    assert "0.82 m/s" in said(base, violations)
    base.read(tell(9.0, 9.0), 0.0)
    assert "turns/s" in said(base, violations)


def test_what_feeds_a_watchdog_without_a_command_is_found(base: AxisBaseInspector, violations: list[str]) -> None:
    base.read(slcan.encode(Frame(0x009, remote=True)) + slcan.encode(Frame(0x01F, b"\1")), 0.0)
    found = said(base, violations)
    assert "watchdog" in found
    assert "means nothing" in found


def test_half_a_packet_counts_for_nothing_once_its_writer_has_gone(arm: ArmInspector) -> None:
    arm.read(goal(ELBOW.servo, 4000)[:8], 0.0)
    arm.restart()
    arm.read(goal(ELBOW.servo, 1000)[8:], 0.0)
    assert (arm.goals, arm.violations) == (0, [])
