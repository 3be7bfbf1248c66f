"""What systemd hears from a service, on a real socket."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hw.notify import ALIVE, READY, Watchdog, notify, status, watchdog_seconds


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with listening(str(tmp_path / "notify")) as receiver:
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "125000")
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
        yield receiver


def listening(address: str) -> socket.socket:
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(address)
    receiver.settimeout(10)
    return receiver


def all_heard(receiver: socket.socket) -> list[str]:
    """What was sent until now."""
    receiver.setblocking(False)
    heard = []
    while True:
        try:
            heard.append(receiver.recv(4096).decode())
        except BlockingIOError:
            return heard


def watchdog(check: Callable[[], bool], clock: list[float]) -> Watchdog:
    return Watchdog({"ear": check}, clock=lambda: clock[0])


def test_readiness_and_status_arrive_in_one_datagram(systemd: socket.socket) -> None:
    assert notify(READY, status("listening\nwell"))
    assert systemd.recv(4096) == b"READY=1\nSTATUS=listening well"


def test_a_socket_in_the_abstract_namespace_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"heed-test-{os.getpid()}"
    with listening("\0" + name) as receiver:
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + name)
        assert notify(READY)
        assert receiver.recv(4096) == b"READY=1"


def test_without_systemd_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify(READY)


def test_a_socket_without_a_listener_is_no_trouble(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    assert not notify(READY)


def test_a_full_socket_does_not_hold_up_the_caller(systemd: socket.socket) -> None:
    for _ in range(10_000):
        if not notify("STATUS=" + "x" * 1000):
            return
    pytest.fail("the socket never filled up, so this test proves nothing")


@pytest.mark.parametrize("value", ["", "0", "soon", "-5"])
def test_a_watchdog_period_that_is_none_is_none(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", value)
    assert watchdog_seconds() is None


def test_a_watchdog_meant_for_another_process_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "3000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid() + 1))
    assert watchdog_seconds() is None


def test_the_watchdog_is_fed_twice_per_period(systemd: socket.socket) -> None:
    clock = [0.0]
    dog = watchdog(lambda: True, clock)
    fed_at = []
    for ticks in range(16):
        clock[0] = ticks / 64
        if dog.feed():
            fed_at.append(clock[0])
    assert fed_at == [0.0, 0.0625, 0.125, 0.1875]
    assert all_heard(systemd) == [ALIVE] * 4


def test_a_deaf_daemon_does_not_look_healthy(systemd: socket.socket) -> None:
    clock, hears = [0.0], True
    dog = watchdog(lambda: hears, clock)
    assert dog.feed()
    hears = False
    for clock[0] in (1.0, 2.0):
        assert not dog.feed()
    hears = True
    clock[0] = 3.0
    assert dog.feed()
    assert all_heard(systemd) == [ALIVE, "STATUS=not working: ear", "STATUS=all works again", ALIVE]


def test_a_check_that_breaks_counts_as_not_passed(systemd: socket.socket) -> None:
    def broken() -> bool:
        raise OSError("gone")

    assert not watchdog(broken, [0.0]).feed()
    assert all_heard(systemd) == ["STATUS=not working: ear"]


def test_the_thread_feeds_until_left(systemd: socket.socket) -> None:
    with Watchdog({}):
        assert [systemd.recv(4096).decode() for _ in range(3)] == [ALIVE] * 3
    assert "watchdog" not in [thread.name for thread in threading.enumerate()]


def test_without_a_watchdog_no_thread_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    with Watchdog({}) as dog:
        assert not dog.feed()
        assert "watchdog" not in [thread.name for thread in threading.enumerate()]
