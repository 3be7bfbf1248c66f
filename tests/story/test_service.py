"""heed as systemd runs it: a real daemon on the simulated robot, and a socket where systemd would listen."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.service.control import request

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
SECONDS = 60.0
"""For a start on a machine under load; usually it takes three."""


class Service:
    """`heed run --service`, with all that it writes in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.runtime = folder / "run"
        config = folder / "config.toml"
        config.write_text(
            f'[service]\nruntime_directory = "{self.runtime}"\nmodels_directory = "{ROOT / "models"}"\n'
            '[llm]\nbrain = "imitation"\n'
        )
        self.systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.systemd.bind(str(folder / "notify"))
        self.systemd.settimeout(SECONDS)
        self.systemd.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        environment = {**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "2000000"}
        environment.pop("WATCHDOG_PID", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "daemon", "--config", str(config), "run", "--service"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def hears(self, line: str) -> bool:
        """Whether systemd is told this; waits for it, and passes over what else is said before.

        Like systemd (NotifyAccess=main) it listens to the main process and not to its children.
        """
        while True:
            message, ancillary, *_ = self.systemd.recvmsg(4096, socket.CMSG_SPACE(12))
            sender = int.from_bytes(ancillary[0][2][:4], sys.byteorder)  # struct ucred begins with the process id
            if sender == self.process.pid and line in message.decode().splitlines():
                return True

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self.systemd.close()


@pytest.fixture
def service() -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:  # a short path: it holds sockets
        running = Service(Path(folder))
        try:
            assert running.hears("READY=1")
            yield running
        finally:
            running.close()


def test_once_readiness_was_told_heed_can_be_talked_to(service: Service) -> None:
    assert request(service.runtime, "status")
    assert service.process.poll() is None  # although nobody types


def test_the_watchdog_is_fed(service: Service) -> None:
    assert service.hears("WATCHDOG=1")
    assert service.hears("WATCHDOG=1")


def test_asked_to_end_it_says_so_and_ends_well(service: Service) -> None:
    service.process.send_signal(signal.SIGTERM)
    assert service.hears("STOPPING=1")
    assert service.process.wait(SECONDS) == 0
