"""The simulated robot as a process: python -m sim --runtime DIR --scene kitchen."""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from hw.description import load_description
from hw.state import HardwareError
from sim.devices import SimulatedRobot
from sim.scene import Scene

SCENES = Path(__file__).parent / "scenes"
EYES = Path(__file__).parent / "eyes"
ROBOT = Path(__file__).parents[1] / "hw" / "robots" / "sim.toml"


def main(arguments: list[str] | None = None) -> int:
    """Simulate until SIGTERM, SIGINT, or the end of the process that started us."""
    options = _parser().parse_args(arguments)
    parent = os.getppid()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    try:
        scene = Scene.load(_scene_file(options.scene))
        description = load_description(options.robot, options.runtime, simulated=True)
        robot = SimulatedRobot(options.runtime, scene, description, physics=options.physics == "mujoco")
    except (HardwareError, OSError, ValueError) as error:
        print(f"heed-sim: {error}", file=sys.stderr)
        return 2
    head = _head_camera(options)
    _hurry()
    robot.start()
    print(f"ready: devices in {options.runtime / 'dev'}, scene on {options.runtime / 'scene.sock'}", flush=True)
    try:
        while robot.alive and os.getppid() == parent and not ended.wait(0.5):
            pass
        return _verdict(robot)
    finally:
        robot.close()
        if head:
            head.terminate()
            head.wait()


def _head_camera(options: argparse.Namespace) -> subprocess.Popen[bytes] | None:
    """Start what renders the head's pictures, where they are wanted. It gets no priority."""
    if options.pixels is None:
        return None
    from sim import head_camera  # MuJoCo is an extra

    scene = _scene_file(options.scene)
    return head_camera.start(options.robot, options.runtime, scene, EYES / f"{scene.stem}.toml", options.pixels)


def _hurry() -> None:
    """Real-time priority where it is permitted: motors do not wait for a language model, simulated ones shall not."""
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def _verdict(robot: SimulatedRobot) -> int:
    """Exit status: 3 tells that somebody sent the robot beyond its limits."""
    if robot.violations:
        print(f"heed-sim: {len(robot.violations)} commands went beyond the robot's limits", file=sys.stderr)
        return 3
    return 0 if robot.alive else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="heed-sim", description=main.__doc__)
    parser.add_argument("--runtime", type=Path, required=True, help="directory for devices and sockets")
    parser.add_argument("--scene", default="kitchen", help="a name in sim/scenes, or a TOML file")
    parser.add_argument("--robot", type=Path, default=ROBOT, help="robot description (TOML)")
    parser.add_argument("--physics", choices=("kinematic", "mujoco"), default="kinematic", help="mujoco: with weight")
    parser.add_argument("--pixels", type=Path, help="render what the head sees into this file, again and again")
    return parser


def _scene_file(name: str) -> Path:
    """Raises ValueError listing the scenes there are."""
    for path in (SCENES / f"{name}.toml", Path(name)):
        if path.is_file():
            return path
    known = ", ".join(sorted(path.stem for path in SCENES.glob("*.toml")))
    raise ValueError(f"there is no scene {name!r}; use a TOML file or one of: {known}")


if __name__ == "__main__":
    sys.exit(main())
