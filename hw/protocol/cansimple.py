"""ODrive's CANSimple: messages to and from motor axes in CAN frames. Pure; both ends of the wire use it.

The id of a frame is node << 5 | command. Numbers are little-endian, floats of 4 bytes. Layouts as ODrive
documents them for firmware 0.5.6 and 0.6; only the simulated bus was exercised.
"""

import math
import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar

from hw.protocol.can import Frame


class Command(IntEnum):
    HEARTBEAT = 0x01
    ESTOP = 0x02
    SDO = 0x04
    SDO_ANSWER = 0x05
    SET_AXIS_STATE = 0x07
    ENCODER_ESTIMATES = 0x09
    SET_CONTROLLER_MODE = 0x0B
    SET_INPUT_VELOCITY = 0x0D
    SET_LIMITS = 0x0F
    BUS_VOLTAGE = 0x17
    CLEAR_ERRORS = 0x18


class AxisState(IntEnum):
    UNDEFINED = 0
    IDLE = 1
    CLOSED_LOOP_CONTROL = 8


class ControlMode(IntEnum):
    VELOCITY = 2


class InputMode(IntEnum):
    PASSTHROUGH = 1
    VELOCITY_RAMP = 2


class AxisError(IntFlag):
    """Bits of the error in a heartbeat, as firmware 0.6 has them."""

    INITIALIZING = 0x1
    SYSTEM_LEVEL = 0x2
    TIMING_ERROR = 0x4
    MISSING_ESTIMATE = 0x8
    BAD_CONFIG = 0x10
    DRV_FAULT = 0x20
    MISSING_INPUT = 0x40
    DC_BUS_OVER_VOLTAGE = 0x100
    DC_BUS_UNDER_VOLTAGE = 0x200
    DC_BUS_OVER_CURRENT = 0x400
    DC_BUS_OVER_REGEN_CURRENT = 0x800
    CURRENT_LIMIT_VIOLATION = 0x1000
    MOTOR_OVER_TEMP = 0x2000
    INVERTER_OVER_TEMP = 0x4000
    VELOCITY_LIMIT_VIOLATION = 0x8000
    POSITION_LIMIT_VIOLATION = 0x1_0000
    WATCHDOG_TIMER_EXPIRED = 0x100_0000
    ESTOP_REQUESTED = 0x200_0000
    SPINOUT_DETECTED = 0x400_0000
    BRAKE_RESISTOR_DISARMED = 0x800_0000
    THERMISTOR_DISCONNECTED = 0x1000_0000
    CALIBRATION_ERROR = 0x4000_0000


ESTOP_REQUESTED = int(AxisError.ESTOP_REQUESTED)
WATCHDOG_EXPIRED = int(AxisError.WATCHDOG_TIMER_EXPIRED)


@dataclass(frozen=True)
class Heartbeat:
    """Sent by each axis about ten times a second. An axis may go idle with error 0: look at both."""

    error: int
    state: int


@dataclass(frozen=True)
class EncoderEstimates:
    """Sent by each axis at a rate of its own; turns and turns per second."""

    position: float
    velocity: float


@dataclass(frozen=True)
class Estop:
    """The axis disarms and coasts: ODrive has no brake."""


@dataclass(frozen=True)
class SetAxisState:
    state: int


@dataclass(frozen=True)
class SetControllerMode:
    control: int
    input: int


@dataclass(frozen=True)
class SetInputVelocity:
    """Turns per second; torque feed-forward in Nm."""

    velocity: float
    torque: float = 0.0


@dataclass(frozen=True)
class SetLimits:
    """Turns per second; amperes."""

    velocity: float
    current: float


@dataclass(frozen=True)
class ClearErrors:
    """Clears the axis' errors; it stays idle until it is armed again."""


@dataclass(frozen=True)
class Sdo:
    """A question for a value by its endpoint, or a new value. Feeds the watchdog: never sent to an armed axis."""

    READ: ClassVar[int] = 0
    WRITE: ClassVar[int] = 1
    opcode: int
    endpoint: int
    bits: int
    """The value as it travels: a float's four bytes, or a bool."""


@dataclass(frozen=True)
class SdoAnswer:
    """What stands at an endpoint."""

    endpoint: int
    bits: int


@dataclass(frozen=True)
class BusVoltage:
    """Sent by each axis now and then, when it is set up to: volts and amperes."""

    voltage: float
    current: float


Message = (
    Heartbeat
    | EncoderEstimates
    | Estop
    | SetAxisState
    | SetControllerMode
    | SetInputVelocity
    | SetLimits
    | ClearErrors
    | Sdo
    | SdoAnswer
    | BusVoltage
)

_NOTHING, _TWO_FLOATS = struct.Struct("<"), struct.Struct("<ff")
_LAYOUTS: dict[int, tuple[type, struct.Struct]] = {
    Command.HEARTBEAT: (Heartbeat, struct.Struct("<IB")),
    Command.ESTOP: (Estop, _NOTHING),
    Command.SET_AXIS_STATE: (SetAxisState, struct.Struct("<I")),
    Command.ENCODER_ESTIMATES: (EncoderEstimates, _TWO_FLOATS),
    Command.SET_CONTROLLER_MODE: (SetControllerMode, struct.Struct("<ii")),
    Command.SET_INPUT_VELOCITY: (SetInputVelocity, _TWO_FLOATS),
    Command.SET_LIMITS: (SetLimits, _TWO_FLOATS),
    Command.CLEAR_ERRORS: (ClearErrors, _NOTHING),
    Command.BUS_VOLTAGE: (BusVoltage, _TWO_FLOATS),
}
_COMMANDS = {kind: command for command, (kind, _) in _LAYOUTS.items()}


def encode(node: int, message: Message) -> Frame:
    """The frame for an axis. Raises ValueError for a number that is not finite or does not fit."""
    if isinstance(message, (Sdo, SdoAnswer)):
        return _encode_sdo(node, message)
    command = _COMMANDS[type(message)]
    values = vars(message).values()
    if not all([math.isfinite(value) for value in values]):
        raise ValueError(f"{message} holds a number that is not finite")
    try:
        data = _LAYOUTS[command][1].pack(*values)
    except (struct.error, OverflowError) as error:
        raise ValueError(f"{message} does not fit into its frame: {error}") from error
    if command == Command.HEARTBEAT:
        data = data.ljust(8, b"\0")
    return Frame(node << 5 | command, data)


def input_velocity(node: int, velocity: float, limit: float) -> tuple[Frame, bool]:
    """A velocity held within +-limit (turns per second), and whether it had to be clamped."""
    bounded = min(max(velocity, -limit), limit)
    return encode(node, SetInputVelocity(bounded)), bounded != velocity


def decode(frame: Frame) -> tuple[int, Message] | None:
    """Node and message; None for whatever else a frame may hold, numbers that are not finite included."""
    if frame.extended or frame.remote or frame.id >> 11:
        return None
    node, command = frame.id >> 5, frame.id & 0x1F
    known = _LAYOUTS.get(command)
    if known is None:
        return _decode_sdo(node, command, frame.data) if command in (Command.SDO, Command.SDO_ANSWER) else None
    kind, layout = known
    if len(frame.data) < layout.size:
        return None
    values = layout.unpack_from(frame.data)
    if not all([math.isfinite(value) for value in values]):
        return None
    return node, kind(*values)


_SDO = struct.Struct("<BHBI")
"""Opcode, endpoint, nothing, value."""


def _encode_sdo(node: int, message: Sdo | SdoAnswer) -> Frame:
    command = Command.SDO if isinstance(message, Sdo) else Command.SDO_ANSWER
    opcode = message.opcode if isinstance(message, Sdo) else 0
    try:
        return Frame(node << 5 | command, _SDO.pack(opcode, message.endpoint, 0, message.bits))
    except struct.error as error:
        raise ValueError(f"{message} does not fit into its frame: {error}") from error


def _decode_sdo(node: int, command: int, data: bytes) -> tuple[int, Message] | None:
    """A value may have fewer than four bytes: a bool has one."""
    if len(data) < 4:
        return None
    opcode, endpoint, _, value = _SDO.unpack(data[:8].ljust(8, b"\0"))
    return node, Sdo(opcode, endpoint, value) if command == Command.SDO else SdoAnswer(endpoint, value)
