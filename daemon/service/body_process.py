"""A process of the body, known by its socket: heed-hw, and the simulated robot where there is no metal."""

import errno
import socket
import time
from collections.abc import Sequence
from pathlib import Path

from daemon.service.child_process import ChildProcess

START_SECONDS = 20.0
"""A process that has not made its socket by then is broken, even on a machine under load (usual: 0.5 s)."""
END_SECONDS = 3.0


class BodyError(RuntimeError):
    """A process of the body did not start."""


class BodyProcess:
    """A process of the body that is known by its socket: a child of ours, or a service that was there before."""

    def __init__(self, name: str, command: Sequence[str], path: Path, kind: socket.SocketKind) -> None:
        """`command` are Python's arguments, `path` and `kind` those of its socket."""
        self.name = name
        self._path = path
        self._kind = kind
        self._child = ChildProcess(command, END_SECONDS)

    @property
    def alive(self) -> bool:
        return self._child.status is None if self._child.started else self.serves()

    @property
    def pid(self) -> int | None:
        return self._child.pid

    def serves(self) -> bool:
        """Return whether anybody listens at the socket."""
        with socket.socket(socket.AF_UNIX, self._kind) as probe:
            probe.setblocking(False)
            return probe.connect_ex(str(self._path)) in (0, errno.EAGAIN)

    def start(self) -> None:
        """Start it as a child and wait until it serves. It watches its parent, and ends when we are gone."""
        self._child.start()
        deadline = time.monotonic() + START_SECONDS
        while not self.serves():
            if not self.alive or time.monotonic() > deadline:
                self.close()
                raise BodyError(f"{self.name} did not start; its messages above say why")
            time.sleep(0.02)

    def wait_gone(self) -> None:
        """Wait until one that an earlier heed left behind has ended. Raises BodyError when it does not."""
        deadline = time.monotonic() + END_SECONDS
        while self.serves():
            if time.monotonic() > deadline:
                raise BodyError(f"another heed has the robot: {self._path} is in use; end it first")
            time.sleep(0.02)

    def close(self) -> None:
        """End it, gently at first."""
        self._child.close()
