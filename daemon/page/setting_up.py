"""`heed setup robot` and `heed setup voice` on the page: the same command, in a process of its own, answered there.

There is one conversation of each, the one in daemon/cli/setup_robot.py and daemon/cli/setup_voice.py. It reads and
writes as in a terminal, and is ended as there, by the signal that Ctrl-C sends; whoever begins again is asked no more
than what is missing, or keeps by Enter what was chosen.
"""

import math
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from daemon.service.control import CommandError, Handler, Message

ROOT = Path(__file__).parents[2]
LONGEST = 64_000
"""Characters of the conversation that are kept."""
PATIENCE = 10.0
"""Seconds that it may take to end."""
LOOK_SECONDS = 0.5
"""Between two looks at whether it goes on."""
ENDED = "\nEnded. What was answered is kept: begin again whenever you like.\n"
ABANDONED = "\nNobody follows this any more."


@dataclass(frozen=True)
class Conversation:
    """A set-up that can be had on the page."""

    command: Sequence[str]
    """The program, which prints what it says at once."""
    refusal: Callable[[], CommandError | None]
    """Says why it may not begin now, or None."""
    lent: Callable[[], AbstractContextManager[object]] = nullcontext
    """What it has for itself while it runs; handed back whatever becomes of it."""
    unwatched: float = math.inf
    """Seconds after which it ends when no page looks at it: a browser was closed, or killed."""


class SettingUp:
    """One conversation at a time, as text that grows."""

    def __init__(self, conversations: Mapping[str, Conversation], stops: Callable[[str], bool]) -> None:
        """`conversations` by what is set up; `stops(answer)` acts on an answer that is a stop, and says whether it is
        one."""
        self._conversations, self._stops = conversations, stops
        self._process: subprocess.Popen[bytes] | None = None
        self._following: threading.Thread | None = None
        self._ended_at: float | None = None
        """Monotonic seconds at which it was told to end."""
        self._looked_at = 0.0
        self._text = ""
        self._lock = threading.Lock()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Return the command "setup": {"do": "begin", "what"}, {"do": "answer", "text"}, {"do": "end"}, or a look."""
        return {"setup": self._handle}

    def end(self) -> None:
        """End it where it stands, as Ctrl-C does; what it moves comes to rest. Nothing where there is none."""
        if self._ended_at is None:
            self._ended_at = time.monotonic()
        if (process := self._process) and self._runs:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)

    def close(self) -> None:
        self.end()
        if self._following:
            self._following.join()

    @property
    def _runs(self) -> bool:
        """Whether it goes on, or has not given back yet what it had."""
        return self._following is not None and self._following.is_alive()

    @property
    def _asks(self) -> bool:
        """It has printed a question, and waits: a line that has not ended, with room for an answer."""
        return self._runs and self._text.endswith(" ")

    def _handle(self, request: Message) -> Message:
        self._looked_at = time.monotonic()
        match request.get("do", ""):
            case "begin":
                self._begin(str(request.get("what", "")))
            case "answer":
                self._answer(str(request.get("text", "")))
            case "end":
                self.end()
        with self._lock:
            return {"text": self._text, "asks": self._asks, "runs": self._runs}

    def _begin(self, what: str) -> None:
        with self._lock:
            if self._runs:
                raise CommandError("a set-up is under way already", "answer it, or end it first")
            if (conversation := self._conversations.get(what)) is None:
                raise CommandError(f"{what!r} cannot be set up", f"one of: {', '.join(self._conversations)}")
            if refusal := conversation.refusal():
                raise refusal
            self._text, self._ended_at = "", None
            with ExitStack() as held:
                held.enter_context(conversation.lent())
                self._process = held.enter_context(_started(conversation.command))
                following = (conversation, self._process, held.pop_all())
            self._following = threading.Thread(target=self._follow, args=following, name="setting up", daemon=True)
            self._following.start()
        if self._ended_at is not None:  # a stop came before there was anything to end
            self.end()

    def _follow(self, conversation: Conversation, process: "subprocess.Popen[bytes]", held: ExitStack) -> None:
        """Read what it says, to its end, and see to it that this comes."""
        with held:
            while process.poll() is None:
                self._take(process, LOOK_SECONDS)
                now = time.monotonic()
                if self._ended_at is None and now - self._looked_at > conversation.unwatched:
                    self._add(ABANDONED)
                    self.end()
                if self._ended_at is not None and now - self._ended_at > PATIENCE:
                    process.kill()
            while self._take(process, 0.0):
                pass
            if self._ended_at is not None:
                self._add(ENDED)

    def _take(self, process: "subprocess.Popen[bytes]", seconds: float) -> bool:
        """Whether it has said something within so many seconds."""
        assert process.stdout is not None
        if not select.select([process.stdout], [], [], seconds)[0]:
            return False
        if said := os.read(process.stdout.fileno(), 4096):
            self._add(said.decode(errors="replace"))
        else:  # it says nothing more
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
        return bool(said)

    def _answer(self, text: str) -> None:
        if self._stops(text):
            return
        with self._lock:
            process = self._process
            if not self._asks or process is None or process.stdin is None:
                raise CommandError("nothing is asked at the moment", "wait for the next question")
            line = " ".join(text.split()) + "\n"
            self._text += line
        with suppress(OSError, ValueError):  # it has ended meanwhile, and says so
            process.stdin.write(line.encode())
            process.stdin.flush()

    def _add(self, said: str) -> None:
        with self._lock:
            self._text = (self._text + said)[-LONGEST:]


def _started(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
    )
