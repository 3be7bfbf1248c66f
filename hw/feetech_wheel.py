"""A Feetech servo as a wheel: told short ways in a count of many turns, since it has no dead-man; or velocities.

Feetech's step mode (3) would add up packets that arrive twice; goals in a count of many turns (both ends of the range
0, Phase bit 4) may be repeated as often as one likes. The count has 15 bits and a sign, eight turns each way, so it
begins anew now and then, at standstill. A velocity is for wheels whose supply something else cuts. Bits of Phase as in
the public memory table of the STS3215 (wiki.juxitech.com, table 3.1); bit 4 as LeRobot found it (huggingface/lerobot,
pull request 3373). Only the simulated bus was exercised.
"""

from hw.device_faults import ComponentError, FaultCode
from hw.feetech import POSITION_MODE, REGISTERS, VELOCITY_MODE
from hw.protocol import sts
from hw.protocol.sts import PhaseBits
from hw.servo import Asking, Procedure
from hw.servo_registers import SWAY

FAR = 6 * sts.STEPS_PER_TURN
"""Steps from 0 at which the count should begin anew: the register ends two turns further on."""


def check_phase(servo: int, wanted: int) -> Procedure:
    """ComponentError unless bits 2 and 3 of Phase say what they should; nothing is written."""
    held = yield from REGISTERS.read(servo, sts.PHASE)
    decisive = PhaseBits.SPEED_IN_STEPS | PhaseBits.ZERO_IS_FULL
    if held & decisive != wanted & decisive:
        raise ComponentError(
            FaultCode.PHASE_MISMATCH,
            f"servo {servo} holds Phase {held} (register 18), where {' and '.join(_told(held, wanted))}",
        )


def let_go(servo: int) -> Procedure:
    """Torque off: whoever had the wheel before may have left it turning."""
    yield from REGISTERS.write_and_check(servo, sts.TORQUE_ENABLE, 0)


def set_up(servo: int) -> Procedure:
    """Torque off, position mode, a count of many turns without an end; all of it read back."""
    yield from _keep(servo, POSITION_MODE, last=0)
    yield from _count(servo, PhaseBits.MANY_TURNS)


def set_up_to_spin(servo: int) -> Procedure:
    """Torque off, velocity mode, a count within one turn, as LeRobot has it; all of it read back."""
    yield from _keep(servo, VELOCITY_MODE, last=sts.STEPS_PER_TURN - 1)
    yield from _count(servo, PhaseBits(0))


def stand(servo: int, effort: float) -> Procedure:
    """A speed of 0 in velocity mode, torque bounded to a share of the stall torque, then on; all of it read back."""
    yield from REGISTERS.write_and_check(servo, sts.TORQUE_LIMIT, round(1000 * effort))
    yield from REGISTERS.write_and_check(servo, sts.GOAL_SPEED, 0)
    yield from REGISTERS.write_and_check(servo, sts.TORQUE_ENABLE, 1)


def count_anew(servo: int) -> Asking:
    """Let the count begin within its first turn again, where the shaft stands; torque is off then. The new position."""
    yield from let_go(servo)
    phase = yield from REGISTERS.read(servo, sts.PHASE)
    for fresh in (phase & ~PhaseBits.MANY_TURNS, phase | PhaseBits.MANY_TURNS):
        yield from REGISTERS.write_and_check(servo, sts.PHASE, fresh)
    return (yield from REGISTERS.read(servo, sts.PRESENT_POSITION, SWAY))


def _keep(servo: int, mode: int, last: int) -> Procedure:
    yield from let_go(servo)
    yield from REGISTERS.write(servo, sts.LOCK, 0)
    yield from REGISTERS.write_and_check(servo, sts.OPERATING_MODE, mode)
    yield from REGISTERS.write_and_check(servo, sts.MIN_POSITION, 0)
    yield from REGISTERS.write_and_check(servo, sts.MAX_POSITION, last)


def _count(servo: int, turns: PhaseBits) -> Procedure:
    phase = yield from REGISTERS.read(servo, sts.PHASE)
    yield from REGISTERS.write_and_check(servo, sts.PHASE, phase & ~PhaseBits.MANY_TURNS | turns)
    yield from REGISTERS.write(servo, sts.LOCK, 1)


def _told(held: int, wanted: int) -> list[str]:
    """Return what the bits that differ mean, as the servo holds them."""
    told = []
    if (held ^ wanted) & PhaseBits.ZERO_IS_FULL:
        told.append("a speed of 0 means " + ("the greatest speed" if held & PhaseBits.ZERO_IS_FULL else "none"))
    if (held ^ wanted) & PhaseBits.SPEED_IN_STEPS:
        told.append("speeds count in " + ("steps" if held & PhaseBits.SPEED_IN_STEPS else "fifties of steps"))
    return told
