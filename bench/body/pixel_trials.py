"""A robot that sees MuJoCo's pixels alone brings the juice from wherever it stands, with wheels that have drifted.

The kitchen of sim/scenes, rendered by sim/head_camera.py. The places were taught; where the juice is, nobody says: it
drives from place to place, in any order, until it sees it. Before it sets out, its wheels are made to believe that it
stands 10 cm and up to 3 degrees from where it does: only tags on walls can tell. At each motion of a hand towards the
juice it is noted how old the picture was by which it goes (bench/body/aged_motions.py). The arms begin where the time
before left them; only after a time that failed they are folded.
"""

import contextlib
import math
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.body.aged_motions import AgedMotions
from bench.body.body_lab import percentile
from bench.body.eyes_trials import until
from bench.report import share
from daemon.config import BodyConfig
from daemon.eyes.interface import STALE
from daemon.memory.place_book import Place, PlaceBook
from daemon.service.body import RobotBody
from daemon.service.child_process import ROOT
from hw.state import HardwareError, Pose2D
from sim.perception import SimCamera
from sim.scene import Scene
from skills.skill import SkillContext, SkillError, load_skills

THING, PERSON = "juice", "ada"
SURFACES = ("counter", "table", "sink", "shelf")
DRIFT, DRIFT_TURN = 0.10, math.radians(3.0)
"""Metres and radians."""
TRIES = 6
"""Of a skill that says what is missing: a mind would try again, too."""
LOOKS, PATIENCE = 2, 20.0
"""At a place, and seconds for them."""
LOCALISING = 0.5
"""Seconds between two times that the body takes it from its eyes where it stands, as in daemon/service/health.py."""
SETTLE = 1.0
"""Seconds at a place in which a correction comes or not, on a machine under load."""


@dataclass(frozen=True)
class Brought:
    """One trial."""

    arrived: bool
    base_error: float
    """Metres between where the base stood and where it took itself to stand, when it had grasped."""
    seconds: float
    ages: tuple[float, ...]
    """Seconds: how old the picture was at each motion of a hand towards the juice."""
    why: str = ""
    """What it said where it did not arrive."""


class PixelHouse:
    """A simulated robot that sees by pixels, and the room as it is."""

    def __init__(self, body: RobotBody, room: SimCamera) -> None:
        self.body = body
        self.room = room
        self._skills = load_skills()
        self._watched = AgedMotions(body, THING)
        self._context = SkillContext(self._watched, self._watched.observe, look=body.look)

    def do(self, skill: str, *arguments: str) -> object:
        """Call a skill, TRIES times at the most. Raises SkillError or HardwareError."""
        for _ in range(TRIES - 1):
            with contextlib.suppress(SkillError, HardwareError):
                return self._skills[skill].bind(self._context)(*arguments)
        return self._skills[skill].bind(self._context)(*arguments)

    def bring(self, seed: int) -> Brought:
        """Put the juice somewhere, let the wheels drift, and have it brought."""
        random = np.random.default_rng(seed)
        self.room.request("place", object=THING, location=str(random.choice(SURFACES)))
        self._watched.forget()
        self.drift(random)
        began, error = time.monotonic(), math.inf
        try:
            self._find([str(place) for place in random.permutation(SURFACES)])
            self.do("grasp", THING)
            error = self.base_error()
            self.do("move_to", PERSON)
            self.do("handover", THING)
        except (SkillError, HardwareError) as trouble:
            seconds = time.monotonic() - began
            self._tidy()
            return Brought(False, error, seconds, tuple(self._watched.ages), str(trouble))
        there = next(thing for thing in self.room.observe()["objects"] if thing["name"] == THING)
        seconds = time.monotonic() - began
        return Brought(there["location"] == "person", error, seconds, tuple(self._watched.ages))

    def drift(self, random: np.random.Generator) -> None:
        """Have the wheels believe that they stand elsewhere."""
        towards, turned = random.uniform(-math.pi, math.pi), random.uniform(-DRIFT_TURN, DRIFT_TURN)
        base = self.body.state().base
        x, y = base.x + DRIFT * math.cos(towards), base.y + DRIFT * math.sin(towards)
        self.body.stands_at((x, y, base.theta + float(turned)), by="a bench")

    def base_error(self) -> float:
        """Metres between where the base stands and where it takes itself to stand."""
        truth, base = Pose2D(*self.room.request("base")), self.body.state().base
        return math.dist((truth.x, truth.y), (base.x, base.y))

    def _find(self, places: list[str]) -> None:
        for place in 2 * places:  # one thing may hide another from a base that stands askew
            self.do("move_to", place)
            time.sleep(SETTLE)
            if self._sees():
                return
        raise SkillError(f"I found no {THING}", "look again")

    def _sees(self) -> bool:
        """Return whether it sees the juice in one of a few looks; those that come too late, under load, do not
        count.
        """
        looks, ends = 0, time.monotonic() + PATIENCE
        while looks < LOOKS and time.monotonic() < ends:
            with contextlib.suppress(HardwareError):
                self.body.look()
                looks += 1
                if any(thing["name"] == THING and thing["present"] for thing in self.body.observe()["objects"]):
                    return True
        return False

    def _tidy(self) -> None:
        """Leave nothing in a hand, and no arm stretched out, for the next trial."""
        for arm in self.body.description.arms:
            with contextlib.suppress(HardwareError, TimeoutError):
                self.body.grip(arm.name, 0.08).wait(10.0)
                self.body.robot.move_joints(arm.name, arm.kinematics.home).wait(20.0)


@contextmanager
def pixel_house() -> Iterator[PixelHouse]:
    """Start the kitchen's robot with the places taught. Raises ConfigError without MuJoCo."""
    with tempfile.TemporaryDirectory(prefix="heed-") as name, closing(PlaceBook(Path(name) / "m.sqlite")) as book:
        folder, ended = Path(name), threading.Event()
        body = RobotBody(BodyConfig(eyes="pixels"), folder, folder)
        localising = threading.Thread(target=_localise, args=(body, ended), daemon=True)
        try:
            body.start()
            for place in _taught():
                book.keep(place)
            body.use_places(book)
            until(lambda: not body.trouble())
            localising.start()
            with closing(SimCamera(folder)) as room:
                yield PixelHouse(body, room)
        finally:
            ended.set()
            body.close()


def pixel_figures(times: int) -> dict[str, float | int | None]:
    """Return the figures of so many trials."""
    with pixel_house() as house:
        trials = [_told(number, house.bring(seed=number)) for number in range(times)]
    ages = [age for trial in trials for age in trial.ages]
    errors = [1000 * trial.base_error for trial in trials if math.isfinite(trial.base_error)]
    return {
        "pixels_brought": share(trial.arrived for trial in trials),
        "pixels_stale_motions": sum(age > STALE for age in ages),
        "pixels_oldest_s": max(ages, default=None),
        "pixels_base_error_mm_p50": percentile(errors, 0.5) if errors else None,
        "pixels_base_error_mm_max": max(errors, default=None),
        "pixels_seconds_p50": percentile([trial.seconds for trial in trials], 0.5),
    }


def _told(number: int, trial: Brought) -> Brought:
    """Print how it went, since each takes most of a minute."""
    how = "brought" if trial.arrived else trial.why or "not where the person is"
    print(f"trial {number}, {trial.seconds:.0f} s: {how}", flush=True)
    return trial


def _taught() -> Iterator[Place]:
    scene = Scene.load(ROOT / "sim" / "scenes" / "kitchen.toml")
    for name in (*SURFACES, "person"):
        place = scene.location(name)
        at = place.approach.x, place.approach.y, place.approach.theta
        yield Place(PERSON if name == "person" else name, str(place.kind), *at, place.height)


def _localise(body: RobotBody, ended: threading.Event) -> None:
    while not ended.wait(LOCALISING):
        with contextlib.suppress(HardwareError):
            body.localise()
