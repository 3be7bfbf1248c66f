"""Dynamixel X servos, Protocol 2.0: they stop by themselves when the bus falls silent (Bus Watchdog)."""

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace

from hw.device_faults import ComponentError, FaultCode
from hw.protocol import dxl2
from hw.protocol.dxl2 import DriveMode
from hw.servo import Asking, Memory, Packet, Procedure, Question, ServoState, Target
from hw.servo_family import ServoFamily
from hw.servo_registers import SWAY, Registers

REGISTERS = Registers(dxl2, refused=lambda answer: getattr(answer, "error", 0) & ~dxl2.ALERT)
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
    registers = REGISTERS
    firmware = (dxl2.FIRMWARE,)
    known_settings = SETTINGS

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

    def complaint(self, state: ServoState) -> tuple[FaultCode, str] | None:
        return (FaultCode.DEVICE_ERROR, "a hardware error") if state.errors & dxl2.ALERT else None

    def explain(self, servo: int) -> Procedure:
        bits = dxl2.HardwareError((yield from REGISTERS.read(servo, dxl2.HARDWARE_ERROR)) & sum(dxl2.HardwareError))
        for bit, code in COMPLAINTS.items():
            if bits & bit:
                raise ComponentError(code, f"servo {servo} reports {bits!r}; it needs a power cycle or a reboot")

    def configure(self, servo: int, limits: tuple[int, int] | None) -> Procedure:
        drive = yield from REGISTERS.read(servo, dxl2.DRIVE_MODE)
        yield from REGISTERS.write_and_check(
            servo, dxl2.DRIVE_MODE, drive & ~(DriveMode.BY_TIME | DriveMode.TORQUE_BY_GOAL)
        )
        yield from REGISTERS.write_and_check(
            servo, dxl2.OPERATING_MODE, EXTENDED_MODE if self._extended else POSITION_MODE
        )
        if limits:
            yield from REGISTERS.write_and_check(servo, dxl2.MIN_POSITION, limits[0])
            yield from REGISTERS.write_and_check(servo, dxl2.MAX_POSITION, limits[1])
        held = yield from self.memory(servo)
        if self._extended:
            self._middles[servo] = (held.low + held.high) / 2
        elif abs(held.homing_offset) > OFFSET_IN_POSITION_MODE:
            raise ComponentError(
                FaultCode.CALIBRATION_MISMATCH,
                f"servo {servo} has the homing offset {held.homing_offset}, which position mode ignores beyond "
                f'{OFFSET_IN_POSITION_MODE}: write mode = "extended" below its arm',
            )

    def memory(self, servo: int) -> Generator[Question, Packet, Memory]:
        held = yield from super().memory(servo)
        return held._replace(inverted=bool((yield from REGISTERS.read(servo, dxl2.DRIVE_MODE)) & DriveMode.REVERSE))

    def position(self, servo: int) -> Asking:
        counted = yield from REGISTERS.read(servo, dxl2.PRESENT_POSITION, SWAY)
        off = counted - self._middles.get(servo, counted)
        self._ahead[servo] = dxl2.STEPS_PER_TURN * round(off / dxl2.STEPS_PER_TURN)
        return counted - self._ahead[servo]

    def power(self, servo: int, steps: int, effort: float) -> Procedure:
        """A watchdog that has tripped makes goals read-only: it is cleared first, and set last."""
        yield from REGISTERS.write(servo, dxl2.BUS_WATCHDOG, 0)
        yield from REGISTERS.write_and_check(servo, dxl2.GOAL_PWM, round(dxl2.FULL_PWM * effort))
        yield from REGISTERS.write_and_check(servo, dxl2.GOAL_POSITION, round(self._counted(servo, steps)))
        yield from self.torque_on(servo)
        yield from REGISTERS.write_and_check(servo, dxl2.BUS_WATCHDOG, self._watchdog)

    def _counted(self, servo: int, steps: float) -> float:
        """Steps of the joint as its servo counts them."""
        return steps + self._ahead.get(servo, 0)

    def _in_range(self, servo: int, state: dxl2.ServoState) -> dxl2.ServoState:
        """Return what a servo measures, in steps of the joint."""
        ahead = self._ahead.get(servo, 0)
        return replace(state, position=state.position - ahead) if ahead else state
