"""`heed bench robots`: the robots that people own, as heed describes them.

Each description of hw/robots is loaded and held against the geometry that its makers publish, and so is where an SO-101
reaches; calibrations that LeRobot wrote for other people's arms are read; and things with weight are picked up and put
elsewhere on a desk, or fetched by a robot that drives, in MuJoCo, by the skills themselves, over the bytes of the
servos. Wheels roll on when heed-hw is killed and when a cable is pulled: so far, and for so long, by bounded travel and
told velocities with a board that cuts their supply. Where ROS 2 is set up, goals and stops come through its bridge.
No part of it has been exercised on metal.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from bench.body.bridge_trials import through_ros2
from bench.body.published_urdf import PUBLISHED, farthest_off
from bench.body.reach_map import off_measured
from bench.body.wheel_lab import BOARD, ENDS, LEKIWI, rolls_on, told_velocities
from bench.report import Options, Report, share
from daemon.cli.lerobot import LeRobotFile
from daemon.config import ROBOTS, BodyConfig
from daemon.service.body import RobotBody
from daemon.service.control import CommandError
from hw.description import load_description
from hw.kinematics import Arm
from hw.state import HardwareError
from sim.perception import SimCamera
from skills.manipulation import grasp, handover, place
from skills.navigation import move_to
from skills.skill import Cancelled, SkillContext, SkillError

CALIBRATIONS = Path(__file__).parent / "lerobot"
FITS = 0.0005
"""Metres by which a description may be off what is published."""
ON_A_DESK = ("so101", "so100", "so101-pair", "koch")
REACHING = ("so101", "lekiwi", "xlerobot")
"""Robots whose arm is an SO-101, each in a place and a workspace of its own."""
PLACES = ("mat", "tray", "box")
THING = "red_cube"
TABLES = {
    "lekiwi": ("table", "toy_box", "rug"),
    "xlerobot": ("counter", "table", "sink", "shelf"),
    "xlerobot-2wheels": ("counter", "table", "sink", "shelf"),
}
"""Where the cup is that each robot brings."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--seeds", type=int, default=10, help="how often each robot tries (10)")


def run(options: Options) -> Report:
    """Measure everything; without MuJoCo nothing is picked up."""
    off = {f"{robot}.urdf_mm": 1000 * metres for robot, metres in _geometry()}
    read = [_is_read(file) for file in sorted(CALIBRATIONS.glob("*.json"))]
    figures: dict[str, float | int | None] = {
        "robots": sum(millimetres <= 1000 * FITS for millimetres in off.values()),
        **off,
        "calibrations_read": sum(read),
        **{f"{robot}.reach_off_cm": 100 * off_measured(_first_arm(robot)) for robot in REACHING},
    }
    for robot in options.progress(ON_A_DESK):
        figures[f"{robot}.pick_and_place"] = _with_weight(partial(_carried, robot), options.own.seeds)
    for robot in options.progress(TABLES):
        figures[f"{robot}.brings_the_cup"] = _with_weight(partial(_brought, robot), options.own.seeds)
    figures |= _rolling_on(options.own.seeds)
    figures |= through_ros2(options.own.seeds)
    return Report("robots", len(off), figures, "-", options.method, "-")


def _geometry() -> Iterator[tuple[str, float]]:
    """Robots that have arms of a published model, and how far the worst of these is off."""
    for file in sorted(ROBOTS.glob("*.toml")):
        description = load_description(file, Path("."), simulated=True)
        models = [description.table["arms"][arm.name].get("model") for arm in description.arms]
        if all(model in PUBLISHED for model in models):
            arms = zip(description.arms, models, strict=True)
            yield file.stem, max(farthest_off(arm.kinematics, PUBLISHED[model]) for arm, model in arms)


def _first_arm(robot: str) -> Arm:
    return load_description(ROBOTS / f"{robot}.toml", Path("."), simulated=True).arms[0].kinematics


def _is_read(file: Path) -> bool:
    arm = load_description(ROBOTS / "so101.toml", Path("."), simulated=True).arms[0]
    try:
        return len(LeRobotFile(file).memories(arm)) == len(arm.joints) + 1
    except CommandError as error:
        print(error, file=sys.stderr)
        return False


def _with_weight(succeeds: Callable[[int], bool], seeds: int) -> float | None:
    """The share of the seeds with which it succeeds; None without MuJoCo."""
    if find_spec("mujoco") is None:
        return None
    return share(succeeds(seed) for seed in range(seeds))


def _carried(robot: str, seed: int) -> bool:
    """From anywhere at one place of the desk to another."""
    start, end = random.Random(seed).sample(PLACES, 2)

    def work(context: SkillContext) -> None:
        grasp(context, THING)
        place(context, THING, end)

    return _done(robot, seed, THING, start, work)


def _brought(robot: str, seed: int) -> bool:
    """From anywhere at a table into a person's hand."""
    start = random.Random(seed).choice(TABLES[robot])

    def work(context: SkillContext) -> None:
        move_to(context, start)
        grasp(context, "cup")
        move_to(context, "person")
        handover(context, "cup")

    return _done(robot, seed, "cup", start, work)


def _rolling_on(seeds: int) -> dict[str, float]:
    """How far the wheels of a LeKiwi roll on at the most, by what ends and how they are told; and for how long."""
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder:
        velocities = told_velocities(Path(folder))
        killed, pulled = ENDS
        ways = {
            "lekiwi.rolls_on_mm_killed": (killed, LEKIWI),
            "lekiwi.rolls_on_mm_pulled": (pulled, LEKIWI),
            "lekiwi_velocity.rolls_on_mm_killed": (killed, velocities),
            "lekiwi_velocity.rolls_on_mm_pulled": (pulled, velocities),
            "lekiwi_velocity.rolls_on_mm_board_pulled": (BOARD, velocities),
        }
        tried = {name: [rolls_on(*way) for _ in range(seeds)] for name, way in ways.items()}
    figures = {name: 1000 * max(one.metres for one in trials) for name, trials in tried.items()}
    return figures | {"wheel_deadman_ms_max": 1000 * max(one.seconds for trials in tried.values() for one in trials)}


def _done(robot: str, seed: int, thing: str, start: str, work: Callable[[SkillContext], None]) -> bool:
    """Return whether the skills do it, beginning with the thing anywhere at its place, to a centimetre."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder:
        body = RobotBody(BodyConfig(robot=f"sim:{robot}", physics="mujoco"), Path(folder), Path(folder))
        camera = SimCamera(Path(folder))
        try:
            body.start()
            context = SkillContext(body, body.observe)
            camera.request("place", object=thing, location=start)
            at = next(seen["position"] for seen in camera.observe()["objects"] if seen["name"] == thing)
            moved = [at[0] + chance.uniform(-0.01, 0.01), at[1] + chance.uniform(-0.01, 0.01), at[2]]
            camera.request("put", object=thing, position=moved)
            work(context)
            return True
        except (HardwareError, SkillError, Cancelled, TimeoutError) as error:
            print(f"{robot}, seed {seed}, {thing} at {start}: {error}", file=sys.stderr)
            return False
        finally:
            camera.close()
            body.close()
