"""What the robot sees, over a socket: one line of JSON asks, one line answers.

{"op": "observe"} is what a camera does, "base" tells where the robot stands, "picture" what is shown to people;
"place", "give", "put", "door", "state" and "reset" are hands of others, for tests.
An answer is {"ok": ...} or {"error": "what is wrong"}.
"""

import base64
import functools
import json
import socket
import socketserver
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hw.state import HardwareError

TIMEOUT = 5.0
"""Seconds to wait for an answer: a thousand times what it takes."""

CLOSING = 0.05
"""Seconds that it may take the server to notice that it shall close."""


class SimCamera:
    """Sees the scene of a running simulation."""

    def __init__(self, runtime: Path) -> None:
        self._path = runtime / "scene.sock"
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def observe(self) -> dict[str, Any]:
        """Return what sim.scene.Scene.observe lists. Raises HardwareError without a simulation."""
        observation: dict[str, Any] = self.request("observe")
        return observation

    def picture(self, width: int = 480, height: int = 320) -> bytes:
        """The room as a PNG. Raises HardwareError without a simulation, ValueError without physics."""
        return base64.b64decode(self.request("picture", width=width, height=height))

    def request(self, op: str, **arguments: Any) -> Any:
        """Any other op. Raises HardwareError without a simulation, ValueError for what the scene refuses."""
        line = json.dumps({"op": op, **arguments}).encode() + b"\n"
        with self._lock:
            answer = self._ask(line) or self._ask(line)
        if answer is None:
            raise HardwareError(f"nobody answers on {self._path}", "start the simulation: python -m sim")
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["ok"]

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _ask(self, line: bytes) -> dict[str, Any] | None:
        """The answer, or None when the simulation is gone or has been restarted since the last question."""
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX)
                self._socket.settimeout(TIMEOUT)
                self._socket.connect(str(self._path))
            self._socket.sendall(line)
            with self._socket.makefile("rb") as stream:
                answer: dict[str, Any] = json.loads(stream.readline())
                return answer
        except (OSError, ValueError):
            self._disconnect()
            return None

    def _disconnect(self) -> None:
        if self._socket:
            self._socket.close()
        self._socket = None


class SceneServer:
    """Answers on a socket with what a function makes of each request."""

    def __init__(self, path: Path, serve: Callable[[dict[str, Any]], Any]) -> None:
        self._path = path
        self._serve = serve
        self._server: socketserver.ThreadingUnixStreamServer | None = None

    def start(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.unlink(missing_ok=True)
        self._server = _Server(str(self._path), self._serve)
        serve = functools.partial(self._server.serve_forever, poll_interval=CLOSING)
        threading.Thread(target=serve, name="scene socket", daemon=True).start()

    def close(self) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._path.unlink(missing_ok=True)
        self._server = None


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, path: str, serve: Callable[[dict[str, Any]], Any]) -> None:
        self.serve = serve
        super().__init__(path, _Conversation)


class _Conversation(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        for line in self.rfile:
            self.wfile.write(json.dumps(self._answer(line)).encode() + b"\n")

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            return {"ok": self.server.serve(json.loads(line))}
        except (ValueError, TypeError) as error:
            return {"error": str(error)}
        except KeyError as error:
            return {"error": f"the request lacks {error}"}
