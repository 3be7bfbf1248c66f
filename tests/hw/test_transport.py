"""Serial wires: exclusive, never waiting, honest when they are gone, and closed without a word."""

import contextlib
import os
import pty
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.protocol import slcan
from hw.protocol.can import Frame
from hw.transport import SerialTransport, SlcanTransport, TransportError


class Line:
    """The two ends of a pseudo-terminal; `path` is under a name that stays, as in /dev/serial/by-id."""

    def __init__(self, folder: Path) -> None:
        self.master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        self.path = folder / "usb-adapter"
        self.path.symlink_to(os.ttyname(self._slave))

    def cut(self) -> None:
        os.close(self._slave)
        os.close(self.master)


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    line = Line(tmp_path)
    yield line
    with contextlib.suppress(OSError):  # the test may have cut it
        line.cut()


def test_bytes_go_both_ways_and_nothing_waits(line: Line) -> None:
    port = SerialTransport(line.path, 1_000_000)
    port.send(b"ask")
    assert os.read(line.master, 10) == b"ask"
    os.write(line.master, b"answer")
    assert port.receive() == b"answer"
    port.close()


def test_a_port_belongs_to_one(line: Line) -> None:
    port = SerialTransport(line.path, 1_000_000)
    with pytest.raises(TransportError, match="does not open"):
        SerialTransport(line.path, 1_000_000)
    port.close()
    SerialTransport(line.path, 1_000_000).close()


def test_a_device_that_does_not_read_is_said_and_not_waited_for(line: Line) -> None:
    port = SerialTransport(line.path, 1_000_000)
    with pytest.raises(TransportError, match="does not read"):
        fill(port)
    port.close()


def fill(port: SerialTransport) -> None:
    for _ in range(1000):
        port.send(bytes(4096))


def test_a_wire_that_is_cut_raises_transport_errors_and_closes_quietly(line: Line) -> None:
    port = SerialTransport(line.path, 1_000_000)
    line.cut()
    with pytest.raises(TransportError, match="gone"):
        port.receive()
    with pytest.raises(TransportError, match="gone"):
        port.send(b"x")
    for _ in range(2):
        port.close()


def test_a_port_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(TransportError, match="usb-none"):
        SerialTransport(tmp_path / "usb-none", 1_000_000)


def test_closing_an_slcan_adapter_closes_its_channel(line: Line) -> None:
    adapter = SlcanTransport(line.path, 1_000_000, 500_000)
    assert os.read(line.master, 100) == b"C\rS6\rO\r"
    os.write(line.master, slcan.encode(Frame(0x21, b"\1")))
    assert adapter.receive() == [Frame(0x21, b"\1")]
    adapter.close()
    assert os.read(line.master, 100) == slcan.CLOSE
    adapter.close()


def test_no_descriptor_is_left_after_a_hundred_openings(line: Line) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        SerialTransport(line.path, 1_000_000).close()
    assert len(os.listdir("/proc/self/fd")) == before
