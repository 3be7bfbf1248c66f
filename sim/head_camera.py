"""The head's camera of a simulated robot, in MuJoCo's pixels: a process that writes one picture after the other.

    python -m sim.head_camera --runtime DIR --robot ROBOT --scene SCENE --eyes EYES --out FILE

It asks the simulation where everything is, renders the room with the tags of EYES (a file with a section [eyes]) on
things and walls, adds a sensor's noise, and writes a grey PGM. The file's time is that of what it shows: rendering
takes a fifth of a second and more without a graphics card. heed-eyes reads the file as it would read a camera. Blur,
distortion, shadows and glare are not drawn.
"""

import argparse
import ctypes.util
import logging
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camera.description import CameraDescription, describe_camera
from camera.trouble import EyesError
from hw.description import load_description
from hw.state import HardwareError
from sim import model
from sim.perception import SimCamera
from sim.scene import Scene

log = logging.getLogger(__name__)

PERIOD = 0.25
"""Seconds between two pictures, at the least."""
NOISE = 4.0
"""Grey, one standard deviation."""
GREY = np.array([0.299, 0.587, 0.114], dtype=np.float32)
"""Of red, green and blue."""


class HeadCamera:
    """Renders what the head sees."""

    def __init__(self, xml: str, pictures: Mapping[str, bytes], width: int, height: int) -> None:
        """Raises HardwareError without MuJoCo or something that renders."""
        os.environ.setdefault("MUJOCO_GL", "egl" if ctypes.util.find_library("EGL") else "disabled")
        try:
            import mujoco

            self._model = mujoco.MjModel.from_xml_string(xml, dict(pictures))
            self._data = mujoco.MjData(self._model)
            self._renderer: Any = mujoco.Renderer(self._model, height, width)
        except Exception as error:  # MuJoCo and PyOpenGL have many kinds
            raise HardwareError(
                f"nothing can be rendered here: {error!r}",
                "install libegl1 and libgl1-mesa-dri, and .venv/bin/python -m pip install mujoco",
            ) from error
        self._forward = mujoco.mj_forward
        self._random = np.random.default_rng()
        self._shown: tuple[Mapping[str, Any], NDArray[np.float32]] | None = None
        self._noise = self._random.normal(0, NOISE, (2 * height, 2 * width)).astype(np.float32)

    def picture(self, pose: Mapping[str, Any]) -> NDArray[np.uint8]:
        """Return the picture (height, width) for what the simulation tells by its op "pose".

        While nothing moves, what was rendered is kept, and only the noise is new.
        """
        if self._shown is None or self._shown[0] != pose:
            self._shown = pose, self._rendered(pose)
        grey = self._shown[1]
        return np.asarray(np.clip(grey + self._grain(grey.shape), 0, 255), dtype=np.uint8)

    def _rendered(self, pose: Mapping[str, Any]) -> NDArray[np.float32]:
        self._take_up(pose)
        self._forward(self._model, self._data)
        self._renderer.update_scene(self._data, camera="head")
        return np.asarray(self._renderer.render().astype(np.float32) @ GREY)

    def _take_up(self, pose: Mapping[str, Any]) -> None:
        if "qpos" in pose:
            self._data.qpos[:] = pose["qpos"]
            return
        for name, value in pose["joints"].items():
            self._data.joint(name).qpos = value
        for name, position in pose["things"].items():
            address = self._model.jnt_qposadr[self._model.body(name).jntadr[0]]
            self._data.qpos[address : address + 7] = [*position, 1, 0, 0, 0]

    def _grain(self, shape: tuple[int, int]) -> NDArray[np.float32]:
        """A piece of noise that was made beforehand, from anywhere: making it anew takes as long as rendering."""
        top, left = self._random.integers(0, shape)
        return self._noise[top : top + shape[0], left : left + shape[1]]


def read_eyes(file: Path) -> CameraDescription:
    """Read the section [eyes] of a file. Raises HardwareError."""
    return describe_camera(tomllib.loads(file.read_text(encoding="utf-8")), file)


def write_pgm(file: Path, picture: NDArray[np.uint8], at: float) -> None:
    """Write a grey picture whose file time is `at` (Unix seconds); whoever reads gets the old one or the new one."""
    height, width = picture.shape
    fresh = file.with_suffix(".new")
    fresh.write_bytes(b"P5\n%d %d\n255\n" % (width, height) + picture.tobytes())
    os.utime(fresh, (at, at))
    os.replace(fresh, file)


def start(robot: Path, runtime: Path, scene: Path, eyes: Path, out: Path) -> subprocess.Popen[bytes]:
    """Start it as a child that ends with us."""
    given = {"robot": robot, "runtime": runtime, "scene": scene, "eyes": eyes, "out": out}
    options = [word for name, path in given.items() for word in (f"--{name}", str(path.absolute()))]
    return subprocess.Popen([sys.executable, "-m", "sim.head_camera", *options], cwd=Path(__file__).parents[1])


def main(arguments: list[str] | None = None) -> int:
    """Write pictures until the end of whoever started it."""
    from sim.tag_plates import read_labels, with_plates

    options = _parser().parse_args(arguments)
    parent = os.getppid()
    try:
        eyes, scene = read_eyes(options.eyes), Scene.load(options.scene)
        description = load_description(options.robot, options.runtime, simulated=True)
        labels = read_labels(options.eyes.parent / "labels" / options.eyes.name)
        xml, pictures = with_plates(model.build(description, scene), eyes, scene.geometry.grip_height, labels)
        camera = HeadCamera(xml, pictures, eyes.width, eyes.height)
    except (HardwareError, EyesError, OSError, ValueError) as error:
        print(f"heed-sim: the head's camera gives no pictures: {error}", file=sys.stderr, flush=True)
        return 1
    room = SimCamera(options.runtime)
    while os.getppid() == parent:
        due = time.monotonic() + PERIOD
        try:
            at, pose = time.time(), room.request("pose")
            picture = camera.picture(pose)
            if room.request("pose") == pose:  # nothing has moved while it was rendered: it shows what is there now
                at = time.time()
            write_pgm(options.out, picture, at)
        except HardwareError:
            log.debug("the simulation does not answer")
        time.sleep(max(0.0, due - time.monotonic()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="head-camera", description="Renders what the simulated robot's head sees.")
    for name in ("robot", "runtime", "scene", "eyes", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    return parser


if __name__ == "__main__":
    sys.exit(main())
