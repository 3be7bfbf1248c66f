"""Dynamixel X servos, Protocol 2.0: they stop by themselves when the bus falls silent (Bus Watchdog)."""

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace

from hw.device_faults import ComponentError, FaultCode
from hw.protocol import dxl2
from hw.protocol.dxl2 import DriveMode
from hw.servo import SWAY, Asking, Memory, Packet, Procedure, Question, ServoFamily, ServoState, Target, kept, twice

POSITION_MODE, EXTENDED_MODE = 3, 4
OFFSET_IN_POSITION_MODE = 1024
"""Steps of a homing offset that position mode heeds; it ignores one that is larger (e-manual, Homing Offset)."""
SETTINGS = {"P": dxl2.P_GAIN, "I": dxl2.I_GAIN, "D": dxl2.D_GAIN, "PWM limit": dxl2.PWM_LIMIT}
"""LeRobot sets P 1500, I 0, D 600 of a Koch's elbow alone."""
COMPLAINTS = {
    dxl2.HardwareError.VOLTAGE: FaultCode.UNDERVOLTAGE,
    dxl2.HardwareError.OVERHEAT: FaultCode.OVERHEAT,
    dxl2.HardwareError.OVERLOAD: FaultCode.OVERLOAD,
    dxl2.HardwareError.ENCODER: FaultCode.DEVICE_ERROR,
    dxl2.HardwareError.ELECTRICAL_SHOCK: FaultCode.DEVICE_ERROR,
}


class Dynamixel(ServoFamily):
    """XL430, XC430, XM430, XM540, XL330, XC330 and others with the same control table."""

    name = "dynamixel"
    largest_step = dxl2.STEPS_PER_TURN - 1
    offset_sign = 1

    def __init__(self, watchdog: float = 0.2, fast: bool = False, extended: bool = False) -> None:
        """watchdog: seconds of silence until the servos stop. fast: their firmware (45 and newer) knows fast reads.

        extended: they work in extended position mode, where every homing offset counts, and no range is kept by the
        servo itself. They forget whole turns when their power is cut; what they count is brought back into the range
        that calibration found.
        """
        self._watchdog = min(max(math.ceil(watchdog / dxl2.WATCHDOG_UNIT), 1), 127)
        self._fast = fast
        self._extended = extended
        self._middles: dict[int, float] = {}
        """Of the range of each servo in extended mode; steps."""
        self._ahead: dict[int, int] = {}
        """Steps, whole turns, that a servo counts more than its joint."""

    def parser(self) -> dxl2.Parser:
        return dxl2.Parser()

    def models(self) -> Mapping[int, str]:
        return {
            1060: "XL430-W250",
            1080: "XC430-W240",
            1020: "XM430-W350",
            1030: "XM430-W210",
            1120: "XM540-W270",
            1190: "XL330-M077",
            1200: "XL330-M288",
            1220: "XC330-T288",
        }

    def ping(self, servo: int) -> bytes:
        return dxl2.ping(servo)

    def ask_states(self, servos: Sequence[int]) -> bytes:
        return dxl2.sync_read(dxl2.STATE_ADDRESS, dxl2.STATE_SIZE, servos, self._fast)

    def ask_torque(self, servos: Sequence[int]) -> bytes:
        return dxl2.sync_read(dxl2.TORQUE_ENABLE.address, dxl2.TORQUE_ENABLE.size, servos)

    def states(self, packet: Packet) -> Sequence[tuple[int, ServoState]]:
        if not isinstance(packet, dxl2.Packet) or packet.code != dxl2.Instruction.STATUS:
            return []
        answers = dxl2.split_fast_status(packet, dxl2.STATE_SIZE) or [packet]
        states = ((answer.id, dxl2.ServoState.decode(answer.parameters, answer.error)) for answer in answers)
        return [(servo, self._in_range(servo, state)) for servo, state in states if state]

    def goals(self, targets: Mapping[int, Target]) -> bytes:
        goals = {servo: dxl2.Goal(self._counted(servo, at), speed) for servo, (at, speed) in targets.items()}
        return dxl2.sync_write_goals(goals)[0]

    def release(self, servos: Sequence[int]) -> bytes:
        return dxl2.sync_write(dxl2.TORQUE_ENABLE, dict.fromkeys(servos, 0))

    def complaint(self, state: ServoState) -> tuple[FaultCode, str] | None:
        return (FaultCode.DEVICE_ERROR, "a hardware error") if state.errors & dxl2.ALERT else None

    def explain(self, servo: int) -> Procedure:
        bits = dxl2.HardwareError((yield from read(servo, dxl2.HARDWARE_ERROR)) & sum(dxl2.HardwareError))
        for bit, code in COMPLAINTS.items():
            if bits & bit:
                raise ComponentError(code, f"servo {servo} reports {bits!r}; it needs a power cycle or a reboot")

    def model(self, servo: int) -> Asking:
        return (yield from read(servo, dxl2.MODEL_NUMBER))

    def configure(self, servo: int, limits: tuple[int, int] | None) -> Procedure:
        drive = yield from read(servo, dxl2.DRIVE_MODE)
        yield from write_and_check(servo, dxl2.DRIVE_MODE, drive & ~(DriveMode.BY_TIME | DriveMode.TORQUE_BY_GOAL))
        yield from write_and_check(servo, dxl2.OPERATING_MODE, EXTENDED_MODE if self._extended else POSITION_MODE)
        if limits:
            yield from write_and_check(servo, dxl2.MIN_POSITION, limits[0])
            yield from write_and_check(servo, dxl2.MAX_POSITION, limits[1])
        held = yield from self.memory(servo)
        if self._extended:
            self._middles[servo] = (held.low + held.high) / 2
        elif abs(held.homing_offset) > OFFSET_IN_POSITION_MODE:
            raise ComponentError(
                FaultCode.CALIBRATION_MISMATCH,
                f"servo {servo} has the homing offset {held.homing_offset}, which position mode ignores beyond "
                f'{OFFSET_IN_POSITION_MODE}: write mode = "extended" below its arm',
            )

    def settings(self, servo: int) -> Generator[Question, Packet, Mapping[str, int]]:
        held = {}
        for name, register in SETTINGS.items():
            held[name] = yield from read(servo, register)
        return held

    def memory(self, servo: int) -> Generator[Question, Packet, Memory]:
        return Memory(
            (yield from read(servo, dxl2.HOMING_OFFSET)),
            (yield from read(servo, dxl2.MIN_POSITION)),
            (yield from read(servo, dxl2.MAX_POSITION)),
            bool((yield from read(servo, dxl2.DRIVE_MODE)) & DriveMode.REVERSE),
        )

    def keep(self, servo: int, memory: Memory) -> Procedure:
        for register, value in zip((dxl2.HOMING_OFFSET, dxl2.MIN_POSITION, dxl2.MAX_POSITION), memory[:3], strict=True):
            yield from write_and_check(servo, register, value)

    def position(self, servo: int) -> Asking:
        counted = yield from read(servo, dxl2.PRESENT_POSITION, SWAY)
        off = counted - self._middles.get(servo, counted)
        self._ahead[servo] = dxl2.STEPS_PER_TURN * round(off / dxl2.STEPS_PER_TURN)
        return counted - self._ahead[servo]

    def power(self, servo: int, steps: int, effort: float) -> Procedure:
        """A watchdog that has tripped makes goals read-only: it is cleared first, and set last."""
        yield from write(servo, dxl2.BUS_WATCHDOG, 0)
        yield from write_and_check(servo, dxl2.GOAL_PWM, round(dxl2.FULL_PWM * effort))
        yield from write_and_check(servo, dxl2.GOAL_POSITION, round(self._counted(servo, steps)))
        yield from write(servo, dxl2.TORQUE_ENABLE, 1)
        if not (yield from read(servo, dxl2.TORQUE_ENABLE)):
            raise ComponentError(FaultCode.DEVICE_NOT_ARMED, f"servo {servo} takes no torque")
        yield from write_and_check(servo, dxl2.BUS_WATCHDOG, self._watchdog)

    def _counted(self, servo: int, steps: float) -> float:
        """Steps of the joint as its servo counts them."""
        return steps + self._ahead.get(servo, 0)

    def _in_range(self, servo: int, state: dxl2.ServoState) -> dxl2.ServoState:
        """Return what a servo measures, in steps of the joint."""
        ahead = self._ahead.get(servo, 0)
        return replace(state, position=state.position - ahead) if ahead else state


def read(servo: int, register: dxl2.Register, slack: int = 0) -> Asking:
    """Ask a servo for a register, until two answers in a row are the same but for `slack`."""
    question = Question(servo, dxl2.read(servo, register), register.size)
    return (yield from twice(question, lambda answer: dxl2.decode_value(register, answer.parameters), slack))


def write(servo: int, register: dxl2.Register, value: float) -> Procedure:
    """Write a register and wait for the servo's acknowledgement; ComponentError when it refuses."""
    answer = yield Question(servo, dxl2.write(servo, register, value), 0)
    refused = getattr(answer, "error", 0) & ~dxl2.ALERT
    if refused:
        raise ComponentError(
            FaultCode.LIMIT_MISMATCH, f"servo {servo} refuses {value} in register {register.address} (error {refused})"
        )


def write_and_check(servo: int, register: dxl2.Register, value: int) -> Procedure:
    """Write a register unless it holds the value already, and read it back."""
    if (yield from read(servo, register)) == value:
        return
    yield from write(servo, register, value)
    kept(servo, f"register {register.address}", value, (yield from read(servo, register)))
