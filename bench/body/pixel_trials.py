"""A whole heed that sees MuJoCo's pixels alone is told "bring me the juice", and its wheels have drifted.

The kitchen of sim/scenes, rendered by sim/head_camera.py; the brain is the default one. The places were taught; the
juice and some other things stand anywhere, and where the juice is, nobody says: every second time heed has never seen
it, else it remembers it where it handed it over last, and it is there no more. Before the sentence, its wheels are made
to believe that it stands 10 cm and up to 3 degrees from where it does: only tags on walls can tell. At each motion of a
hand towards the juice it is noted how old the picture was by which it goes (bench/body/aged_motions.py). One sentence a
time, no second try. The arms begin where the time before left them; only after a time that failed they are folded.
"""

import contextlib
import json
import math
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

import numpy as np

from bench.body.aged_motions import AgedBody
from bench.body.body_lab import percentile
from bench.body.eyes_trials import until
from bench.report import share
from daemon.app import App
from daemon.cli.terminal import Terminal
from daemon.config import BodyConfig, Config, LlmConfig, ServiceConfig
from daemon.eyes.interface import STALE
from daemon.memory.place_book import Place, PlaceBook
from daemon.service.child_process import ROOT
from daemon.service.sound import Voice
from daemon.trigger import Utterance
from hw.state import HardwareError, Pose2D
from sim.perception import SimCamera
from sim.scene import Scene

SENTENCE = "bring me the juice"
THING, PERSON = "juice", "ada"
MOVED_ABOUT = (THING, "water", "tea", "apple")
SURFACES = ("counter", "table", "sink", "shelf")
DRIFT, DRIFT_TURN = 0.10, math.radians(3.0)
"""Metres and radians."""
PATIENCE = 400.0
"""Seconds for one sentence."""


@dataclass(frozen=True)
class Brought:
    """One trial."""

    arrived: bool
    remembered: bool
    """Whether heed remembered the juice, where it was no more."""
    base_error: float
    """Metres between where the base stood and where it took itself to stand, when the hand set out last."""
    seconds: float
    ages: tuple[float, ...]
    """Seconds: how old the picture was at each motion of a hand towards the juice."""
    why: str = ""
    """What it said last."""


class Quiet(Terminal):
    """Keeps what was said, and prints nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.speech: list[str] = []

    def said(self, text: str) -> None:
        self.speech.append(text)

    def _print(self, kind: str, text: str) -> None:
        """Leave the screen to the bench."""


class PixelHouse:
    """A heed that sees by pixels, and the room as it is."""

    def __init__(self, app: App, body: AgedBody, room: SimCamera, terminal: Quiet) -> None:
        self._app = app
        self.body = body
        self.room = room
        self._terminal = terminal

    def bring(self, seed: int) -> Brought:
        """Put the juice somewhere, let the wheels drift, and ask for it."""
        random = np.random.default_rng(seed)
        for thing in MOVED_ABOUT:
            self.room.request("place", object=thing, location=str(random.choice(SURFACES)))
        remembered = bool(seed % 2) and self._knows_it()
        if not remembered:
            self._forget_it()
        self.body.forget()
        self.drift(random)
        until(lambda: not self._is_present())
        began = time.monotonic()
        self._say(SENTENCE)
        seconds = time.monotonic() - began
        there = next(thing for thing in self.room.observe()["objects"] if thing["name"] == THING)
        arrived = there["location"] == "person"
        if not arrived:
            self._tidy()
        said = self._terminal.speech[-1] if self._terminal.speech else ""
        return Brought(arrived, remembered, self.base_error(), seconds, tuple(self.body.ages), said)

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

    def _say(self, words: str) -> None:
        """Say it, and wait until heed listens again."""
        turns = len(self._app.console.history.turns)
        self._app.heed.hear(Utterance(words))
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            time.sleep(0.05)
            if len(self._app.console.history.turns) > turns and self._listens():
                return

    def _listens(self) -> bool:
        return self._app.conversation.waiting and not len(self._app.triggers)

    def _knows_it(self) -> bool:
        return any(thing["name"] == THING for thing in self.body.observe()["objects"])

    def _is_present(self) -> bool:
        """Return whether it still takes the juice to be in sight: nothing real goes elsewhere in a blink."""
        return any(thing["name"] == THING and thing["present"] for thing in self.body.observe()["objects"])

    def _forget_it(self) -> None:
        """Tell it, as another program may, that the juice is not where it was."""
        with socket.socket(socket.AF_UNIX) as sender:
            sender.connect(str(self._app.config.runtime_directory / "eyes.sock"))
            sender.sendall(json.dumps({"v": 1, "type": "gone", "name": THING}).encode() + b"\n")
            sender.recv(4096)

    def _tidy(self) -> None:
        """Leave nothing in a hand, and no arm stretched out, for the next trial."""
        for arm in self.body.description.arms:
            with contextlib.suppress(HardwareError, TimeoutError):
                self.body.grip(arm.name, 0.08).wait(10.0)
                self.body.robot.move_joints(arm.name, arm.kinematics.home).wait(20.0)


@contextmanager
def pixel_house() -> Iterator[PixelHouse]:
    """Start a heed in the kitchen, with the places taught. Raises ConfigError without MuJoCo."""
    with tempfile.TemporaryDirectory(prefix="heed-") as name:
        service = ServiceConfig(runtime_directory=name, state_directory=name)
        llm, body = LlmConfig(brain="imitation"), BodyConfig(eyes="pixels")
        config, terminal = Config(service=service, folder=ROOT, llm=llm, body=body), Quiet()
        app = App(config, Voice(), terminal, AgedBody)
        talking = threading.Thread(target=app.run)
        talking.start()
        try:
            assert isinstance(app.body, AgedBody)
            with closing(PlaceBook(app.memory.path)) as book:
                for place in taught_places():
                    book.keep(place)
            until(lambda: not app.body.trouble())
            app.wait_until_listening()
            with closing(SimCamera(config.runtime_directory)) as room:
                yield PixelHouse(app, app.body, room, terminal)
        finally:
            app.shut_down("the bench is over")
            talking.join()


def pixel_figures(times: int) -> dict[str, float | int | None]:
    """Return the figures of so many trials."""
    with pixel_house() as house:
        trials = [_told(number, house.bring(seed=number)) for number in range(times)]
    ages = [age for trial in trials for age in trial.ages]
    errors = [1000 * trial.base_error for trial in trials]
    return {
        "pixels_brought": share(trial.arrived for trial in trials),
        "pixels_brought_remembered": share(trial.arrived for trial in trials if trial.remembered),
        "pixels_stale_motions": sum(age > STALE for age in ages),
        "pixels_oldest_s": max(ages, default=None),
        "pixels_base_error_mm_p50": percentile(errors, 0.5),
        "pixels_base_error_mm_max": max(errors),
        "pixels_seconds_p50": percentile([trial.seconds for trial in trials], 0.5),
    }


def _told(number: int, trial: Brought) -> Brought:
    """Print how it went, since each takes most of a minute."""
    knew = "remembered elsewhere" if trial.remembered else "never seen"
    how = "brought" if trial.arrived else "NOT brought"
    oldest = max(trial.ages, default=0.0)
    print(f"trial {number}, {knew}, {trial.seconds:.0f} s, oldest {oldest:.2f} s: {how}. {trial.why}", flush=True)
    return trial


def taught_places() -> Iterator[Place]:
    """Yield the places of the kitchen, as somebody would teach them."""
    scene = Scene.load(ROOT / "sim" / "scenes" / "kitchen.toml")
    for name in (*SURFACES, "person"):
        place = scene.location(name)
        at = place.approach.x, place.approach.y, place.approach.theta
        yield Place(PERSON if name == "person" else name, str(place.kind), *at, place.height)
