"""The socket eyes.sock: who sends to it, how many, and how long their lines may be. What they say, others read."""

import json
import logging
import socket
import socketserver
import struct
import threading
from pathlib import Path
from typing import Protocol

from daemon.eyes.message_reading import LONGEST

log = logging.getLogger(__name__)

SENDERS = 8
PATIENCE = 1
"""Seconds for which a sender may take no line."""


class Listener(Protocol):
    """Receives what senders tell."""

    def hear(self, line: bytes) -> dict[str, object]:
        """Take in one line; returns what its sender is answered."""
        ...

    def join(self, sender: "Sender") -> bool:
        """Return whether there is room for one more."""
        ...

    def leave(self, sender: "Sender") -> None:
        """Take note that a sender has gone."""
        ...


class Sender(socketserver.StreamRequestHandler):
    """The conversation with one sender: each line is answered by one line; a "look" may come in between."""

    server: "Server"

    def setup(self) -> None:
        super().setup()
        self._sending = threading.Lock()
        patience = struct.pack("ll", PATIENCE, 0)  # a timeout of the socket's would end reading, too
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, patience)

    def handle(self) -> None:
        eyes = self.server.eyes
        if not eyes.join(self):
            self.send({"error": f"there are {SENDERS} senders already"})
            return
        try:
            while line := self.rfile.readline(LONGEST + 1):
                self.send(eyes.hear(line))
                if len(line) > LONGEST:
                    return  # where the next line begins is anybody's guess
        except OSError:
            log.info("a sender of eyes.sock is gone")
        finally:
            eyes.leave(self)

    def send(self, told: dict[str, object]) -> None:
        try:
            with self._sending:
                self.wfile.write(json.dumps(told).encode() + b"\n")
        except OSError:
            log.info("a sender of eyes.sock does not listen")


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 4 * SENDERS

    def __init__(self, path: Path, eyes: Listener) -> None:
        self.eyes = eyes
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        super().__init__(str(path), Sender)
        path.chmod(0o600)


def serving(path: Path, eyes: Listener) -> Server:
    server = Server(path, eyes)
    threading.Thread(target=server.serve_forever, args=(0.05,), name="eyes socket", daemon=True).start()
    return server
