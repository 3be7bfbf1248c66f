"""A wire between two robots on one machine that can be cut and mended."""

import contextlib
import socket
import threading
from collections.abc import Iterator


class Relay:
    """Listens at `address` and passes on to `target` ("tcp/HOST:PORT"), whatever it is; while cut, nothing."""

    def __init__(self, target: str) -> None:
        host, _, port = target.removeprefix("tcp/").rpartition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._whole = True
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.address = f"tcp/127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Both sides see their connection end, and get no new one."""
        with self._lock:
            self._whole = False
            for end in self._ends:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self.cut()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(caller,), daemon=True).start()

    def _pass_on(self, caller: socket.socket) -> None:
        with (
            contextlib.suppress(OSError),
            caller,
            socket.create_connection(self._target) as callee,
            self._connected(caller, callee),
        ):
            back = threading.Thread(target=_copy, args=(callee, caller), daemon=True)
            back.start()
            _copy(caller, callee)
            back.join()

    @contextlib.contextmanager
    def _connected(self, *ends: socket.socket) -> Iterator[None]:
        with self._lock:
            if not self._whole:
                raise ConnectionError("cut")
            self._ends |= set(ends)
        try:
            yield
        finally:
            with self._lock:
                self._ends -= set(ends)


def _copy(source: socket.socket, sink: socket.socket) -> None:
    """Until one of them ends; then the other one is ended too."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
