"""`heed setup robot` on the page: the same command, in a process of its own, whose questions are answered there.

There is one conversation, the one in daemon/cli/setup_robot.py. It reads and writes as in a terminal, and is ended as
there, by the signal that Ctrl-C sends; whoever begins again is asked no more than what is missing.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from daemon.service.control import CommandError, Handler, Message

ROOT = Path(__file__).parents[2]
LONGEST = 64_000
"""Characters of the conversation that are kept."""
PATIENCE = 10.0
"""Seconds that it may take to end."""


class SettingUp:
    """One conversation at a time, as text that grows."""

    def __init__(self, command: Sequence[str], refusal: Callable[[], CommandError | None]) -> None:
        """`command` is the program; `refusal()` says why it may not begin now, or None."""
        self._command = command
        self._refusal = refusal
        self._process: subprocess.Popen[bytes] | None = None
        self._text = ""
        self._lock = threading.Lock()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the command "setup": {"do": "begin"}, {"do": "answer", "text"}, {"do": "end"}, or just a look."""
        return {"setup": self._handle}

    def end(self) -> None:
        """End it where it stands, as Ctrl-C does; what it moves comes to rest. Nothing where there is none."""
        if self._runs and self._process:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        self.end()
        if self._process:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE)
            self._process.kill()
            self._process.wait()

    @property
    def _runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def _asks(self) -> bool:
        """It has printed a question, and waits: a line that has not ended, with room for an answer."""
        return self._runs and self._text.endswith(" ")

    def _handle(self, request: Message) -> Message:
        match request.get("do", ""):
            case "begin":
                self._begin()
            case "answer":
                self._answer(str(request.get("text", "")))
            case "end":
                self.end()
        with self._lock:
            return {"text": self._text, "asks": self._asks, "runs": self._runs}

    def _begin(self) -> None:
        with self._lock:
            if self._runs:
                raise CommandError("a robot is being set up already", "answer it, or end it first")
            if refusal := self._refusal():
                raise refusal
            self._text = ""
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            threading.Thread(target=self._listen, args=(self._process,), name="setting up", daemon=True).start()

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        while said := os.read(process.stdout.fileno(), 4096):
            self._add(said.decode(errors="replace"))

    def _answer(self, text: str) -> None:
        with self._lock:
            process = self._process
            if not self._asks or process is None or process.stdin is None:
                raise CommandError("nothing is asked at the moment", "wait for the next question")
            line = " ".join(text.split()) + "\n"
            self._text += line
        with suppress(OSError):  # it has ended meanwhile, and says so
            process.stdin.write(line.encode())
            process.stdin.flush()

    def _add(self, said: str) -> None:
        with self._lock:
            self._text = (self._text + said)[-LONGEST:]
