"""The socket through which `heed` commands talk to the daemon. Knows no command: doors.py brings the handlers.

A connection carries one request and one response, each a line of JSON: {"command": "say", "text": "hello"} is
answered {"ok": true, ...} or {"ok": false, "error": "...", "hint": "..."}.
"""

import contextlib
import difflib
import fcntl
import json
import logging
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

SOCKET = "heed.sock"
SERVICE_DIRECTORY = Path("/run/heed")
"""Where systemd/heed.service has its sockets."""
REQUEST_BYTES = 65_536
REQUEST_SECONDS = 10.0
"""A request must be complete after so long; who is slower gives the place to somebody else."""
CONNECTIONS = 16
"""Answered at the same time, each by a thread; more wait their turn."""

Message = dict[str, Any]
Handler = Callable[[Message], Message]
"""Gets the request, returns what to add to {"ok": true}; several may run at once, each in its own thread."""

log = logging.getLogger(__name__)


class Line:
    """The connection over which a command is answered that takes its time."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._gone = False

    def tell(self, progress: Message) -> None:
        """Send what there is to say on the way."""
        try:
            self._connection.sendall(_line({"progress": progress}))
        except OSError:
            self._gone = True

    def hung_up(self, seconds: float) -> bool:
        """Wait at most so long; whether the client has gone."""
        readable, _, _ = select.select([] if self._gone else [self._connection], [], [], seconds)
        if readable:
            try:
                self._gone = not self._connection.recv(REQUEST_BYTES)
            except OSError:
                self._gone = True
        return self._gone


Follower = Callable[[Message, Line], Message]
"""A Handler of a command that takes its time; it ends what it does when the client hangs up."""


class CommandError(RuntimeError):
    """A command cannot be carried out, for example since there is no such lesson; `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class CancelledError(CommandError):
    """What was asked for was cancelled before it had ended; the answer has "canceled": true as well."""


class NoDaemonError(CommandError):
    """Nobody listens at the socket."""

    def __init__(self) -> None:
        super().__init__("no heed is running", "start it with `make run` or `systemctl start heed`")


def running_in(configured: Path) -> Path:
    """The directory to ask in: the configured one, unless it has no socket and there is a service."""
    return configured if (configured / SOCKET).exists() or not SERVICE_DIRECTORY.exists() else SERVICE_DIRECTORY


def request(runtime_directory: Path, command: str, timeout: float = 60.0, **fields: Any) -> Message:
    """Ask the running daemon and return its answer.

    Raises NoDaemonError, or CommandError with the daemon's own words.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            _connect(connection, runtime_directory / SOCKET, timeout)
            connection.sendall(json.dumps({"command": command, **fields}).encode() + b"\n")
            with connection.makefile("rb") as answers:
                line = answers.readline()
        except (FileNotFoundError, ConnectionRefusedError) as error:
            raise NoDaemonError from error
        except PermissionError as error:
            raise CommandError(
                "this user may not talk to heed",
                "join its group: sudo usermod -aG heed $USER, then log in again",
            ) from error
        except (TimeoutError, BlockingIOError) as error:
            raise CommandError(f"heed did not answer in {timeout:g} s", "see `journalctl -u heed`") from error
        except OSError as error:
            raise CommandError(f"heed hung up: {error}", "see `journalctl -u heed`") from error
    if not line.endswith(b"\n"):
        raise CommandError("heed ended before it answered", "see `journalctl -u heed`")
    answer: Message = json.loads(line)
    if not answer.pop("ok"):
        raise CommandError(answer["error"], answer["hint"])
    return answer


def _connect(connection: socket.socket, path: Path, timeout: float) -> None:
    """Wait in the queue while all places are taken; with a time-out of Python's, connect() would be refused there."""
    seconds = struct.pack("ll", int(timeout), int(timeout % 1 * 1e6))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, seconds)
    connection.connect(str(path))
    connection.settimeout(timeout)


class ControlServer:
    """Answers requests, each connection in a thread of its own, until closed."""

    def __init__(
        self,
        runtime_directory: Path,
        handlers: Mapping[str, Handler],
        followers: Mapping[str, Follower] | None = None,
    ) -> None:
        self._path = runtime_directory / SOCKET
        self._handlers = handlers
        self._followers = followers or {}
        self._places = threading.BoundedSemaphore(CONNECTIONS)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._accept, name="control", daemon=True)

    def start(self) -> None:
        """Start to listen. Raises CommandError when another heed is running or the socket cannot be made."""
        try:
            with _alone_in(self._path.parent):
                self._bind()
        except OSError as error:
            self._listener.close()
            raise CommandError(
                f"the socket {self._path} cannot be made: {error}",
                "give another, short runtime_directory below [service] in config.toml",
            ) from error
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        """Answers no more; requests that are being answered may still end."""
        if self._thread.is_alive():
            self._path.unlink(missing_ok=True)
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes accept()
            self._thread.join(timeout=1.0)
        self._listener.close()

    def _bind(self) -> None:
        if _answers(self._path):
            raise CommandError(
                f"another heed is running in {self._path.parent}",
                "stop it with ctrl-c or `systemctl stop heed`",
            )
        self._path.unlink(missing_ok=True)
        os.fchmod(self._listener.fileno(), 0o600)  # until chmod: so that it is never open to others
        self._listener.bind(str(self._path))
        self._path.chmod(0o660)
        self._listener.listen(CONNECTIONS)

    def _accept(self) -> None:
        while True:
            self._places.acquire()
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._serve, args=(connection,), name="control", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                line = _read_line(connection)
                if line:
                    connection.sendall(self._answer(line, connection))
        except OSError as error:
            log.debug("a client left: %s", error)
        finally:
            self._places.release()

    def _answer(self, line: bytes, connection: socket.socket) -> bytes:
        try:
            message = _parse(line)
            if follower := self._followers.get(message["command"]):
                answer = follower(message, Line(connection))
            else:
                answer = handler_of(message["command"], self._handlers)(message)
            return _line({"ok": True, **answer})
        except CommandError as error:
            return _refusal(error)
        except Exception as error:
            log.exception("a command failed: %r", line[:200])
            return _refusal(own_error(error))


def handler_of(command: str, handlers: Mapping[str, Handler]) -> Handler:
    """Return who carries out a command. Raises CommandError, with the command nearest to it, where nobody does."""
    if handler := handlers.get(command):
        return handler
    nearest = difflib.get_close_matches(command[:100], handlers, n=1)
    raise CommandError(
        f"there is no command {command[:100]!r}",
        f"did you mean {nearest[0]}?" if nearest else f"known are {', '.join(handlers)}",
    )


def object_in(text: bytes) -> Message:
    """Return the JSON object that a request is. Raises CommandError for anything else."""
    try:
        message = json.loads(text, parse_constant=no_number)
        json.dumps(message, ensure_ascii=False).encode()  # fails for half a surrogate pair, which is no text
    except (ValueError, RecursionError) as error:
        raise CommandError(f"the request is not JSON: {str(error)[:200]}", "send an object") from error
    if not isinstance(message, dict):
        raise CommandError("the request is no JSON object", 'send an object, for example {"text": "hello"}')
    return message


def no_number(name: str) -> float:
    """Raise ValueError: NaN and Infinity, which Python's json reads, are no JSON."""
    raise ValueError(f"{name} is no number")


def own_error(error: Exception) -> CommandError:
    """Return what to answer where heed itself made a mistake; its log has the traceback."""
    return CommandError(f"heed had an error of its own: {error!r}", "see `journalctl -u heed`")


@contextlib.contextmanager
def _alone_in(directory: Path) -> Iterator[None]:
    """Makes the directory. Of two daemons that start at once, the second waits here, then finds the first."""
    directory.mkdir(mode=0o750, parents=True, exist_ok=True)
    if directory.stat().st_uid not in (os.geteuid(), 0):
        raise PermissionError(f"{directory} belongs to another user")
    lock = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _answers(path: Path) -> bool:
    """Return whether a daemon listens there, rather than that a killed one left its socket behind."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except BlockingIOError:
            return True  # so busy that its queue is full
    return True


def _read_line(connection: socket.socket) -> bytes:
    """The request; of one that is too long the beginning, just too long. The rest is read and forgotten."""
    deadline = time.monotonic() + REQUEST_SECONDS
    line = chunk = b""
    while b"\n" not in chunk:
        connection.settimeout(max(0.001, deadline - time.monotonic()))
        chunk = connection.recv(REQUEST_BYTES)
        if not chunk:
            break
        line = (line + chunk)[: REQUEST_BYTES + 1]
    return line


def _parse(line: bytes) -> Message:
    if len(line) > REQUEST_BYTES:
        raise CommandError(f"the request is longer than {REQUEST_BYTES} bytes", "say it in fewer words")
    message = object_in(line)
    if not isinstance(message.get("command"), str):
        raise CommandError("the request names no command", 'send {"command": "status"}')
    return message


def _refusal(error: CommandError) -> bytes:
    cancelled = {"canceled": True} if isinstance(error, CancelledError) else {}
    return _line({"ok": False, "error": str(error), "hint": error.hint, **cancelled})


def _line(message: Message) -> bytes:
    return json.dumps(message).encode() + b"\n"
