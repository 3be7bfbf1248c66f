"""A request in words, followed over heed.sock: a line of JSON there, lines of JSON back, until it has ended."""

import contextlib
import json
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daemon.service.control import SOCKET, CommandError, NoDaemonError

LONGEST = 1 << 20
"""Bytes of an answer."""
OUTCOMES = ("succeeded", "canceled", "aborted")


@dataclass(frozen=True)
class Progress:
    """What heed does about a request just now."""

    doing: str
    remaining: float = 0.0
    """Radians or metres of the motion under way; 0 where nothing moves."""


@dataclass(frozen=True)
class Ended:
    """How a request ended; nothing comes after it."""

    outcome: str
    """One of OUTCOMES."""
    said: Sequence[str] = ()
    did: Sequence[str] = ()
    """Statements that changed something."""
    error: str = ""
    hint: str = ""


class Asked:
    """A request that heed carries out as long as this connection lives; cancel() may come from any thread."""

    def __init__(self, runtime: Path, words: str, user: str = "") -> None:
        """Send it to the heed whose sockets are in `runtime`. Raises NoDaemonError, or CommandError."""
        self._connection = Lines(runtime, {"command": "request", "text": words, "user": user})

    def next(self, seconds: float) -> Progress | Ended | None:
        """Wait for news, at most so long; None for none."""
        try:
            message = self._connection.next(seconds)
        except CommandError as error:
            return Ended("aborted", error=str(error), hint=error.hint)
        return None if message is None else news(message)

    def cancel(self) -> None:
        """Have the robot brake; next() still tells when it has ended. Safe to call twice."""
        self._connection.end_sending()

    def close(self) -> None:
        """Hang up; what is still under way is cancelled."""
        self._connection.close()


class Lines:
    """One command of heed.sock and the lines that answer it; one thread reads."""

    def __init__(self, runtime: Path, request: dict[str, Any]) -> None:
        """Raises NoDaemonError where nobody listens, CommandError where nobody may."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._rest = b""
        try:
            self._socket.connect(str(runtime / SOCKET))
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except (FileNotFoundError, ConnectionRefusedError) as error:
            self._socket.close()
            raise NoDaemonError from error
        except OSError as error:
            self._socket.close()
            raise CommandError(f"heed cannot be asked: {error}", "run the bridge as heed's user") from error

    def next(self, seconds: float) -> dict[str, Any] | None:
        """Wait for a line, at most so long; None for none. Raises CommandError once heed has hung up."""
        self._socket.settimeout(seconds)
        while b"\n" not in self._rest:
            try:
                data = self._socket.recv(65536)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError as error:
                raise CommandError(f"heed hung up: {error}", "see `journalctl -u heed`") from error
            if not data or len(self._rest) > LONGEST:
                raise CommandError("heed hung up", "see `journalctl -u heed`")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def end_sending(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._socket.close()


def news(message: dict[str, Any]) -> Progress | Ended:
    """Return what one line of heed's says about a request."""
    if "progress" in message:
        told = message["progress"]
        doing = f"said: {told['said']}" if "said" in told else str(told.get("doing", ""))
        return Progress(doing, float(told.get("remaining") or 0.0))
    if not message.get("ok"):
        return Ended("aborted", error=str(message.get("error", "")), hint=str(message.get("hint", "")))
    outcome = message.get("outcome")
    return Ended(
        outcome if outcome in OUTCOMES else "aborted",
        tuple(map(str, message.get("said", ()))),
        tuple(map(str, message.get("did", ()))),
        str(message.get("error", "")),
        str(message.get("hint", "")),
    )
