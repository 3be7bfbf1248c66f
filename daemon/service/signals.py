"""The system's requests to end, heard whatever the main thread waits for."""

import signal
import socket
import threading
from collections.abc import Callable


def on_request_to_end(act: Callable[[], None]) -> None:
    """Call `act`, in a thread of its own, at each SIGTERM and SIGINT from now on. From the main thread only.

    Not from Python's own handlers: those run in the main thread, as soon as it computes again; a signal that the
    kernel gave to another thread never wakes it from a lock, and one between two of its steps may act on a
    half-made change.
    """
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    signal.set_wakeup_fd(writing.detach())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    threading.Thread(target=_hear, args=(reading, act), name="signals", daemon=True).start()


def _hear(reading: socket.socket, act: Callable[[], None]) -> None:
    while reading.recv(1):
        act()
