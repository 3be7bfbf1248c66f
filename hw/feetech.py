"""Feetech STS servos: no dead-man, so goals stay near; every state packet carries the error bits."""

from collections.abc import Mapping, Sequence

from hw.device_faults import FaultCode
from hw.protocol import sts
from hw.protocol.sts import ErrorBits
from hw.servo import Asking, Memory, Packet, Procedure, ServoState, Target
from hw.servo_family import ServoFamily
from hw.servo_registers import SWAY, Registers, kept

REGISTERS = Registers(sts)
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
    registers = REGISTERS
    firmware = (sts.FIRMWARE_MAJOR, sts.FIRMWARE_MINOR)
    known_settings = SETTINGS

    def parser(self) -> sts.Parser:
        return sts.Parser(longest=sts.STATE_SIZE + 2)

    def models(self) -> Mapping[int, str]:
        return {sts.STS3215: "STS3215", 2825: "STS3250"}

    def ask_states(self, servos: Sequence[int]) -> bytes:
        return sts.sync_read_states(servos)

    def ask_torque(self, servos: Sequence[int]) -> bytes:
        return sts.sync_read(sts.TORQUE_ENABLE, servos)

    def states(self, packet: Packet) -> Sequence[tuple[int, ServoState]]:
        state = sts.ServoState.decode(packet.parameters)
        return [(packet.id, state)] if state else ()

    def goals(self, targets: Mapping[int, Target]) -> bytes:
        return sts.sync_write_goals({servo: sts.Goal(*target) for servo, target in targets.items()})[0]

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

    def configure(self, servo: int, limits: tuple[int, int] | None) -> Procedure:
        yield from REGISTERS.write(servo, sts.LOCK, 0)
        yield from REGISTERS.write_and_check(servo, sts.OPERATING_MODE, POSITION_MODE)
        if limits:
            yield from REGISTERS.write_and_check(servo, sts.MIN_POSITION, limits[0])
            yield from REGISTERS.write_and_check(servo, sts.MAX_POSITION, limits[1])
        yield from REGISTERS.write(servo, sts.LOCK, 1)

    def keep(self, servo: int, memory: Memory) -> Procedure:
        yield from REGISTERS.write(servo, sts.LOCK, 0)
        yield from super().keep(servo, memory)
        yield from REGISTERS.write(servo, sts.LOCK, 1)

    def position(self, servo: int) -> Asking:
        return (yield from REGISTERS.read(servo, sts.PRESENT_POSITION, SWAY))

    def power(self, servo: int, steps: int, effort: float) -> Procedure:
        yield from REGISTERS.write_and_check(servo, sts.TORQUE_LIMIT, round(1000 * effort))
        yield from REGISTERS.write(servo, sts.GOAL_POSITION, steps)
        kept(servo, "goal", steps, (yield from REGISTERS.read(servo, sts.GOAL_POSITION)))
        yield from self.torque_on(servo)
