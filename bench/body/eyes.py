"""`heed bench eyes`: how well printed tags tell where things are, in drawn pictures.

A camera on a robot's head (1280x960, 70 degrees high, 1.28 m up, 37 degrees down) looks at things with a tag of 40 mm
on each of four sides, three at a time, 0.4 to 0.75 m ahead, turned anyhow. The pictures are drawn by exact projection
and then blurred, darkened to the corners, bent by a lens, and made noisy (bench/body/drawn_pictures.py): no lens, no
light, no paper. Everything behind the pixels is what heed-eyes runs. What this cannot show is what a real camera does.

`found` is the share of things that were told of, of those with a tag wholly in the picture and not edge-on;
`grip_error_mm_*` how far the point is off at which a hand would take them; `sigma_honest` the share of errors within
three of the standard deviations that were told; `look_cpu_ms` processor time from pixels to places;
`false_detections` the tags that were found in pictures without any. Then the simulated robot, which sees nothing but
drawn pictures, fetches things and hands them over (`fetched`), is asked for what was just hidden (`stale_motions`: how
often an arm moved), and its camera is unplugged, frozen, darkened, and its process killed: how soon it knows
(`noticed_s`), how soon a grasp is refused then (`refused_s`), and how often an arm moved meanwhile (`faults_moved`).
`frozen_on_the_way_s` is how long a grasp goes on, with drawing back, once the picture froze while the hand was moving.
`.dim` and `.small` are the same figures with a third of the light, and with tags of 30 mm.

`base_error_*` is how far off the base is found from two and from three tags of 150 mm on a wall 2 m ahead, while the
camera is pitched and rolled by up to a degree otherwise than its mount says; `base_told` how often it is sure enough
for heed to believe it.

With `--rendered 20` MuJoCo renders so many pictures before each place of the kitchen (bench/body/rendered_kitchen.py):
`.rendered` are the figures of things in them. Needs the extra sim.

With `--pixels 20` a whole heed is also told "bring me the juice" so often while it sees what MuJoCo renders
(`pixels_brought`): it has never seen the juice, or remembers it where it is no more (`pixels_brought_remembered`), and
the wheels have drifted by 10 cm and up to 3 degrees (bench/body/pixel_trials.py). `pixels_stale_motions` counts the
motions of a hand towards the juice by a picture of more than a second ago, and `pixels_oldest_s` tells the oldest.
Needs the extra sim, and a minute for each time.
"""

import argparse
import math
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.body import eyes_trials
from bench.body.base_trials import base_figures
from bench.body.body_lab import percentile
from bench.body.drawn_pictures import Conditions, Painter, Standing, is_shown
from bench.body.drawn_room import LENS, camera, house
from bench.body.pixel_trials import pixel_figures
from bench.body.rendered_kitchen import rendered_figures
from bench.report import BenchError, Options, Report, share
from camera.camera import Frame
from camera.description import CameraDescription
from camera.look import Looker
from camera.tags import Picture, TagDetector
from camera.trouble import MissingError
from daemon.config import ConfigError
from hw.state import HardwareError

BENT = replace(LENS, distortion=(-0.12, 0.03, 0.0005, -0.0005, 0.0))
USUAL, SMALL = 0.04, 0.03
"""Metres of the black squares: as `heed eyes sheet` prints them, and as small as is of use here."""
THINGS = ("juice", "milk", "cup")
PLAIN = Conditions()
DIM = Conditions(gain=0.33, noise=6.0)


@dataclass(frozen=True)
class Seen:
    """One thing in one picture."""

    found: bool
    error: float = 0.0
    """Metres."""
    sigma: float = 0.0
    """Metres, as it was told."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--pictures", type=int, default=100, help="pictures of things, and as many without tags")
    parser.add_argument(
        "--tagless", type=int, default=0, help="pictures without tags, where it shall be another number"
    )
    parser.add_argument("--rendered", type=int, default=0, help="pictures that MuJoCo renders before each place")
    parser.add_argument("--pixels", type=int, default=0, help="times that it is told to bring the juice")
    parser.add_argument("--fetches", type=int, default=4, help="times that the whole robot fetches a thing; 0: never")


def run(options: Options) -> Report:
    """Draw, look and compare."""
    try:
        detector = TagDetector()
    except MissingError as error:
        raise BenchError(str(error)) from error
    count = int(getattr(options.own, "pictures", 100))
    tagless = int(getattr(options.own, "tagless", 0)) or count
    cpu: list[float] = []
    seen = _series(options, count, camera(*THINGS, size=USUAL), PLAIN, detector, cpu)
    dim = _series(options, count // 2, camera(*THINGS, size=USUAL), DIM, detector, [])
    small = _series(options, count // 2, camera(*THINGS, size=SMALL), PLAIN, detector, [])
    figures = {
        **_figures(seen, ""),
        "sigma_honest": share(one.error <= 3 * one.sigma for one in seen if one.found),
        "look_cpu_ms": 1000 * percentile(cpu, 0.5),
        "look_cpu_ms_p95": 1000 * percentile(cpu, 0.95),
        "false_detections": _false_detections(options, tagless, detector),
        "pictures_without_tags": tagless,
        **_figures(dim, ".dim"),
        **_figures(small, ".small"),
        **base_figures(count // 4, BENT, detector),
        **_rendered(int(getattr(options.own, "rendered", 0)), detector),
        **_pixels(int(getattr(options.own, "pixels", 0))),
        **_trials(int(getattr(options.own, "fetches", 4))),
    }
    return Report("eyes", len(seen) + len(dim) + len(small), figures)


def _rendered(times: int, detector: TagDetector) -> dict[str, float | None]:
    """Measure where things are found in MuJoCo's pictures of the kitchen."""
    if not times:
        return {}
    try:
        return rendered_figures(times, detector)
    except HardwareError as error:
        raise BenchError(str(error)) from error


def _pixels(times: int) -> dict[str, float | int | None]:
    """Measure what a whole robot does that sees by MuJoCo's pixels."""
    if not times:
        return {}
    try:
        return pixel_figures(times)
    except ConfigError as error:
        raise BenchError(str(error)) from error


def _trials(times: int) -> dict[str, float | int | None]:
    """Measure what a whole robot does that sees by drawn pictures alone."""
    if not times:
        return {}
    with tempfile.TemporaryDirectory(prefix="heed-") as folder, house(Path(folder), "water", "cup") as robot:
        arrived = eyes_trials.fetched(robot, ("water", "cup"), times)
        moved = eyes_trials.stale_motions(robot, "water", times)
        until_ended, said = eyes_trials.frozen_on_the_way(robot, "water")
        failures = eyes_trials.failures(robot, "water")
    print(f"frozen while a hand was on its way: {said}")
    for fault, failure in failures.items():
        print(f"{fault}: {failure.said}")
    return {
        "fetched": share(arrived),
        "stale_motions": moved,
        "frozen_on_the_way_s": until_ended,
        "faults_moved": sum(failure.moved for failure in failures.values()),
        "faults_noticed_max_s": max(failure.noticed for failure in failures.values()),
        "faults_refused_max_s": max(failure.refused for failure in failures.values()),
        **{f"noticed_s.{fault}": failure.noticed for fault, failure in failures.items()},
        **{f"refused_s.{fault}": failure.refused for fault, failure in failures.items()},
    }


def _figures(seen: list[Seen], suffix: str) -> dict[str, float | None]:
    errors = [1000 * one.error for one in seen if one.found]
    return {
        f"found{suffix}": share(one.found for one in seen),
        f"grip_error_mm_p50{suffix}": percentile(errors, 0.5) if errors else None,
        f"grip_error_mm_p95{suffix}": percentile(errors, 0.95) if errors else None,
        f"grip_error_mm_max{suffix}": max(errors, default=None),
    }


def _series(
    options: Options,
    count: int,
    seen_by: CameraDescription,
    conditions: Conditions,
    detector: TagDetector,
    cpu: list[float],
) -> list[Seen]:
    """Look at so many pictures; `cpu` takes in the seconds of each look."""
    assert seen_by.mount is not None
    painter = Painter(BENT, seen_by.mount, conditions, seed=7)
    looker = Looker(seen_by, BENT, detector)
    random = np.random.default_rng(11)
    seen: list[Seen] = []
    for number in options.progress(range(count)):
        things = [
            _somewhere(thing, column, random) for column, thing in zip((-0.22, 0, 0.22), seen_by.things, strict=True)
        ]
        picture = painter.picture(things)
        began = time.process_time()
        look = looker.look(Frame(picture, float(number)))
        cpu.append(time.process_time() - began)
        told = {one.name: one for one in look.things}
        for standing in things:
            if one := told.get(standing.thing.name):
                error = math.dist(one.position, [float(value) for value in standing.grip])
                seen.append(Seen(True, error, one.sigma))
            elif is_shown(painter, standing, seen_by):
                seen.append(Seen(False))
    return seen


def _somewhere(thing: Any, column: float, random: np.random.Generator) -> Standing:
    ahead, aside = random.uniform(0.40, 0.75), column + random.uniform(-0.04, 0.04)
    height, yaw = random.uniform(0.65, 0.85), random.uniform(-math.pi, math.pi)
    return Standing(thing, (float(ahead), float(aside), float(height)), float(yaw))


def _false_detections(options: Options, count: int, detector: TagDetector) -> int:
    mount = camera().mount
    assert mount is not None
    painter = Painter(BENT, mount, Conditions(noise=12.0), seed=5)
    random = np.random.default_rng(6)
    pictures = zip(options.progress(range(count)), _tagless(count, painter, random), strict=True)
    return sum(len(detector.find(picture)) for _, picture in pictures)


def _tagless(count: int, painter: Painter, random: np.random.Generator) -> Iterable[Picture]:
    """Rooms with edges and noise, checkers like a tag's cells, and nothing but noise."""
    for number in range(count):
        if number % 3 == 0:
            yield painter.picture([])
        elif number % 3 == 1:
            cells = random.integers(0, 2, (32, 40)) * 200 + 20
            yield np.kron(cells, np.ones((24, 24), dtype=np.int64)).astype(np.uint8)
        else:
            yield random.integers(0, 256, (768, 960), dtype=np.uint8)
