"""What servos of all makes have in common, and what each make says for itself.

hw/feetech.py and hw/dynamixel.py are the makes there are; a description names one by `servos = "feetech"`.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from hw.device_faults import ComponentError, FaultCode
from hw.servo import Asking, Memory, Packet, Parser, Procedure, Question, ServoState, Target
from hw.servo_registers import AnyRegisters


class ServoFamily(ABC):
    """The servos of one make: their packets, and how they are set up."""

    name: str
    registers: AnyRegisters
    firmware: Sequence[Any]
    """Registers whose numbers, one after the other, are its version."""
    known_settings: Mapping[str, Any]
    """Registers of its gains and of what protects it, by the names that people know them by."""
    largest_step: int
    """Positions are 0 to this in position mode."""
    offset_sign: int
    """1 when the homing offset is added to what is measured, -1 when it is taken away."""

    @abstractmethod
    def parser(self) -> Parser: ...

    @abstractmethod
    def models(self) -> Mapping[int, str]:
        """Model numbers that are known, and what they are called."""

    @abstractmethod
    def ask_states(self, servos: Sequence[int]) -> bytes: ...

    @abstractmethod
    def ask_torque(self, servos: Sequence[int]) -> bytes:
        """Return whether torque is on: one parameter in each answer."""

    @abstractmethod
    def states(self, packet: Packet) -> Sequence[tuple[int, ServoState]]:
        """The states in an answer; nothing when it is about something else."""

    @abstractmethod
    def goals(self, targets: Mapping[int, Target]) -> bytes:
        """Everybody's goal in one packet that nobody answers."""

    @abstractmethod
    def complaint(self, state: ServoState) -> tuple[FaultCode, str] | None:
        """Return what the servo itself says is wrong, and in which words."""

    @abstractmethod
    def explain(self, servo: int) -> Procedure:
        """Ask a servo that complains what it means; ends in a ComponentError that says it."""

    @abstractmethod
    def configure(self, servo: int, limits: tuple[int, int] | None) -> Procedure:
        """Position mode; limits (steps) in the servo's own memory and read back, unless they are None."""

    @abstractmethod
    def position(self, servo: int) -> Asking:
        """Return where it is; steps."""

    @abstractmethod
    def power(self, servo: int, steps: int, effort: float) -> Procedure:
        """Goal to `steps`, torque bounded to a share of the stall torque, then on; all of it read back."""

    def ping(self, servo: int) -> bytes:
        return self.registers.codec.ping(servo)

    def release(self, servos: Sequence[int]) -> bytes:
        """Torque off, in one packet that nobody answers."""
        codec = self.registers.codec
        return codec.sync_write(codec.TORQUE_ENABLE, dict.fromkeys(servos, 0))

    def model(self, servo: int) -> Asking:
        return self.registers.read(servo, self.registers.codec.MODEL_NUMBER)

    def settings(self, servo: int) -> Generator[Question, Packet, Mapping[str, int]]:
        """Return its gains and what protects it, by the names that people know them by; nothing is written."""
        return self.registers.read_all(servo, self.known_settings)

    def memory(self, servo: int) -> Generator[Question, Packet, Memory]:
        found = yield from self.registers.read_all(servo, self._calibrated)
        return Memory(found["offset"], found["low"], found["high"])

    def keep(self, servo: int, memory: Memory) -> Procedure:
        """Write what calibration found, and read it back. Torque is off."""
        for register, value in zip(self._calibrated.values(), memory[:3], strict=True):
            yield from self.registers.write_and_check(servo, register, value)

    def torque_on(self, servo: int) -> Procedure:
        """Torque on. Raises ComponentError where the servo takes none."""
        torque = self.registers.codec.TORQUE_ENABLE
        yield from self.registers.write(servo, torque, 1)
        if not (yield from self.registers.read(servo, torque)):
            raise ComponentError(FaultCode.DEVICE_NOT_ARMED, f"servo {servo} takes no torque")

    @property
    def _calibrated(self) -> Mapping[str, Any]:
        codec = self.registers.codec
        return {"offset": codec.HOMING_OFFSET, "low": codec.MIN_POSITION, "high": codec.MAX_POSITION}
