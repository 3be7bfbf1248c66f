"""Connections to a running heed that are made again whenever they break: heed may come later, end, and come back.

Each has one thread, tells what it hears by calling back from there, and never raises for a heed that is not there.
"""

import contextlib
import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bridge.ros2.asked import Lines
from daemon.service.control import CommandError, request
from hw.client import Goal, Robot, send_stop
from hw.state import HardwareError, RobotState, StopReport, Twist

AGAIN = 0.5
"""Seconds until the next attempt to connect."""
STATUS_SECONDS = 0.5
"""Between two questions how heed is."""
STATUS_PATIENCE = 3.0
TWIST_SECONDS = 0.25
"""How long a velocity lives that nobody repeats: then the bridge brakes."""
TTL = 0.4
"""How long it lives where the bridge itself is gone: then heed-hw halts the base."""
BRAKING_SECONDS = 2.0
EYES = "eyes.sock"
EYES_SECONDS = 2.0
"""For heed to take a line of what is seen."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Look:
    """The body at one moment."""

    state: RobotState
    at: float
    """Monotonic seconds."""


class BodyLink:
    """Looks at the body many times a second, and steers its base while heed itself does nothing."""

    def __init__(self, runtime: Path, on_look: Callable[[Look | None], None], seconds: float = 0.05) -> None:
        """`on_look` is called after each look, `seconds` apart; with None while heed-hw is not there."""
        self._runtime, self._on_look, self._seconds = runtime, on_look, seconds
        self._robot: Robot | None = None
        self._steering: Goal | None = None
        self._steered_at = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="body", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Brake what is steered, and hang up."""
        self._ended.set()
        self._thread.join(AGAIN + BRAKING_SECONDS + 1.0)

    @property
    def description(self) -> dict[str, Any] | None:
        """The robot description; None while heed-hw is not there."""
        robot = self._robot
        return robot.description if robot is not None else None

    def drive(self, wanted: Twist) -> None:
        """Pass on a velocity for TWIST_SECONDS; heed-hw clamps it to its limits.

        Raises HardwareError where heed-hw refuses: it is stopped, paused, or the base is busy.
        """
        robot = self._robot
        if robot is None:
            raise HardwareError("heed-hw is not there", "start heed")
        self._steered_at = time.monotonic()
        self._steering = robot.drive(wanted.forward, wanted.turn, TTL, wanted.left)

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with Robot(self._runtime) as robot:
                    self._robot = robot
                    while not self._ended.wait(self._seconds):
                        self._on_look(Look(robot.state(), time.monotonic()))
                        self._brake(self._steered_at + TWIST_SECONDS)
                    self._come_to_rest()
            except (HardwareError, OSError, KeyError, ValueError) as error:
                log.debug("heed-hw is not there: %s", error)
            self._robot = self._steering = None
            self._on_look(None)
            self._ended.wait(AGAIN)

    def _brake(self, when: float) -> None:
        """Bring the base to rest where it is steered and the monotonic time is past `when`; one call of many."""
        if self._steering is None or time.monotonic() < when:
            return
        if self._steering.done:
            self._steering = None
            return
        self._steering.cancel()

    def _come_to_rest(self) -> None:
        """Before it hangs up: heed-hw takes it for a fault when who steers vanishes."""
        ends = time.monotonic() + BRAKING_SECONDS
        while self._steering is not None and time.monotonic() < ends:
            self._brake(0.0)
            time.sleep(self._seconds)


class TalkLink:
    """Hears what is heard and said, and how heed is."""

    def __init__(self, runtime: Path, on_words: Callable[[str, str], None]) -> None:
        """`on_words("heard" or "said", text)` is called for each sentence."""
        self._runtime, self._on_words = runtime, on_words
        self._ended = threading.Event()
        self._status: dict[str, Any] | None = None
        self._threads = [
            threading.Thread(target=work, name=work.__name__, daemon=True) for work in (self._watch, self._ask)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(AGAIN + 1.0)

    @property
    def status(self) -> dict[str, Any] | None:
        """Return what `heed status` tells, at most some seconds old; None while heed does not answer."""
        return self._status

    @property
    def idle(self) -> bool:
        """Return whether heed answers, waits for somebody, and asks nobody anything."""
        status = self._status
        return status is not None and status.get("doing") == "waiting" and not status.get("asks")

    def _watch(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(CommandError, OSError, ValueError):
                lines = Lines(self._runtime, {"command": "watch"})
                with contextlib.closing(lines):
                    while not self._ended.is_set():
                        self._tell(lines.next(AGAIN))
            self._ended.wait(AGAIN)

    def _tell(self, message: dict[str, Any] | None) -> None:
        if message is None:
            return
        if "progress" not in message:
            raise CommandError(str(message.get("error") or "heed ended the watch"))
        told = message["progress"]
        if told.get("kind") in ("heard", "said"):
            self._on_words(told["kind"], str(told.get("text", "")))

    def _ask(self) -> None:
        while not self._ended.wait(STATUS_SECONDS):
            try:
                self._status = request(self._runtime, "status", timeout=STATUS_PATIENCE)
            except (CommandError, OSError, ValueError) as error:
                self._status = None
                log.debug("heed does not answer: %s", error)


class EyesLink:
    """Tells heed's eyes what others see; what cannot be told now is dropped, since it would only grow old."""

    def __init__(self, runtime: Path, on_look: Callable[[], None]) -> None:
        """`on_look` is called from a thread when heed wants a fresh look."""
        self._path, self._on_look = runtime / EYES, on_look
        self._socket: socket.socket | None = None
        self._tried = -AGAIN
        self._lock = threading.Lock()
        self.trouble = ""
        """Why the last line was not taken; "" where it was."""

    def tell(self, line: bytes) -> bool:
        """Send one line; False where nobody listens. `trouble` tells later whether it was believed."""
        with self._lock:
            connection = self._connected()
            if connection is None:
                return False
            try:
                connection.sendall(line)
            except OSError as error:
                self.trouble = f"heed's eyes have gone: {error}"
                self._drop(connection)
                return False
        return True

    def close(self) -> None:
        with self._lock:
            if self._socket is not None:
                self._drop(self._socket)

    def _connected(self) -> socket.socket | None:
        if self._socket is not None or time.monotonic() < self._tried + AGAIN:
            return self._socket
        self._tried = time.monotonic()
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            made.connect(str(self._path))
        except OSError as error:
            made.close()
            self.trouble = f'heed\'s eyes do not listen ({error}): set eyes = "socket" below [body] in config.toml'
            return None
        made.settimeout(EYES_SECONDS)
        self._socket = made
        threading.Thread(target=self._read, args=(made,), name="eyes", daemon=True).start()
        return made

    def _drop(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        if self._socket is connection:
            self._socket = None

    def _read(self, connection: socket.socket) -> None:
        """Take in what heed answers, until it hangs up."""
        rest = b""
        with contextlib.suppress(OSError, ValueError), connection:
            while True:
                with contextlib.suppress(TimeoutError):
                    data = connection.recv(65536)
                    if not data:
                        break
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        self._hear(json.loads(line))
        with self._lock:
            if self._socket is connection:
                self._socket = None

    def _hear(self, told: dict[str, Any]) -> None:
        if told.get("type") == "look":
            self._on_look()
        else:
            self.trouble = str(told.get("error") or told.get("ignored") or "")


def stop(runtime: Path, reason: str) -> StopReport:
    """Stop the robot, heed-hw first; heed is told beside that, so that what was asked for before is void.

    Raises HardwareError when nobody confirms it, and heed tries it as well: then only the emergency stop is left.
    """
    try:
        report = send_stop(runtime, reason)
    except HardwareError:
        _tell_heed(runtime, "stop", reason=reason)
        raise
    _tell_heed(runtime, "stopped", reason=reason, **asdict(report))  # another stop, late, would undo a release
    return report


def _tell_heed(runtime: Path, command: str, **fields: Any) -> None:
    """Tell it in a thread of its own: whoever said stop does not wait for the mind."""

    def tell() -> None:
        try:
            request(runtime, command, timeout=STATUS_PATIENCE, **fields)
        except (CommandError, OSError, ValueError) as error:
            log.warning("heed was not told of a stop: %s", error)

    threading.Thread(target=tell, name="stop", daemon=True).start()
