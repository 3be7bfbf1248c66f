"""A LeKiwi's wheels, simulated with the bytes of their servos, and a heed-hw that is killed, or loses its cable.

How far do they roll on, and for how long? They have no dead-man of their own: what they were told last holds them, or a
board cuts their supply, where the robot's file declares one.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from hw.base_description import WheelBaseDescription
from hw.client import Robot
from hw.description import load_description
from hw.protocol.sts import STEPS_PER_TURN
from hw.state import HardwareError
from sim.devices import SimulatedRobot
from sim.limbs import SimulatedServoBase
from sim.scene import Scene

ROOT = Path(__file__).parents[2]
LEKIWI = ROOT / "hw" / "robots" / "lekiwi.toml"
SCENE = ROOT / "sim" / "scenes" / "playroom.toml"
ENDS = ("kill -9 of heed-hw", "the cable is pulled")
BOARD = "the board is unplugged"
"""How it may end besides, where there is a board that cuts the supply of the wheels."""
WITHIN = 0.3
"""Seconds in which they must have come to rest."""
FAST = 0.7
"""Share of the most that a rim may do."""
PATIENCE = 60.0


class RollsOn(NamedTuple):
    """What wheels do that nobody speaks to any more."""

    metres: float
    """How far the one rolls that goes furthest."""
    seconds: float
    """When a wheel moves for the last time."""


def told_velocities(folder: Path) -> Path:
    """A LeKiwi with a dead-man; slow, since the processors here are shared, and the board waits for 0.2 s."""
    mode = 'mode = "velocity"\ndead_man = { device = "/dev/board", within = 0.2 }\nrim_velocity = 0.105'
    file = folder / "robot.toml"
    file.write_text(LEKIWI.read_text().replace("rim_velocity = 0.23 ", f"{mode} "))
    return file


class WheelLab:
    """Devices in this process, heed-hw as a process of its own, and a thread that steers."""

    def __init__(self, robot: Path = LEKIWI) -> None:
        self._robot = robot
        self._folder = tempfile.TemporaryDirectory(prefix="heed-")  # a short path: it holds sockets
        self.runtime = Path(self._folder.name)
        description = load_description(robot, self.runtime, simulated=True)
        base = description.base
        assert isinstance(base, WheelBaseDescription)
        self._circumference = base.circumference
        self._fast = FAST * base.wheel_velocity * base.circumference
        self.devices = SimulatedRobot(self.runtime, Scene.load(SCENE), description)
        self._ended = threading.Event()
        self._steering = threading.Thread(target=self._steer)

    def __enter__(self) -> "WheelLab":
        self.devices.start()
        self._hardware = self._start()
        self._steering.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._steering.join()
        self._hardware.kill()
        self._hardware.wait()
        self.devices.close()
        self._folder.cleanup()

    def wait_until_fast(self) -> None:
        """Wait until a wheel rolls nearly as fast as it may. RuntimeError when none ever does."""
        deadline = time.monotonic() + PATIENCE
        while self.rolled(0.05) < 0.05 * self._fast:
            if time.monotonic() > deadline:
                raise RuntimeError("the wheels have never become fast")

    def end(self, how: str) -> None:
        """One of ENDS, or BOARD."""
        if how == "the cable is pulled":
            self.devices.unplug("base")
        elif how == BOARD:
            self.devices.unplug("dead_man")
        else:
            os.kill(self._hardware.pid, signal.SIGKILL)

    def rolled(self, seconds: float) -> float:
        """Metres that the wheel rolls that goes furthest in this time."""
        before = self._rims()
        time.sleep(seconds)
        return _furthest(before, self._rims())

    def rolls_on(self) -> RollsOn:
        """Look on until the wheels have been at rest for WITHIN. RuntimeError when they never are."""
        before = last = self._rims()
        began = moved = time.monotonic()
        while (now := time.monotonic()) < moved + WITHIN:
            if now > began + PATIENCE:
                raise RuntimeError("the wheels never come to rest")
            time.sleep(0.002)
            rims = self._rims()
            if rims != last:
                last, moved = rims, time.monotonic()
        return RollsOn(_furthest(before, last), moved - began)

    def _rims(self) -> list[float]:
        base = self.devices.base
        assert isinstance(base, SimulatedServoBase)
        per_step = self._circumference / STEPS_PER_TURN
        return self.devices.call(lambda: [servo.position * per_step for servo in base.wheels])

    def _start(self) -> "subprocess.Popen[bytes]":
        """A heed-hw that has said READY."""
        command = ["-m", "hw.server", "--robot", str(self._robot), "--runtime", str(self.runtime), "--simulated"]
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(str(self.runtime / "notify.sock"))
            systemd.settimeout(PATIENCE)
            environment = {"NOTIFY_SOCKET": str(self.runtime / "notify.sock"), "PATH": "/usr/bin:/bin"}
            process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
            systemd.recv(100)
        return process

    def _steer(self) -> None:
        """Drive ahead as fast as it goes, until nobody can be told any more."""
        try:
            with Robot(self.runtime) as robot:
                robot.activate()
                while not self._ended.wait(0.05):
                    robot.drive(0.2, 0.0, left=0.1)
        except HardwareError:
            return


def rolls_on(how: str, robot: Path = LEKIWI) -> RollsOn:
    """Kill at full speed in one of the ways of ENDS, or BOARD, and look on."""
    with WheelLab(robot) as lab:
        lab.wait_until_fast()
        lab.end(how)
        return lab.rolls_on()


def _furthest(before: list[float], after: list[float]) -> float:
    return max(abs(now - then) for then, now in zip(before, after, strict=True))
