"""What is asked of heed, followed over heed.sock: a line of JSON there, lines of JSON back, until it has ended."""

import contextlib
import json
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daemon.service.control import SOCKET, CommandError, NoDaemonError, no_number

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
    """How what was asked ended; nothing comes after it."""

    outcome: str
    """One of OUTCOMES."""
    said: Sequence[str] = ()
    did: Sequence[str] = ()
    """Statements that changed something."""
    result: str = ""
    """What a skill returned, as JSON."""
    error: str = ""
    hint: str = ""


def in_words(words: str, user: str = "") -> dict[str, Any]:
    """Return the command for a request in words."""
    return {"command": "request", "text": words, "user": user}


def call_of(skill: str, arguments: str, client: str) -> dict[str, Any]:
    """Return the command that calls a skill; `arguments` is an object of JSON, "" for none. Raises CommandError."""
    hint = 'give an object, such as {"location": "fridge"}'
    try:
        named = json.loads(arguments or "{}", parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"the arguments are not JSON: {str(error)[:200]}", hint) from error
    if not isinstance(named, dict):
        raise CommandError("the arguments are no object of JSON", hint)
    return {"command": "call", "skill": skill, "arguments": named, "client": f"ros2:{client}"}


class Asked:
    """What heed carries out as long as this connection lives; cancel() may come from any thread."""

    def __init__(self, runtime: Path, command: dict[str, Any]) -> None:
        """Send it to the heed whose sockets are in `runtime`. Raises NoDaemonError, or CommandError."""
        self._connection = Lines(runtime, command)

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
    """Return what one line of heed's says about what was asked."""
    if "progress" in message:
        told = message["progress"]
        doing = f"said: {told['said']}" if "said" in told else str(told.get("doing", "moving"))
        return Progress(doing, float(told.get("remaining") or 0.0))
    outcome = _outcome(message)
    return Ended(
        outcome if outcome in OUTCOMES else "aborted",
        tuple(map(str, message.get("said", ()))),
        tuple(map(str, message.get("did", ()))),
        json.dumps(message["result"]) if "result" in message else "",
        str(message.get("error", "")),
        str(message.get("hint", "")),
    )


def _outcome(message: dict[str, Any]) -> str:
    """Return how it ended: words say so, a skill has returned or failed."""
    if not message.get("ok"):
        return "canceled" if message.get("canceled") else "aborted"
    return "succeeded" if "result" in message else str(message.get("outcome"))
