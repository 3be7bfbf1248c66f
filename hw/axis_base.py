"""A base whose wheels are ODrive axes on one CAN bus.

ODrive's watchdog is fed by commands, never by questions, so that it trips when commands cease: encoder
positions and heartbeats come from the axes by themselves.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw import odrive
from hw.base import STILL, WheelBase
from hw.base_description import AxisBaseDescription, Wheel
from hw.device import SETTLE
from hw.device_faults import ComponentError, FaultCode
from hw.odometry import Turns
from hw.odrive import Setup
from hw.protocol import cansimple
from hw.protocol.can import Frame
from hw.protocol.cansimple import AxisState
from hw.state import Lifecycle, Standstill
from hw.transport import FrameTransport

HEARTBEAT_TIMEOUT = 1.0
"""Seconds: ten heartbeats at ODrive's default rate."""
ARMING = 1.5
"""Seconds until an axis must have reported that it is in closed loop."""
REMIND_EVERY = 0.5
"""Seconds between repetitions of mode and limits: behind a serial adapter, a damaged command can look like another."""
FASTER = 1.2
"""Share of the greatest velocity at which an axis itself says no: some room for its control."""


@dataclass
class Axis:
    """One wheel as it was heard last; turns and turns per second, forward positive."""

    wheel: Wheel
    position: float = 0.0
    velocity: float = 0.0
    estimated_at: float = -math.inf
    state: int = AxisState.UNDEFINED
    error: int = 0
    beat_at: float = -math.inf
    last_beat: cansimple.Heartbeat | None = None
    """Counts once the next one says the same: a serial CAN adapter has no checksum."""
    voltage: float | None = None

    def hear(self, message: cansimple.Message, now: float) -> None:
        if isinstance(message, cansimple.EncoderEstimates):
            self.position = self.wheel.direction * message.position
            self.velocity = self.wheel.direction * message.velocity
            self.estimated_at = now
        elif isinstance(message, cansimple.Heartbeat):
            if message == self.last_beat:
                self.state, self.error, self.beat_at = message.state, message.error, now
            self.last_beat = message
        elif isinstance(message, cansimple.BusVoltage):
            self.voltage = message.voltage


class AxisBase(WheelBase):
    """An axis for each wheel."""

    def __init__(
        self,
        description: AxisBaseDescription,
        open_port: Callable[[], FrameTransport],
        feedback_timeout: float,
        note: Path | None = None,
    ) -> None:
        super().__init__(description, feedback_timeout, note)
        self.description = description
        self.axes = {wheel.id: Axis(wheel) for wheel in description.wheels}
        self._open_port = open_port
        self._port: FrameTransport | None = None
        self._arms_next = False
        """Arm the axes as soon as they have kept their settings."""
        self._armed_at: float | None = None
        self._set_up_at = -math.inf
        self._setup = self._new_setup()

    def fileno(self) -> int | None:
        return self._port.fileno() if self._port else None

    @property
    def voltage(self) -> float | None:
        """The lower one, when the axes are set up to send it."""
        return min((axis.voltage for axis in self.axes.values() if axis.voltage is not None), default=None)

    @property
    def asking(self) -> bool:
        return self._port is not None and self.lifecycle is Lifecycle.UNCONFIGURED

    @property
    def resting(self) -> bool:
        if self._port is None:
            return True
        return not (self.asking or self.activating) and not any(self.wanted) and self.at_rest

    @property
    def activating(self) -> bool:
        return self._arms_next or self._armed_at is not None

    def details(self) -> list[dict[str, Any]]:
        return [
            {
                "name": f"{axis.wheel.name} wheel",
                "id": axis.wheel.id,
                "state": int(axis.state),
                "error": odrive.words(axis.error) if axis.error else "",
                "position": round(axis.position, 3),
                "velocity": round(axis.velocity, 3),
                "voltage": axis.voltage,
            }
            for axis in self.axes.values()
        ]

    def stop(self) -> bool:
        self.halt()
        self._arms_next, self._armed_at = False, None
        if self._port is None or not self.powered:
            return False
        self.deactivate()
        troubles = len(self.troubles)
        self._guard(self._send_twist)
        return len(self.troubles) == troubles

    def standstill(self, since: float) -> Standstill:
        if any(axis.estimated_at < since + SETTLE for axis in self.axes.values()):
            return Standstill.UNCERTAIN
        return Standstill.TRUE if self.fastest < STILL else Standstill.FALSE

    def release(self) -> None:
        """Disarm the axes; the base can be pushed."""
        self.cut()

    def _open(self, now: float) -> None:
        self._port = self._open_port()
        self.reason = "the axes have not been heard yet"
        self.axes = {node: Axis(axis.wheel) for node, axis in self.axes.items()}
        self._setup = self._new_setup()

    def _close_port(self) -> None:
        if self._port:
            self._port.close()
        self._port = None
        self._arms_next, self._armed_at = False, None
        self.halt()

    def _receive(self, now: float) -> None:
        assert self._port is not None
        for frame in self._port.receive():
            decoded = cansimple.decode(frame)
            if decoded and decoded[0] in self.axes:
                self.axes[decoded[0]].hear(decoded[1], now)
                if isinstance(decoded[1], cansimple.SdoAnswer):
                    self._setup.hear(decoded[0], decoded[1])

    def _tick(self, now: float, dt: float) -> None:
        if self.lifecycle is Lifecycle.UNCONFIGURED:
            self._greet(now)
            return
        self._follow_wheels(now)
        if self.powered:
            self._ramp(dt)
            self._send_twist()
            if now > self._set_up_at + REMIND_EVERY:
                self._set_up_axes(now)
        if self._arms_next:
            self._arm(now)
        elif self._armed_at is not None:
            self._finish_arming(now, self._armed_at)
        elif self.lifecycle is not Lifecycle.FAULT:
            self._check_axes(now)

    def _greet(self, now: float) -> None:
        """Inactive as soon as all axes speak by themselves, stand unarmed, and have kept their settings."""
        if not all(self._is_heard(axis, now) for axis in self.axes.values()) or self._find_armed():
            return
        if not self._setup.done:
            self._send(*self._setup.frames(now))
        else:
            if not self.description.endpoints and not self.description.simulated:
                self.warn(FaultCode.LIMITS_UNCHECKED, "nobody can tell whether the axes' watchdogs are on")
            self._restore()
            self.lifecycle = Lifecycle.INACTIVE
            self.reason = self.hint = ""

    def _find_armed(self) -> bool:
        """An axis that somebody else left armed is braked, and disarmed once it stands."""
        found = [axis for axis in self.axes.values() if axis.state == AxisState.CLOSED_LOOP_CONTROL]
        for axis in found:
            turning = abs(axis.velocity) > STILL
            order = cansimple.SetInputVelocity(0.0) if turning else cansimple.SetAxisState(AxisState.IDLE)
            self._send(cansimple.encode(axis.wheel.id, order))
        return bool(found)

    def _new_setup(self) -> Setup:
        """For the axes that are not armed: nobody asks those."""
        unarmed = [node for node, axis in self.axes.items() if axis.state != AxisState.CLOSED_LOOP_CONTROL]
        described = self.description
        settings = {
            "watchdog_timeout": described.watchdog,
            "enable_watchdog": True,
            "velocity_limit": FASTER * described.wheel_velocity,
            "current_limit": described.current_limit,
        }
        return Setup(unarmed, described.endpoints, settings)

    def _is_heard(self, axis: Axis, now: float) -> bool:
        return now - axis.beat_at < HEARTBEAT_TIMEOUT and now - axis.estimated_at < self._timeout

    def _activate(self, now: float) -> None:
        """An axis that had no power meanwhile has forgotten its settings, and its watchdog is off again."""
        self._setup = self._new_setup()
        self._arms_next = True
        self._arm(now)

    def _arm(self, now: float) -> None:
        if not self._setup.done:
            self._send(*self._setup.frames(now))
            return
        self._arms_next = False
        self.halt()
        self._to_all(cansimple.ClearErrors())
        self._set_up_axes(now)
        self._send_twist()
        self._to_all(cansimple.SetAxisState(AxisState.CLOSED_LOOP_CONTROL))
        self.powered = True
        self._armed_at = now

    def _set_up_axes(self, now: float) -> None:
        """Tell the axes how they are driven and how far they may go; one that has not heard the order to arm, again."""
        self._set_up_at = now
        self._to_all(cansimple.SetControllerMode(cansimple.ControlMode.VELOCITY, cansimple.InputMode.PASSTHROUGH))
        self._to_all(cansimple.SetLimits(FASTER * self.description.wheel_velocity, self.description.current_limit))
        for axis in self.axes.values() if self._armed_at is not None else ():
            if axis.state == AxisState.IDLE and not axis.error:
                self._send(cansimple.encode(axis.wheel.id, cansimple.SetAxisState(AxisState.CLOSED_LOOP_CONTROL)))

    def _release(self) -> None:
        self._to_all(cansimple.SetAxisState(AxisState.IDLE))

    def _finish_arming(self, now: float, armed_at: float) -> None:
        """Active once heartbeats younger than the command say so: an older one may hold an old error."""
        fresh = all(axis.beat_at > armed_at + SETTLE for axis in self.axes.values())
        if fresh and all(_is_armed(axis) for axis in self.axes.values()):
            self._armed_at = None
            self.lifecycle = Lifecycle.ACTIVE
        elif now - armed_at > ARMING:
            self._armed_at = None
            self.powered = False
            errors = [axis.error for axis in self.axes.values() if axis.error]
            code = odrive.fault_code(errors[0]) if errors else FaultCode.DEVICE_NOT_ARMED
            raise ComponentError(code, self._axes_text())

    def _check_axes(self, now: float) -> None:
        for axis in self.axes.values():
            if not self._is_heard(axis, now):
                raise ComponentError(FaultCode.COMM_TIMEOUT, f"the axis with node id {axis.wheel.id} has fallen silent")
            if self.active and axis.error:
                raise ComponentError(odrive.fault_code(axis.error), self._axes_text())
            if self.active and not _is_armed(axis):
                raise ComponentError(FaultCode.DEVICE_NOT_ARMED, self._axes_text())

    def _send_twist(self) -> None:
        speeds = zip(self.description.wheels, self._kinematics.speeds(self.twist), strict=True)
        self._send(*(self._wheel_frame(wheel, speed) for wheel, speed in speeds))

    def _wheel_frame(self, wheel: Wheel, metres_per_second: float) -> Frame:
        turns = wheel.direction * metres_per_second / self.description.circumference
        frame, _ = cansimple.input_velocity(wheel.id, turns, self.description.wheel_velocity)
        return frame

    def _to_all(self, message: cansimple.Message) -> None:
        self._send(*(cansimple.encode(node, message) for node in self.axes))

    def _send(self, *frames: Frame) -> None:
        assert self._port is not None
        self._port.send(*frames)

    def _turns(self) -> Turns:
        return tuple([axis.position for axis in self.axes.values()])

    @property
    def fastest(self) -> float:
        return max([abs(axis.velocity) for axis in self.axes.values()])

    def _axes_text(self) -> str:
        return "; ".join(
            f"axis {node}: state {axis.state}, {odrive.words(axis.error)}" for node, axis in self.axes.items()
        )


def _is_armed(axis: Axis) -> bool:
    return axis.state == AxisState.CLOSED_LOOP_CONTROL and not axis.error
