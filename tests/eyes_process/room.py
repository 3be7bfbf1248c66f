"""The simulated robot's room as a camera on its head would see it, drawn into a file again and again."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2

from bench.body.drawn_pictures import Conditions, Painter, Standing
from eyes.description import CameraDescription
from eyes.lens import Lens, save_lens
from hw.state import Pose2D
from sim.layout import GRIP_HEIGHT
from sim.perception import SimCamera
from tests.eyes_process.tagged import LENS, MOUNT, camera, tags_of

ROOT = Path(__file__).parents[2]
SIMULATED = ROOT / "hw" / "robots" / "sim.toml"
PERIOD = 0.15
"""Seconds between two pictures."""


def robot_with_eyes(folder: Path, *names: str) -> Path:
    """Write the simulated robot's description with a camera that reads a file; returns the path."""
    lines = [
        "[eyes]",
        'source = "camera"',
        f'device = "file:{folder / "picture.png"}"',
        "fps = 20",
        f"mount = {{ position = {MOUNT['position']}, pitch = {MOUNT['pitch']} }}",
    ]
    for number, name in enumerate(names):
        for tag in tags_of(name, 4 * number):
            lines += ["[[eyes.tag]]", *(f"{key} = {json.dumps(value)}" for key, value in tag.items())]
    file = folder / "robot.toml"
    file.write_text(SIMULATED.read_text(encoding="utf-8") + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    save_lens(folder / "robot.lens.json", LENS)
    return file


def simulation(robot: Path, runtime: Path) -> subprocess.Popen[bytes]:
    """Start the simulated robot of that description, and wait until it serves."""
    command = [sys.executable, "-m", "sim", "--robot", str(robot), "--runtime", str(runtime), "--scene", "kitchen"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 20
    while not (runtime / "scene.sock").exists() and time.monotonic() < until:
        time.sleep(0.05)
    return process


class DrawnRoom:
    """Draws what the robot would see from where it stands: all tagged things that are in no hand and not hidden."""

    def __init__(self, folder: Path, runtime: Path, *names: str, lens: Lens = LENS) -> None:
        self.hidden: set[str] = set()
        self.stopped = threading.Event()
        """No pictures come: the camera is unplugged, or its cable is."""
        self._picture = folder / "picture.png"
        self._camera: CameraDescription = camera(*names)
        assert self._camera.mount is not None
        self._painter = Painter(lens, self._camera.mount, Conditions())
        self._room = self._painter.room()
        self._scene = SimCamera(runtime)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._draw)
        self._thread.start()

    def _draw(self) -> None:
        while not self._ended.wait(PERIOD):
            if self.stopped.is_set():
                continue
            base = Pose2D(*self._scene.request("base"))
            seen = {thing["name"]: thing for thing in self._scene.observe()["objects"]}
            things = [
                self._standing(thing.name, seen[thing.name], base)
                for thing in self._camera.things
                if thing.name not in self.hidden and not seen[thing.name]["held_by"]
            ]
            fresh = self._picture.with_suffix(".new.png")
            cv2.imwrite(str(fresh), self._painter.picture(things, self._room), [cv2.IMWRITE_PNG_COMPRESSION, 0])
            os.replace(fresh, self._picture)

    def _standing(self, name: str, seen: dict[str, Any], base: Pose2D) -> Standing:
        thing = next(thing for thing in self._camera.things if thing.name == name)
        x, y = base.to_local(*seen["position"][:2])
        return Standing(thing, (x, y, seen["position"][2] - GRIP_HEIGHT), 0.3 - base.theta)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self._scene.close()
