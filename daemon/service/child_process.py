"""A Python program of heed's that runs beside the daemon: started, ended gently at first."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from daemon.service.journal import standard_error

ROOT = Path(__file__).parents[2]


class ChildProcess:
    """One program, run once or again and again. It says what it has to say in the daemon's log."""

    def __init__(self, arguments: Sequence[str], patience: float) -> None:
        """`arguments` are Python's; `patience` is how long, in seconds, it may take to end before it is killed."""
        self._command = [sys.executable, *arguments]
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def started(self) -> bool:
        """Return whether it was started, and not closed since; it may have ended by itself."""
        return self._process is not None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def status(self) -> int | None:
        """Return with what it has ended; None while it runs, and where it was never started."""
        return self._process.poll() if self._process else None

    @property
    def memory(self) -> int:
        """Return how many bytes it holds; 0 where it does not run."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        except (OSError, IndexError):  # a process that has ended has an empty one
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def start(self) -> None:
        """Start it, as one of whose readiness systemd is told nothing."""
        environment = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=standard_error(),
            cwd=ROOT,
            env=environment,
        )

    def kill(self) -> None:
        """End it at once, where it runs."""
        if self._process:
            self._process.kill()

    def close(self) -> None:
        """End it, gently at first; safe to call twice."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
