"""SocketCAN through python-can; without a kernel that has CAN, through python-can's virtual bus."""

import uuid
from collections.abc import Iterator

import pytest

from hw.protocol import cansimple
from hw.protocol.can import Frame
from hw.socketcan import MOST_FRAMES, SocketCanTransport
from hw.transport import TransportError


@pytest.fixture
def ends() -> Iterator[tuple[SocketCanTransport, SocketCanTransport]]:
    channel = uuid.uuid4().hex
    one, other = SocketCanTransport(channel, "virtual"), SocketCanTransport(channel, "virtual")
    yield one, other
    one.close()
    other.close()


def test_frames_survive_the_bus(ends: tuple[SocketCanTransport, SocketCanTransport]) -> None:
    one, other = ends
    frames = [
        cansimple.encode(3, cansimple.SetInputVelocity(1.5)),
        Frame(0x1ABCDEF, b"\x01\x02", extended=True),
        Frame(0x21, remote=True),
    ]
    one.send(*frames)
    assert other.receive() == frames
    assert other.receive() == []


def test_a_babbling_node_does_not_hold_the_loop(ends: tuple[SocketCanTransport, SocketCanTransport]) -> None:
    one, other = ends
    one.send(*[Frame(1)] * (MOST_FRAMES + 10))
    assert len(other.receive()) == MOST_FRAMES
    assert len(other.receive()) == 10


def test_an_interface_that_is_not_there_is_said() -> None:
    with pytest.raises(TransportError, match="nocan7"):
        SocketCanTransport("nocan7")


def test_a_closed_bus_raises_transport_errors_and_closing_twice_nothing(
    ends: tuple[SocketCanTransport, SocketCanTransport],
) -> None:
    one, _ = ends
    one.close()
    with pytest.raises(TransportError):
        one.send(Frame(1))
    with pytest.raises(TransportError):
        one.receive()
    one.close()
