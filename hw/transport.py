"""Wires: something with a file descriptor to poll, that sends and receives and whose close() never raises."""

import contextlib
import os
from pathlib import Path
from typing import Protocol

import serial

from hw.protocol import slcan
from hw.protocol.can import Frame


class TransportError(OSError):
    """The wire is gone, or was never there; the message says which."""


class ByteTransport(Protocol):
    def fileno(self) -> int: ...
    def send(self, data: bytes) -> None: ...
    def receive(self) -> bytes: ...
    def close(self) -> None: ...


class FrameTransport(Protocol):
    def fileno(self) -> int: ...
    def send(self, *frames: Frame) -> None: ...
    def receive(self) -> list[Frame]: ...
    def close(self) -> None: ...


class SerialTransport:
    """A serial port (or a pseudo-terminal), opened exclusively; nothing here ever waits."""

    def __init__(self, path: Path, baud: int) -> None:
        """Raises TransportError when the port does not open."""
        self.path = path
        try:
            self._port = serial.Serial(str(path), baud, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError) as error:
            raise TransportError(f"{path} does not open: {error}") from error
        self._file = int(self._port.fileno())

    def fileno(self) -> int:
        return self._file

    def send(self, data: bytes) -> None:
        """Send bytes. Raises TransportError when the port is gone, or does not take the whole of it at once."""
        try:
            written = os.write(self._file, data)
        except BlockingIOError as error:
            raise TransportError(f"{self.path} takes no more bytes: the device does not read") from error
        except OSError as error:
            raise TransportError(f"{self.path} is gone: {error}") from error
        if written < len(data):
            raise TransportError(f"{self.path} took {written} of {len(data)} bytes: the device does not read")

    def receive(self) -> bytes:
        """Return what has arrived. Call it when poll() says so: then, no bytes mean that the port is gone."""
        try:
            data = os.read(self._file, 4096)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise TransportError(f"{self.path} is gone: {error}") from error
        if not data:
            raise TransportError(f"{self.path} is gone: end of file")
        return data

    def close(self) -> None:
        self._file = -1  # its number may soon be another file's
        with contextlib.suppress(OSError):
            self._port.close()


class SlcanTransport:
    """A CAN bus behind an SLCAN adapter."""

    def __init__(self, path: Path, baud: int, bitrate: int) -> None:
        self._serial = SerialTransport(path, baud)
        self._parser = slcan.Parser()
        try:
            self._serial.send(slcan.CLOSE + slcan.set_bitrate(bitrate) + slcan.OPEN)
        except TransportError:
            self._serial.close()
            raise

    def fileno(self) -> int:
        return self._serial.fileno()

    def send(self, *frames: Frame) -> None:
        self._serial.send(b"".join([slcan.encode(frame) for frame in frames]))

    def receive(self) -> list[Frame]:
        return self._parser.feed(self._serial.receive())

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._serial.send(slcan.CLOSE)
        self._serial.close()
