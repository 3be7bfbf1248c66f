"""A CAN bus of the kernel's own (SocketCAN), through python-can; only its socket and its frames are used of it.

Not python-can's Notifier: on a dead bus it spins, and its threads end with the first error. Not exercised on a real
bus, nor on vcan where these lines were written: that kernel has no CAN.
"""

import contextlib

import can

from hw.protocol.can import Frame
from hw.transport import TransportError

MOST_FRAMES = 256
"""Taken in one receive, so that a babbling node cannot hold the loop."""


class SocketCanTransport:
    """A network interface such as can0, set up by the system: `ip link set can0 up type can bitrate 500000`."""

    def __init__(self, interface: str, kind: str = "socketcan") -> None:
        """kind: python-can's name for the interface's driver. Raises TransportError when it does not open."""
        self.interface = interface
        try:
            self._bus = can.Bus(channel=interface, interface=kind)
        except (can.CanError, OSError, ValueError, NotImplementedError) as error:
            raise TransportError(f"{interface} does not open: {error}") from error

    def fileno(self) -> int:
        try:
            return int(self._bus.fileno())
        except (OSError, NotImplementedError) as error:
            raise TransportError(f"{self.interface} cannot be polled: {error}") from error

    def send(self, *frames: Frame) -> None:
        """Send frames. Raises TransportError when the bus is down, or does not take them at once."""
        for frame in frames:
            message = can.Message(
                arbitration_id=frame.id,
                data=frame.data,
                is_extended_id=frame.extended,
                is_remote_frame=frame.remote,
            )
            try:
                self._bus.send(message, timeout=0)
            except (can.CanError, OSError, ValueError) as error:
                raise TransportError(f"{self.interface} takes no frame: {error}") from error

    def receive(self) -> list[Frame]:
        """Return what has arrived; never waits. Error frames are not for us."""
        frames = []
        for _ in range(MOST_FRAMES):
            try:
                message = self._bus.recv(timeout=0)
            except (can.CanError, OSError) as error:
                raise TransportError(f"{self.interface} is gone: {error}") from error
            if message is None:
                break
            if not message.is_error_frame and not message.is_fd:
                frames.append(_frame(message))
        return frames

    def close(self) -> None:
        """python-can raises here when the bus has gone before."""
        with contextlib.suppress(can.CanError, OSError):
            self._bus.shutdown()


def _frame(message: can.Message) -> Frame:
    data = b"" if message.is_remote_frame else bytes(message.data)
    return Frame(message.arbitration_id, data, message.is_extended_id, message.is_remote_frame)
