"""ODrive's CANSimple: messages to and from motor axes in CAN frames. Pure; both ends of the wire use it.

The id of a frame is node << 5 | command. Numbers are little-endian, floats of 4 bytes. Layouts as ODrive
documents them for firmware 0.5.6 and 0.6; only the simulated bus was exercised.
"""

import math
import struct
from dataclasses import dataclass
from enum import IntEnum

from hw.protocol.can import Frame


class Command(IntEnum):
    HEARTBEAT = 0x01
    ESTOP = 0x02
    SET_AXIS_STATE = 0x07
    ENCODER_ESTIMATES = 0x09
    SET_CONTROLLER_MODE = 0x0B
    SET_INPUT_VELOCITY = 0x0D
    SET_LIMITS = 0x0F
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


ESTOP_REQUESTED = 0x0800_0000
WATCHDOG_EXPIRED = 0x0100_0000
"""Bits of the axis error, as in firmware 0.6."""


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


Message = (
    Heartbeat | EncoderEstimates | Estop | SetAxisState | SetControllerMode | SetInputVelocity | SetLimits | ClearErrors
)

_LAYOUTS: dict[int, tuple[type, str]] = {
    Command.HEARTBEAT: (Heartbeat, "<IB"),
    Command.ESTOP: (Estop, "<"),
    Command.SET_AXIS_STATE: (SetAxisState, "<I"),
    Command.ENCODER_ESTIMATES: (EncoderEstimates, "<ff"),
    Command.SET_CONTROLLER_MODE: (SetControllerMode, "<ii"),
    Command.SET_INPUT_VELOCITY: (SetInputVelocity, "<ff"),
    Command.SET_LIMITS: (SetLimits, "<ff"),
    Command.CLEAR_ERRORS: (ClearErrors, "<"),
}
_COMMANDS = {kind: command for command, (kind, _) in _LAYOUTS.items()}


def encode(node: int, message: Message) -> Frame:
    """The frame for an axis. Raises ValueError for a number that is not finite or does not fit."""
    values = tuple(vars(message).values())
    if not all(math.isfinite(value) for value in values):
        raise ValueError(f"{message} holds a number that is not finite")
    command = _COMMANDS[type(message)]
    try:
        data = struct.pack(_LAYOUTS[command][1], *values)
    except (struct.error, OverflowError) as error:
        raise ValueError(f"{message} does not fit into its frame: {error}") from error
    if isinstance(message, Heartbeat):
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
    if command not in _LAYOUTS:
        return None
    kind, layout = _LAYOUTS[command]
    size = struct.calcsize(layout)
    if len(frame.data) < size:
        return None
    values = struct.unpack(layout, frame.data[:size])
    if not all(math.isfinite(value) for value in values):
        return None
    return node, kind(*values)
