"""`heed bench robots`: the robots that people own, as heed describes them.

Each description of hw/robots is loaded and held against the geometry that its makers publish; calibrations that
LeRobot wrote for other people's arms are read; and things with weight are picked up and put elsewhere on a desk, in
MuJoCo, by the skills themselves, over the bytes of the servos. No part of it has been exercised on metal.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from bench.body.published_urdf import PUBLISHED, farthest_off
from bench.report import Options, Report, share
from daemon.cli.lerobot import LeRobotFile
from daemon.config import ROBOTS, BodyConfig
from daemon.service.body import RobotBody
from daemon.service.control import CommandError
from hw.description import load_description
from hw.state import HardwareError
from sim.perception import SimCamera
from skills.manipulation import grasp, place
from skills.skill import Cancelled, SkillContext, SkillError

CALIBRATIONS = Path(__file__).parent / "lerobot"
FITS = 0.0005
"""Metres by which a description may be off what is published."""
ON_A_DESK = ("so101", "so100", "so101-pair")
PLACES = ("mat", "tray", "box")
THING = "red_cube"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--seeds", type=int, default=10, help="how often each arm picks and places (10)")


def run(options: Options) -> Report:
    """Everything; without MuJoCo nothing is picked up."""
    off = {f"{robot}.urdf_mm": 1000 * metres for robot, metres in _geometry()}
    read = [_is_read(file) for file in sorted(CALIBRATIONS.glob("*.json"))]
    figures: dict[str, float | int | None] = {
        "robots": sum(millimetres <= 1000 * FITS for millimetres in off.values()),
        **off,
        "calibrations_read": sum(read),
    }
    for robot in options.progress(ON_A_DESK):
        figures[f"{robot}.pick_and_place"] = _pick_and_place(robot, options.own.seeds)
    return Report("robots", len(off), figures, "-", options.method, "-")


def _geometry() -> Iterator[tuple[str, float]]:
    """Robots that have arms of a published model, and how far the worst of these is off."""
    for file in sorted(ROBOTS.glob("*.toml")):
        description = load_description(file, Path("."), simulated=True)
        models = [description.table["arms"][arm.name].get("model") for arm in description.arms]
        if all(model in PUBLISHED for model in models):
            arms = zip(description.arms, models, strict=True)
            yield file.stem, max(farthest_off(arm.kinematics, PUBLISHED[model]) for arm, model in arms)


def _is_read(file: Path) -> bool:
    arm = load_description(ROBOTS / "so101.toml", Path("."), simulated=True).arms[0]
    try:
        return len(LeRobotFile(file).memories(arm)) == len(arm.joints) + 1
    except CommandError as error:
        print(error, file=sys.stderr)
        return False


def _pick_and_place(robot: str, seeds: int) -> float | None:
    """The share of the seeds in which the cube lies where it was to be put."""
    if find_spec("mujoco") is None:
        return None
    return share(_carried(robot, seed) for seed in range(seeds))


def _carried(robot: str, seed: int) -> bool:
    """From anywhere at one place of the desk to another."""
    chance = random.Random(seed)
    start, end = chance.sample(PLACES, 2)
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder:
        body = RobotBody(BodyConfig(robot=f"sim:{robot}", physics="mujoco"), Path(folder), Path(folder))
        camera = SimCamera(Path(folder))
        try:
            body.start()
            context = SkillContext(body, body.observe)
            camera.request("place", object=THING, location=start)
            at = next(thing["position"] for thing in camera.observe()["objects"] if thing["name"] == THING)
            moved = [at[0] + chance.uniform(-0.01, 0.01), at[1] + chance.uniform(-0.01, 0.01), at[2]]
            camera.request("put", object=THING, position=moved)
            grasp(context, THING)
            place(context, THING, end)
            return True
        except (HardwareError, SkillError, Cancelled, TimeoutError) as error:
            print(f"{robot}, seed {seed}, {start} to {end}: {error}", file=sys.stderr)
            return False
        finally:
            camera.close()
            body.close()
