"""heed-hw's connections: one for each part of the robot, whose goals end with it. No ROS."""

import contextlib
import json
import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from hw.ros2.wire import LARGEST_PACKET, SOCKET

SILENCE = 0.5
"""Seconds without a sign of life of heed-hw after which everything is cancelled: it hangs, or is frozen."""

log = logging.getLogger(__name__)
Tell = Callable[[Mapping[str, Any]], None]


class Part(Protocol):
    """An arm, or the base, in ROS."""

    def take(self, message: Mapping[str, Any]) -> None:
        """Carry out one packet."""

    def cancel_all(self) -> None:
        """End all that the part does, whoever asked for it."""

    def close(self) -> None: ...


class Connections:
    """Connections to the runtime directory; a thread for each."""

    def __init__(self, runtime: Path, join: Callable[[Mapping[str, Any], Tell], Part]) -> None:
        """join: makes a part of what heed-hw says of it, and is given the way to tell what it measures."""
        self._join = join
        self._path = runtime / SOCKET
        runtime.mkdir(parents=True, exist_ok=True)
        self._path.unlink(missing_ok=True)
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listening.bind(str(self._path))
        os.chmod(self._path, 0o660)
        self._listening.listen(8)
        threading.Thread(target=self._accept, name="heed-hw", daemon=True).start()

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        """Until it ends, which ends what the part does."""
        lock = threading.Lock()

        def tell(packet: Mapping[str, Any]) -> None:
            with contextlib.suppress(OSError), lock:
                connection.send(json.dumps(packet).encode(), socket.MSG_DONTWAIT)

        with connection:
            try:
                part = self._join(json.loads(connection.recv(LARGEST_PACKET)), tell)
            except (OSError, ValueError, KeyError, LookupError) as error:
                log.error("a part cannot be joined: %s", error)
                tell({"at": 0.0, "missing": [str(error)]})
                return
            with contextlib.closing(part):
                part.cancel_all()  # whoever joins begins with a part at rest
                try:
                    _listen(connection, part)
                finally:
                    part.cancel_all()


def _listen(connection: socket.socket, part: Part) -> None:
    connection.settimeout(SILENCE)
    silent = False
    while True:
        try:
            data = connection.recv(LARGEST_PACKET)
        except TimeoutError:
            if not silent:
                log.warning("heed-hw is silent: everything is cancelled")
                part.cancel_all()
            silent = True
            continue
        except OSError:
            return
        if not data:
            return
        silent = False
        part.take(json.loads(data))
