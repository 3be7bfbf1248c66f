"""ODrive axes on a CAN bus behind an SLCAN adapter: arming, errors, settings, the watchdog, a wheel that follows. Pure.

As in ODrive's firmware: every frame to an axis feeds its watchdog, which is off until somebody turns it on; errors
disarm, and a disarmed wheel coasts: nothing brakes it.
Not imitated: any control mode but velocity, currents, time on the wire.
"""

import math
import struct
from collections.abc import Mapping, Sequence

from hw.protocol import cansimple, slcan
from hw.protocol.can import Frame
from hw.protocol.cansimple import AxisState, ControlMode

RESPONSE = 0.05
"""Seconds until an armed wheel has come two thirds of the way to its velocity."""
COASTING = 0.5
"""Seconds until a coasting wheel has lost two thirds of its velocity."""
HEARTBEAT = 0.1
ESTIMATES = 0.01
"""Seconds between what an axis sends by itself: ODrive's default rates."""
CREEP = 1e-4
"""Turns per second below which a wheel stands."""


class SimulatedAxis:
    """One wheel's motor."""

    def __init__(self, node: int, watchdog: float, endpoints: Mapping[str, int] | None = None) -> None:
        """watchdog: seconds without a frame until it disarms, as somebody has set it up before.

        endpoints: where its settings can be written and read, by the names that a robot description has for them;
        with them it is as it leaves the factory, its watchdog off.
        """
        self.node = node
        self.settings = dict.fromkeys((endpoints or {}).values(), 0)
        """By endpoint, the bits that each setting holds."""
        self.stubborn: set[int] = set()
        """Endpoints that keep what they hold."""
        self.state = AxisState.IDLE
        self.error = 0
        self.position = 0.0
        """Turns."""
        self.velocity = 0.0
        """Turns per second."""
        self.stalled = False
        """Something holds the wheel."""
        self.mute = False
        """It says nothing any more."""
        self._zero = 0.0
        """Where its encoder began to count."""
        self._endpoints = dict(endpoints or {})
        self._factory_watchdog = math.inf if endpoints else watchdog
        self._answers: list[cansimple.Message] = []
        self._hungry = 0.0
        """Seconds since the last frame."""
        self._wanted = 0.0
        self._limit = 100.0
        self._mode = ControlMode.VELOCITY.value
        self._since_heartbeat = HEARTBEAT
        self._since_estimates = ESTIMATES

    @property
    def settled(self) -> bool:
        """Return whether it stands, and was told nothing else."""
        return not self.velocity and not self._target()[0]

    def receive(self, message: cansimple.Message | None) -> None:
        """A frame for this axis; None when it means nothing, which feeds the watchdog all the same."""
        self._hungry = 0.0
        match message:
            case cansimple.SetAxisState(state):
                self._change_state(state)
            case cansimple.SetInputVelocity(velocity):
                self._wanted = velocity
            case cansimple.SetControllerMode(control):
                self._mode = control
            case cansimple.SetLimits(velocity):
                self._limit = abs(velocity)
            case cansimple.ClearErrors():
                self.error = 0
            case cansimple.Estop():
                self.fail(cansimple.ESTOP_REQUESTED)
            case cansimple.Sdo(opcode, endpoint, bits):
                self._tell_setting(endpoint, bits if opcode == cansimple.Sdo.WRITE else None)

    @property
    def watchdog(self) -> float:
        """Seconds without a frame until it disarms."""
        if not self._setting("enable_watchdog"):
            return self._factory_watchdog
        return _float(self._setting("watchdog_timeout"))

    def fail(self, error: int) -> None:
        """Disarm with an error bit."""
        self.error |= error
        self.state = AxisState.IDLE

    def reset(self) -> None:
        """A power cycle: idle, without error, settings forgotten, and the encoder counts from here."""
        self.state, self.error = AxisState.IDLE, 0
        self.settings = dict.fromkeys(self.settings, 0)
        self._wanted, self._limit, self._mode = 0.0, 100.0, ControlMode.VELOCITY.value
        self._zero = self.position

    def step(self, dt: float) -> list[cansimple.Message]:
        """Let dt seconds pass, and hear what the axis says unasked."""
        self._hungry += dt
        if self.state is AxisState.CLOSED_LOOP_CONTROL and self._hungry > self.watchdog:
            self.fail(cansimple.WATCHDOG_EXPIRED)
        before = self.velocity
        target, constant = self._target()
        self.velocity += (target - self.velocity) * -math.expm1(-dt / constant)
        if self.stalled or (abs(self.velocity) < CREEP and not target):
            self.velocity = 0.0
        self.position += (before + self.velocity) / 2 * dt
        return self._speak(dt)

    def _target(self) -> tuple[float, float]:
        """Velocity, and how long it takes to get there."""
        if self.state is not AxisState.CLOSED_LOOP_CONTROL:
            return 0.0, COASTING
        wanted = self._wanted if self._mode == ControlMode.VELOCITY else 0.0
        return min(max(wanted, -self._limit), self._limit), RESPONSE

    def _setting(self, name: str) -> int:
        return self.settings.get(self._endpoints.get(name, -1), 0)

    def _tell_setting(self, endpoint: int, written: int | None) -> None:
        """Keep what was written, or answer with what is kept; an endpoint that is none says nothing."""
        if endpoint not in self.settings:
            return
        if written is None:
            self._answers.append(cansimple.SdoAnswer(endpoint, self.settings[endpoint]))
        elif endpoint not in self.stubborn:
            self.settings[endpoint] = written
            if endpoint == self._endpoints.get("velocity_limit"):
                self._limit = abs(_float(written))

    def _change_state(self, state: int) -> None:
        if state == AxisState.IDLE:
            self.state = AxisState.IDLE
        elif state == AxisState.CLOSED_LOOP_CONTROL and not self.error:
            self.state = AxisState.CLOSED_LOOP_CONTROL

    def _speak(self, dt: float) -> list[cansimple.Message]:
        self._since_heartbeat += dt
        self._since_estimates += dt
        messages, self._answers = self._answers, []
        if self._since_estimates >= ESTIMATES:
            self._since_estimates = 0.0
            messages.append(cansimple.EncoderEstimates(self.position - self._zero, self.velocity))
        if self._since_heartbeat >= HEARTBEAT:
            self._since_heartbeat = 0.0
            messages.append(cansimple.Heartbeat(self.error, self.state))
        return [] if self.mute else messages


def _float(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


class SlcanAdapter:
    """A USB adapter with axes on its CAN bus."""

    def __init__(self, axes: Sequence[SimulatedAxis]) -> None:
        self.axes = {axis.node: axis for axis in axes}
        self._parser = slcan.Parser()
        self._is_open = False

    def receive(self, data: bytes) -> tuple[bytes, list[Frame]]:
        """The bytes that go back, and the frames that went to the bus."""
        answers, frames = b"", []
        for line in self._parser.feed_lines(data):
            frame = slcan.decode(line)
            if frame and self._is_open:
                self._deliver(frame)
                frames.append(frame)
                answers += b"z\r"
            else:
                answers += self._obey(line)
        return answers, frames

    def step(self, dt: float) -> bytes:
        """Let time pass, and pass on what the axes say while the channel is open."""
        said = [
            slcan.encode(cansimple.encode(axis.node, message))
            for axis in self.axes.values()
            for message in axis.step(dt)
        ]
        return b"".join(said) if self._is_open else b""

    def disconnect(self) -> None:
        """Close the channel: whoever was listening has gone, and half a line counts for nothing."""
        self._is_open = False
        self._parser = slcan.Parser()

    def _obey(self, line: bytes) -> bytes:
        """A command; CR says yes, BELL no."""
        if line[:1] in b"OC" and len(line) == 1:
            self._is_open = line == b"O"
            return b"\r"
        return b"\r" if line[:1] == b"S" and not self._is_open else b"\a"

    def _deliver(self, frame: Frame) -> None:
        axis = None if frame.extended else self.axes.get(frame.id >> 5)
        if axis:
            decoded = cansimple.decode(frame)
            axis.receive(decoded[1] if decoded else None)
