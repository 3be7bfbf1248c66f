"""A LeKiwi's wheels behind a pseudo-terminal, and heed-hw a process that is killed, or loses its cable."""

import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.client import Robot
from hw.description import load_description
from hw.protocol.sts import STEPS_PER_TURN
from hw.state import HardwareError
from sim.devices import SimulatedRobot
from sim.limbs import SimulatedServoBase
from sim.scene import Scene
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
LEKIWI = ROOT / "hw" / "robots" / "lekiwi.toml"
MOST, WITHIN = 0.025, 0.3
"""Metres that a wheel may roll on, and seconds."""


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[SimulatedRobot]:
    kitchen = Scene.load(ROOT / "sim" / "scenes" / "kitchen.toml")
    robot = SimulatedRobot(tmp_path, kitchen, load_description(LEKIWI, tmp_path, simulated=True))
    robot.start()
    yield robot
    robot.close()


@pytest.fixture
def server(tmp_path: Path, devices: SimulatedRobot) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "hw.server", "--robot", str(LEKIWI), "--runtime", str(tmp_path), "--simulated"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify.sock"))
        systemd.settimeout(30)
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify.sock"), "PATH": "/usr/bin:/bin"}
        process = subprocess.Popen(command, cwd=ROOT, env=environment)
        assert systemd.recv(100) == b"READY=1"
    yield process
    process.kill()
    process.wait()


def rims(devices: SimulatedRobot) -> list[float]:
    """Metres that each wheel has rolled."""
    base = devices.base
    assert isinstance(base, SimulatedServoBase)
    return devices.call(lambda: [servo.position * 2 * math.pi * 0.05 / STEPS_PER_TURN for servo in base.wheels])


def rolls_on(devices: SimulatedRobot, seconds: float) -> float:
    """Metres that the wheel rolls that goes furthest in this time."""
    before = rims(devices)
    time.sleep(seconds)
    return max(abs(now - then) for then, now in zip(before, rims(devices), strict=True))


def steer(tmp_path: Path, ended: threading.Event) -> None:
    """Drive ahead as fast as it goes, until it cannot be told any more."""
    try:
        with Robot(tmp_path) as robot:
            robot.activate()
            while not ended.wait(0.05):
                robot.drive(0.2, 0.0, left=0.1)
    except HardwareError:
        return


@pytest.mark.parametrize("end", ["kill -9 of heed-hw", "the cable is pulled"])
def test_wheels_hold_when_nobody_speaks_to_them_any_more(
    tmp_path: Path, devices: SimulatedRobot, server: subprocess.Popen[bytes], end: str
) -> None:
    ended = threading.Event()
    steering = threading.Thread(target=steer, args=(tmp_path, ended))
    steering.start()
    try:
        until(lambda: rolls_on(devices, 0.05) > 0.008)
        if end == "the cable is pulled":
            devices.unplug("base")
        else:
            os.kill(server.pid, signal.SIGKILL)
        assert rolls_on(devices, WITHIN) <= MOST
        assert rolls_on(devices, WITHIN) == 0.0
        assert all(servo.powered for servo in devices.base.motors.values())  # type: ignore[union-attr]
    finally:
        ended.set()
        steering.join()
