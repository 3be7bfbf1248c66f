"""The daemon's end of a model's worker process; llama_worker.py says what travels between the two."""

import contextlib
import json
import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

CANCEL_SECONDS = 2.0
"""A worker that does not answer a cancel for so long is ended; it answers within 0.1 s unless it hangs."""
NICENESS = 5
"""Of the worker: ear, mouth and motors come first."""
ROOT = Path(__file__).resolve().parents[2]


class WorkerDied(Exception):
    """The process is gone or of no use; the message says why, as far as one can know."""


News = Callable[[str, float | None], object]
"""Is given what a model has written so far, and how sure it is of that where it was asked."""


class WorkerProcess:
    """Starts at once and loads the file in the background. ask() is for one thread at a time."""

    def __init__(
        self, file: Path, context_tokens: int, threads: int, *, folder: Path | None, limit: int, splice: str
    ) -> None:
        self.opened: dict[str, Any] = {}
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        threads = threads or max(len(os.sched_getaffinity(0)) - 1, 1)
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "daemon.llm.llama_worker", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stderr=self._stderr,
                cwd=ROOT,
                env=os.environ | _environment(threads),
            )
            self._connection = Connection(ours.detach())
        self._numbering = threading.Lock()
        self._number = 0
        self._cancelled_at = math.inf
        with contextlib.suppress(OSError):  # if it is dead already, ask() will say so
            self._send(
                "open",
                file=str(file.resolve()),
                context_tokens=context_tokens,
                threads=threads,
                folder=str(folder) if folder else None,
                limit=limit,
                splice=splice,
            )

    @property
    def id(self) -> int:
        return self._process.pid

    def ask(self, what: str, so_far: News | None = None, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer; `so_far` is given what is written meanwhile, and how sure that is.

        Raises WorkerDied, also when the file cannot be opened.
        """
        try:
            with self._numbering:
                self._number += 1
                self._cancelled_at = math.inf
                self._send(what, **fields)
            return self._receive_answer(so_far or (lambda text, sure: None))
        except (EOFError, OSError) as error:
            raise WorkerDied(self._cause_of_death()) from error

    def cancel(self) -> None:
        """End what ask() waits for; from any thread. Loading the file goes on."""
        with self._numbering, contextlib.suppress(OSError):
            if not self._number:
                return
            self._cancelled_at = min(self._cancelled_at, time.monotonic())  # the first counts
            self._send("cancel")

    def kill(self) -> None:
        """End the process; whoever waits in ask() sees it die."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Only when nobody is in ask()."""
        self.kill()
        self._connection.close()
        self._stderr.close()

    def _send(self, what: str, **fields: Any) -> None:
        self._connection.send_bytes(json.dumps({"do": what, "id": self._number} | fields).encode())

    def _receive_answer(self, so_far: News) -> dict[str, Any]:
        while True:
            answer = self._receive()
            if answer.pop("id") == self._number:
                if "so_far" not in answer:
                    return answer
                so_far(answer["so_far"], answer["confidence"])
                continue
            if "error" in answer:
                raise WorkerDied(answer["error"])  # the file could not be opened
            self.opened = answer

    def _receive(self) -> dict[str, Any]:
        while not self._connection.poll(CANCEL_SECONDS / 4):
            if time.monotonic() > self._cancelled_at + CANCEL_SECONDS:
                raise WorkerDied("its process did not answer a cancel and was ended")
        answer: dict[str, Any] = json.loads(self._connection.recv_bytes())
        return answer

    def _cause_of_death(self) -> str:
        try:
            code = self._process.wait(CANCEL_SECONDS)
        except subprocess.TimeoutExpired:
            return "its process closed the connection"
        if code == -signal.SIGKILL:
            return "its process was killed, perhaps for want of memory"
        how = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return f"its process {how}{self._last_words()}"

    def _last_words(self) -> str:
        self._stderr.seek(0)
        lines = self._stderr.read().decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""


def _environment(threads: int) -> dict[str, str]:
    return {
        # A thread that waits for its siblings spins: beside a busy process, tokens took 10 times longer.
        "GOMP_SPINCOUNT": "1000",
        "OMP_NUM_THREADS": str(threads),
        "GGML_NO_BACKTRACE": "1",  # else a failed assertion calls a debugger first
    }
