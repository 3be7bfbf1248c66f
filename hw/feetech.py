"""Feetech STS servos: no dead-man, so goals stay near; every state packet carries the error bits."""

from collections.abc import Generator, Mapping, Sequence

from hw.device_faults import ComponentError, FaultCode
from hw.protocol import sts
from hw.protocol.sts import ErrorBits
from hw.servo import SWAY, Asking, Memory, Packet, Procedure, Question, ServoFamily, ServoState, Target, kept, twice

POSITION_MODE, VELOCITY_MODE = 0, 1
SETTINGS = {
    "P": sts.P_GAIN,
    "I": sts.I_GAIN,
    "D": sts.D_GAIN,
    "max torque": sts.MAX_TORQUE,
    "protection current": sts.PROTECTION_CURRENT,
    "overload torque": sts.OVERLOAD_TORQUE,
}
"""LeRobot sets P 16, I 0, D 32, and of the gripper alone max torque 500, protection current 250, overload torque 25."""
COMPLAINTS = {
    ErrorBits.VOLTAGE: FaultCode.UNDERVOLTAGE,
    ErrorBits.OVERHEAT: FaultCode.OVERHEAT,
    ErrorBits.OVERCURRENT | ErrorBits.OVERLOAD: FaultCode.OVERLOAD,
    ErrorBits.SENSOR: FaultCode.DEVICE_ERROR,
}


class Feetech(ServoFamily):
    """STS3215 and its siblings with the same registers."""

    name = "feetech"
    largest_step = sts.STEPS_PER_TURN - 1
    offset_sign = -1

    def parser(self) -> sts.Parser:
        return sts.Parser(longest=sts.STATE_SIZE + 2)

    def models(self) -> Mapping[int, str]:
        return {sts.STS3215: "STS3215", 2825: "STS3250"}

    def ping(self, servo: int) -> bytes:
        return sts.ping(servo)

    def ask_states(self, servos: Sequence[int]) -> bytes:
        return sts.sync_read_states(servos)

    def ask_torque(self, servos: Sequence[int]) -> bytes:
        return sts.sync_read(sts.TORQUE_ENABLE, servos)

    def states(self, packet: Packet) -> Sequence[tuple[int, ServoState]]:
        state = sts.ServoState.decode(packet.parameters)
        return [(packet.id, state)] if state else ()

    def goals(self, targets: Mapping[int, Target]) -> bytes:
        return sts.sync_write_goals({servo: sts.Goal(*target) for servo, target in targets.items()})[0]

    def release(self, servos: Sequence[int]) -> bytes:
        return sts.sync_write(sts.TORQUE_ENABLE, dict.fromkeys(servos, 0))

    def complaint(self, state: ServoState) -> tuple[FaultCode, str] | None:
        if not state.errors:
            return None
        for bits, code in COMPLAINTS.items():
            if state.errors & bits:
                return code, repr(state.errors & bits)
        return None

    def explain(self, servo: int) -> Procedure:
        """Ask nothing: the bits say it all."""
        yield from ()

    def model(self, servo: int) -> Asking:
        return (yield from read(servo, sts.MODEL_NUMBER))

    def configure(self, servo: int, limits: tuple[int, int] | None) -> Procedure:
        yield from write(servo, sts.LOCK, 0)
        yield from write_and_check(servo, sts.OPERATING_MODE, POSITION_MODE)
        if limits:
            yield from write_and_check(servo, sts.MIN_POSITION, limits[0])
            yield from write_and_check(servo, sts.MAX_POSITION, limits[1])
        yield from write(servo, sts.LOCK, 1)

    def settings(self, servo: int) -> Generator[Question, Packet, Mapping[str, int]]:
        held = {}
        for name, register in SETTINGS.items():
            held[name] = yield from read(servo, register)
        return held

    def memory(self, servo: int) -> Generator[Question, Packet, Memory]:
        return Memory(
            (yield from read(servo, sts.HOMING_OFFSET)),
            (yield from read(servo, sts.MIN_POSITION)),
            (yield from read(servo, sts.MAX_POSITION)),
        )

    def keep(self, servo: int, memory: Memory) -> Procedure:
        yield from write(servo, sts.LOCK, 0)
        for register, value in zip((sts.HOMING_OFFSET, sts.MIN_POSITION, sts.MAX_POSITION), memory[:3], strict=True):
            yield from write_and_check(servo, register, value)
        yield from write(servo, sts.LOCK, 1)

    def position(self, servo: int) -> Asking:
        return (yield from read(servo, sts.PRESENT_POSITION, SWAY))

    def power(self, servo: int, steps: int, effort: float) -> Procedure:
        yield from write_and_check(servo, sts.TORQUE_LIMIT, round(1000 * effort))
        yield from write(servo, sts.GOAL_POSITION, steps)
        kept(servo, "goal", steps, (yield from read(servo, sts.GOAL_POSITION)))
        yield from write(servo, sts.TORQUE_ENABLE, 1)
        if not (yield from read(servo, sts.TORQUE_ENABLE)):
            raise ComponentError(FaultCode.DEVICE_NOT_ARMED, f"servo {servo} takes no torque")


def read(servo: int, register: sts.Register, slack: int = 0) -> Asking:
    """Ask a servo for a register, until two answers in a row are the same but for `slack`."""
    question = Question(servo, sts.read(servo, register), register.size)
    return (yield from twice(question, lambda answer: sts.decode_value(register, answer.parameters), slack))


def write(servo: int, register: sts.Register, value: float) -> Procedure:
    """Write a register and wait for the servo's acknowledgement."""
    yield Question(servo, sts.write(servo, register, value), 0)


def write_and_check(servo: int, register: sts.Register, value: int) -> Procedure:
    """Write a register unless it holds the value already, and read it back."""
    if (yield from read(servo, register)) == value:
        return
    yield from write(servo, register, value)
    kept(servo, f"register {register.address}", value, (yield from read(servo, register)))
