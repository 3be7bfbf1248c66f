"""A laboratory for the body: the simulated devices in this process, heed-hw as a process of its own, and load.

This process runs at real-time priority where that is permitted, its other threads included, since they share the
interpreter's lock with the devices: metal does not wait for a free core either, and what is measured shall be
heed-hw, not the simulation.
"""

import contextlib
import itertools
import json
import math
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hw.client import Robot
from hw.description import describe
from hw.protocol import cansimple, sts
from hw.protocol.can import Frame
from hw.state import HardwareError, Lifecycle
from sim.devices import Received, SimulatedRobot
from sim.scene import Scene

ROOT = Path(__file__).parents[2]
SCENES = ROOT / "sim" / "scenes"
DESCRIPTION = ROOT / "hw" / "robots" / "sim.toml"
PRIORITY = 5
"""Of SCHED_FIFO, for the devices: below heed-hw's own."""
PATIENCE = 20.0
"""Seconds to wait for anything; then the bench itself has failed."""
WHEELS_STAND, JOINTS_STAND = 0.02, 0.05
"""Turns and radians per second that count as standing, as heed-hw has it."""
METAL = {"feedback": 0.1, "client": 0.25, "watchdog": 0.25}
"""Seconds: what hw/robots/sim.toml recommends for robots of metal, in place of its own generous time-outs."""
ENDPOINTS = """
[base.endpoints]
watchdog_timeout = 300
enable_watchdog = 301
velocity_limit = 302
current_limit = 303
"""
"""Of the simulated axes, whose watchdogs are off then until heed-hw turns them on."""

_names = itertools.count()


class Lab:
    """A robot on a simulated wire, driven by a real heed-hw."""

    def __init__(
        self, folder: Path, timeouts: Mapping[str, float] = METAL, scene: str = "kitchen", physics: bool = False
    ) -> None:
        self.runtime = folder / str(next(_names))
        self.runtime.mkdir()
        self.file = self.runtime / "robot.toml"
        self.file.write_text(_with_timeouts(DESCRIPTION.read_text(encoding="utf-8"), timeouts), encoding="utf-8")
        description = describe(tomllib.loads(self.file.read_text(encoding="utf-8")), self.runtime)
        self.arms = {arm.name: arm for arm in description.arms}
        self.devices = SimulatedRobot(self.runtime, Scene.load(SCENES / f"{scene}.toml"), description, physics)
        self.random = random.Random(0)
        self.hardware: subprocess.Popen[bytes] | None = None
        self.robot: Robot | None = None

    def __enter__(self) -> "Lab":
        self.devices.start()
        _prefer_this_process()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()
        if self.hardware:
            end(self.hardware)
        self.devices.close()

    def start(self, module: str = "hw.server", *, fifo: bool = True) -> "Lab":
        """Start heed-hw (or something in its place) and wait until every component is inactive."""
        self.hardware = child("-m", module, "--robot", str(self.file), "--runtime", str(self.runtime))
        self.wait_until(lambda: self.connected(), "heed-hw serves")
        _prefer_this_process()
        if not fifo:
            os.sched_setscheduler(self.hardware.pid, os.SCHED_OTHER, os.sched_param(0))
        self.wait_until(lambda: set(self.lifecycle().values()) == {Lifecycle.INACTIVE}, "everything is inactive")
        return self

    def ask(self, op: str) -> dict[str, Any]:
        """heed-hw's raw answer, with what hw.client does not pass on."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asking:
            asking.settimeout(PATIENCE)
            asking.connect(str(self.runtime / "hw.sock"))
            asking.send(json.dumps({"id": 1, "op": op}).encode())
            answer: dict[str, Any] = json.loads(asking.recv(65536))
            return answer

    def connected(self) -> bool:
        """Connect as whoever wants motion; False while nobody serves."""
        self.leave()
        with contextlib.suppress(HardwareError):
            self.robot = Robot(self.runtime)
        return self.robot is not None

    def leave(self) -> None:
        if self.robot:
            self.robot.close()
        self.robot = None

    @property
    def body(self) -> Robot:
        assert self.robot is not None
        return self.robot

    @property
    def pid(self) -> int:
        assert self.hardware is not None
        return self.hardware.pid

    def lifecycle(self) -> dict[str, Lifecycle]:
        return self.body.state().lifecycle

    def activate(self) -> None:
        """A person clears what is latched, and activates."""
        self.body.clear_stop("the bench")
        self.wait_until(self._activated, "the robot is active")

    def _activated(self) -> bool:
        with contextlib.suppress(HardwareError):
            self.body.activate()
            return True
        with contextlib.suppress(HardwareError):
            self.body.clear_stop("the bench")
        return False

    def move(self) -> None:
        """Send both arms somewhere and the base away, and wait until all of it is measurably under way."""
        for name, arm in self.arms.items():
            self.body.move_joints(name, self.pose(arm.kinematics.home))
            self.body.grip(name, self.random.uniform(0.0, 0.09))
        base = self.body.state().base
        far = 4.0 if self.devices.scene().base.x < 0 else -4.0
        self.body.drive_to(base.x + far * math.cos(base.theta), base.y + far * math.sin(base.theta), base.theta)
        self.wait_until(self.moves, "the robot moves")

    def moves(self) -> bool:
        wheels, joints = self.devices.call(self._speeds)
        return wheels > 5 * WHEELS_STAND and joints > 5 * JOINTS_STAND

    def stands(self) -> bool:
        wheels, joints = self.devices.call(self._speeds)
        return wheels < WHEELS_STAND and joints < JOINTS_STAND

    def pose(self, home: Sequence[float]) -> list[float]:
        """Joint angles around the folded ones."""
        return [angle + self.random.uniform(-0.8, 0.8) for angle in home]

    def positions(self) -> list[float]:
        """Return those of all joints and grippers, in degrees of their servos."""
        servos = [servo for arm in self.devices.arms.values() for servo in arm.chain.servos.values()]
        return self.devices.call(lambda: [servo.position * 360 / sts.STEPS_PER_TURN for servo in servos])

    def frames(self) -> list[Received]:
        """Return what has arrived on any wire since the last time."""

        def take() -> list[Received]:
            taken = list(self.devices.frames)
            self.devices.frames.clear()
            return taken

        return self.devices.call(take)

    def wait_until(self, condition: Callable[[], bool], what: str) -> float:
        """Wait until it is so, and return when, in monotonic seconds. Raises RuntimeError when it never is."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError(f"waited {PATIENCE:.0f} s in vain until {what}")
            time.sleep(0.002)
        return time.monotonic()

    def _speeds(self) -> tuple[float, float]:
        """Turns per second of the fastest wheel, radians per second of the fastest servo."""
        servos = [servo for arm in self.devices.arms.values() for servo in arm.chain.servos.values()]
        fastest = max(abs(servo.velocity) for servo in servos) * 2 * math.pi / sts.STEPS_PER_TURN
        return max(abs(motor.velocity) for motor in self.devices.base.motors.values()), fastest


@contextlib.contextmanager
def running(
    folder: Path, timeouts: Mapping[str, float] = METAL, module: str = "hw.server", fifo: bool = True
) -> Iterator[Lab]:
    """A laboratory whose heed-hw runs already, with every component inactive."""
    with Lab(folder, timeouts) as lab:
        yield lab.start(module, fifo=fifo)


def stop_frames(frames: Sequence[Received], since: float) -> dict[str, float]:
    """Return when "left", "right", "wheel 0" and "wheel 1" were told to stand, of those that were.

    It is the first of the commands that no later one changes: an arm's goals, a wheel's velocity of zero.
    """
    told: dict[str, float] = {}
    commands: dict[str, list[tuple[float, object]]] = {}
    for frame in frames:
        if frame.at >= since and (command := _command(frame)):
            commands.setdefault(command[0], []).append((frame.at, command[1]))
    for motors, given in commands.items():
        last = given[-1][1]
        if motors in ("left", "right") or last == 0.0:
            told[motors] = _last_run(given)[0][0]
    return told


@contextlib.contextmanager
def burning() -> Iterator[None]:
    """Processes that use up every core, as a language model does."""
    code = "import json\nwhile True: json.loads(json.dumps(list(range(2000))))"
    started = [child("-c", code) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in started:
            end(process)


def child(*arguments: str) -> subprocess.Popen[bytes]:
    """A Python of ours that this process ends."""
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait()


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def core_share(pid: int, seconds: float) -> float:
    """Return the share of one core, over that time."""
    began, used = time.monotonic(), cpu_seconds(pid)
    time.sleep(seconds)
    return (cpu_seconds(pid) - used) / (time.monotonic() - began)


def held(pid: int) -> tuple[int, int]:
    """Descriptors and threads of a process."""
    return len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that so large a share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(math.ceil(share * len(ordered)), len(ordered)) - 1]


def may_prefer() -> bool:
    """Return whether real-time priority is permitted here; asked in a thread that ends."""
    permitted: list[bool] = []
    asking = threading.Thread(target=lambda: permitted.append(_prefer(0)))
    asking.start()
    asking.join()
    return permitted[0]


def _prefer_this_process() -> None:
    """All threads that there are now; what they start is ordinary again."""
    for thread in os.listdir("/proc/self/task"):
        _prefer(int(thread))


def _prefer(thread: int) -> bool:
    try:
        os.sched_setscheduler(thread, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(PRIORITY))
    except OSError:
        return False
    return True


def _last_run(given: Sequence[tuple[float, object]]) -> list[tuple[float, object]]:
    """The commands at the end that are all the same."""
    last = given[-1][1]
    return list(itertools.takewhile(lambda command: command[1] == last, reversed(given)))[::-1]


def _command(frame: Received) -> tuple[str, object] | None:
    """Whom a frame tells to move, and how: an arm's goals, or a wheel's velocity."""
    if isinstance(frame.content, sts.Packet):
        is_goal = frame.content.code == sts.Instruction.SYNC_WRITE
        return (frame.device, frame.content.parameters) if is_goal else None
    decoded = cansimple.decode(frame.content) if isinstance(frame.content, Frame) else None
    if decoded and isinstance(decoded[1], cansimple.SetInputVelocity):
        return f"wheel {decoded[0]}", decoded[1].velocity
    return None


def _with_timeouts(text: str, timeouts: Mapping[str, float]) -> str:
    """The description with ENDPOINTS, and other numbers behind these keys, each at the start of one line."""
    lines = text.splitlines()
    for key, value in timeouts.items():
        (at,) = [number for number, line in enumerate(lines) if line.startswith(f"{key} = ")]
        lines[at] = f"{key} = {value}"
    return "\n".join(lines) + "\n" + ENDPOINTS
