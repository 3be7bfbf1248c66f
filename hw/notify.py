"""Tells systemd how a service is: ready, well, stopping (sd_notify(3)). Without systemd nothing happens."""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping

READY = "READY=1"
STOPPING = "STOPPING=1"
ALIVE = "WATCHDOG=1"

log = logging.getLogger(__name__)


def notify(*assignments: str) -> bool:
    """Send READY, STOPPING, ALIVE or a `status`; never blocks. False where nobody takes it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]  # in Linux' abstract namespace
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
        try:
            sender.sendto("\n".join(assignments).encode(), address)
        except OSError as error:
            log.debug("systemd did not take %s: %s", assignments, error)
            return False
    return True


def status(text: str) -> str:
    """The line that `systemctl status` shows."""
    return "STATUS=" + " ".join(text.split())


def watchdog_seconds() -> float | None:
    """Return how long systemd waits for ALIVE before it restarts this process; None when it does not."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None


class Watchdog:
    """Says ALIVE twice per watchdog period, but only while every check passes.

    A process with a loop calls `feed` from it; for one without, `with Watchdog(...):` feeds from a thread.
    """

    def __init__(self, checks: Mapping[str, Callable[[], bool]], clock: Callable[[], float] = time.monotonic) -> None:
        """`checks` are named by what works while they pass, for example "ear"."""
        self._checks = checks
        self._clock = clock
        period = watchdog_seconds()
        self._interval = period / 2 if period else None
        self._due = clock()
        self._unwell: list[str] = []
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def feed(self) -> bool:
        """Say ALIVE if it is due and all is well; cheap enough for a control loop. True if it was said."""
        if self._interval is None or self._clock() < self._due:
            return False
        self._due = self._clock() + self._interval
        unwell = [name for name, check in self._checks.items() if not _passes(name, check)]
        if unwell != self._unwell:
            self._unwell = unwell
            log.warning("not working: %s", ", ".join(unwell) or "nothing any more")
            notify(status(f"not working: {', '.join(unwell)}" if unwell else "all works again"))
        return not unwell and notify(ALIVE)

    def __enter__(self) -> "Watchdog":
        """Feed from a thread; does nothing where systemd keeps no watchdog."""
        if self._interval is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        assert self._interval is not None
        while True:
            self.feed()
            if self._closing.wait(max(0.0, self._due - self._clock())):
                return


def _passes(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception:
        log.exception("the check of %s failed", name)
        return False
