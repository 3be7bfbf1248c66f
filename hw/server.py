"""heed-hw: the process that owns the motors. `python -m hw.server --robot hw/robots/sim.toml --runtime DIR`

One loop, a hundred times a second, less often while the robot rests; nothing in it ever waits. Ports are read once a
tick, sockets at once. Sockets in the runtime directory:

    hw.sock     SEQPACKET, one JSON object per packet: requests in, answers and news of goals out
    stop.sock   datagrams; whatever arrives is a protective stop, answered with what was measured

Both belong to this user and group. SIGTERM stops the robot before the process ends; so does the end of the process
that started this one, whatever ended it.
"""

import argparse
import contextlib
import gc
import itertools
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from hw.body import PERIOD, Body
from hw.build_body import build_body
from hw.description import load_description
from hw.device import Component
from hw.notify import READY, STOPPING, Watchdog, notify
from hw.requests import Requests
from hw.state import HardwareError

PRIORITY = 10
"""Of SCHED_FIFO: above every ordinary process, below the kernel's own threads."""
LARGEST_PACKET = 65536
FAREWELL = 1.0
"""Seconds after SIGTERM until the process ends even if something still moves."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="heed-hw", description="The process that owns the robot's motors.")
    parser.add_argument("--robot", type=Path, required=True, help="robot description, for example hw/robots/sim.toml")
    parser.add_argument("--runtime", type=Path, required=True, help="directory of the sockets")
    parser.add_argument("--simulated", action="store_true", help="its devices are those of `python -m sim`")
    options = parser.parse_args(arguments)
    try:
        description = load_description(options.robot, options.runtime, options.simulated)
        server = Server(build_body(description, options.runtime), options.runtime)
    except HardwareError as error:
        print(f"heed-hw: {error}", file=sys.stderr)
        return 1
    print(f"heed-hw: {description.name}, {1 / PERIOD:.0f} Hz, {_real_time()}", file=sys.stderr, flush=True)
    try:
        server.run()
    finally:
        server.close()
    return 0


class Server:
    """The loop and its sockets around a Body."""

    def __init__(self, body: Body, runtime: Path) -> None:
        """Raises HardwareError when another heed-hw serves this directory, or it cannot be written."""
        self._body = body
        self._requests = Requests(body)
        self._runtime = runtime
        self._connections: dict[int, _Connection] = {}
        self._parent = os.getppid()
        self._asked_to_end = False
        self._ending: float | None = None
        try:
            runtime.mkdir(parents=True, exist_ok=True)
            self._control = _bind(runtime / "hw.sock", socket.SOCK_SEQPACKET)
            self._control.listen(8)
            self._stop = _bind(runtime / "stop.sock", socket.SOCK_DGRAM)
        except OSError as error:
            raise HardwareError(
                f"cannot serve in {runtime}: {error}", "stop the other heed-hw, or choose another --runtime"
            ) from error

    def run(self) -> None:
        """Serve until SIGTERM, SIGINT or the parent's end; then stop the robot and return."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: setattr(self, "_asked_to_end", True))
        watchdog = Watchdog({})
        notify(READY)
        gc.freeze()  # what lives for good need not be looked at again: a full collection takes longer than a tick
        ticked = time.monotonic()
        due = ticked + self._body.period
        while not self._ended():
            if self._serve_until(due):
                due = ticked + self._body.period  # a request may just have ended the rest
            self._begin_end()
            now = time.monotonic()
            if now < due:
                continue
            ticked = due if now < due + PERIOD else now
            self._take_in()
            self._tell(self._body.tick(now))
            watchdog.feed()
            due = ticked + self._body.period

    def close(self) -> None:
        notify(STOPPING)
        self._body.close()
        for connection in self._connections.values():
            connection.socket.close()
        for bound, name in ((self._control, "hw.sock"), (self._stop, "stop.sock")):
            bound.close()
            (self._runtime / name).unlink(missing_ok=True)

    def _begin_end(self) -> None:
        """Stop the robot once a signal has asked for the end, or nobody is left who would."""
        orphaned = os.getppid() != self._parent
        if self._ending is None and (orphaned or self._asked_to_end):
            self._ending = time.monotonic() + FAREWELL
            self._body.stop("PARENT_LOST: whoever started heed-hw has ended" if orphaned else "heed-hw ends")

    def _ended(self) -> bool:
        return self._ending is not None and (self._body.at_rest or time.monotonic() > self._ending)

    def _serve_until(self, due: float) -> bool:
        """Serve whoever speaks first, or nobody until then; the stop socket comes first. Whether anybody spoke."""
        ports = _by_port(self._body.components.values())
        asking = {port: components for port, components in ports.items() if any(c.asking for c in components)}
        sockets = (self._stop.fileno(), self._control.fileno(), *self._connections)
        # not poll(): it counts in whole milliseconds, and every tick would be up to one late
        ready, _, _ = select.select((*sockets, *asking), (), (), max(due - time.monotonic(), 0.0))
        if self._stop.fileno() in ready:
            self._receive_stops()
        for number in ready:
            if number in asking:
                for component in asking[number]:
                    component.receive(time.monotonic())
            elif number in self._connections:
                self._serve(self._connections[number])
            elif number == self._control.fileno():
                self._accept()
        if ready:
            self._body.take_troubles()
        return bool(ready)

    def _take_in(self) -> None:
        """Take in what has arrived on the ports, or that one of them is gone."""
        ports = _by_port(self._body.components.values())
        ready, _, _ = select.select(ports, (), (), 0.0)
        for component in itertools.chain.from_iterable(ports[number] for number in ready):
            component.receive(time.monotonic())

    def _receive_stops(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while True:
                data, sender = self._stop.recvfrom(4096)
                self._body.stop(_reason(data), self._stop_reply(sender))

    def _stop_reply(self, sender: str | bytes | None) -> Callable[[dict[str, Any]], None]:
        def reply(answer: dict[str, Any]) -> None:
            if sender:
                with contextlib.suppress(OSError):  # who does not wait for the answer has been stopped anyway
                    self._stop.sendto(json.dumps(answer).encode(), sender)

        return reply

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            accepted, _ = self._control.accept()
            accepted.setblocking(False)
            self._connections[accepted.fileno()] = _Connection(accepted)

    def _serve(self, connection: "_Connection") -> None:
        try:
            data = connection.socket.recv(LARGEST_PACKET)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._hang_up(connection)
            return
        try:
            message = json.loads(data)
            serial = message.get("id")
        except (ValueError, AttributeError):
            connection.send({"id": None, "ok": False, "kind": "request", "message": "no JSON object", "hint": ""})
            return
        self._requests.carry_out(message, connection, lambda answer: connection.send({"id": serial} | answer))

    def _hang_up(self, connection: "_Connection") -> None:
        del self._connections[connection.socket.fileno()]
        connection.socket.close()
        self._body.owner_gone(connection)

    def _tell(self, news: list[tuple[object, dict[str, Any]]]) -> None:
        for owner, event in news:
            if isinstance(owner, _Connection):
                owner.send(event)


class _Connection:
    def __init__(self, accepted: socket.socket) -> None:
        self.socket = accepted

    def send(self, message: dict[str, Any]) -> None:
        """A client that does not read, or is gone, misses it; the loop never waits for one."""
        with contextlib.suppress(OSError):
            self.socket.send(json.dumps(message).encode())


def _by_port(components: Iterable[Component]) -> dict[int, list[Component]]:
    """Components whose port is open, by its number; on a servo bus there may be several."""
    ports: dict[int, list[Component]] = {}
    for component in components:
        if (port := component.fileno()) is not None:
            ports.setdefault(port, []).append(component)
    return ports


def _bind(path: Path, kind: socket.SocketKind) -> socket.socket:
    """A socket at this path; what a process that is gone left there is replaced."""
    bound = socket.socket(socket.AF_UNIX, kind)
    bound.setblocking(False)
    if _answers(path, kind):
        bound.close()
        raise OSError(f"{path} is in use")
    path.unlink(missing_ok=True)
    bound.bind(str(path))
    os.chmod(path, 0o660)
    return bound


def _answers(path: Path, kind: socket.SocketKind) -> bool:
    with socket.socket(socket.AF_UNIX, kind) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) in (0, 11)


def _reason(data: bytes) -> str:
    """Return what a stop datagram says: JSON with a reason, or any text, or nothing."""
    try:
        message = json.loads(data)
        reason = message.get("reason") if isinstance(message, dict) else message
    except ValueError:
        reason = data.decode("utf-8", "replace")
    return str(reason or "stop")[:200]


def _real_time() -> str:
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except OSError as error:
        return f"without real-time priority ({error.strerror}): expect late ticks on a busy machine"
    return "with real-time priority"


if __name__ == "__main__":
    sys.exit(main())
