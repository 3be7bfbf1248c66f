"""The wire to the daemon: eyes.sock, lines of JSON (docs/eyes.md). Connects again whenever the daemon comes back."""

import json
import logging
import select
import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

VERSION = 1
RETRY = 0.5
"""Seconds between two attempts to reach the daemon."""
PATIENCE = 1.0
"""Seconds that a line may take to be taken; a daemon that takes none is one to connect to anew."""


class Link:
    """One sender of eyes.sock."""

    def __init__(self, runtime: Path) -> None:
        self._path = runtime / "eyes.sock"
        self._socket: socket.socket | None = None
        self._read = b""
        self._tried_at = -RETRY

    @property
    def connected(self) -> bool:
        return self._socket is not None

    def connect(self) -> bool:
        """Return whether the daemon is there; tries at most every RETRY seconds."""
        if self._socket is not None or time.monotonic() - self._tried_at < RETRY:
            return self.connected
        self._tried_at = time.monotonic()
        fresh = socket.socket(socket.AF_UNIX)
        fresh.settimeout(PATIENCE)
        try:
            fresh.connect(str(self._path))
        except OSError:
            fresh.close()
            return False
        self._socket, self._read = fresh, b""
        return True

    def send(self, type: str, at: float, **fields: Any) -> None:
        """Send one message; where nobody takes it, it is lost, as whatever is seen grows old anyway."""
        line = json.dumps({"v": VERSION, "type": type, "at": at, **fields}).encode() + b"\n"
        if self._socket is None:
            return
        try:
            self._socket.sendall(line)
        except OSError as error:
            log.info("the daemon takes nothing: %s", error)
            self.close()

    def lines(self, seconds: float) -> Iterator[Mapping[str, Any]]:
        """Wait so long for something from the daemon, and yield all that has come: answers, and wishes for a look."""
        if self._socket is None:
            time.sleep(max(seconds, 0.0))
            return
        try:
            if not select.select([self._socket], [], [], max(seconds, 0.0))[0]:
                return
            data = self._socket.recv(65536)
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        *lines, self._read = (self._read + data).split(b"\n")
        for line in lines:
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if isinstance(told, dict):
                yield told

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
