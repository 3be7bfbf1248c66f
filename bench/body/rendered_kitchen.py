"""How well tags tell where things are in what MuJoCo renders of the kitchen for the robot's head.

Before each place, a few centimetres and degrees from where the robot usually stands, three things with tags of 30 mm
stand anywhere on it; doors are open, arms folded. Where things are told to be is held against where they stand.
Everything behind the pixels is what heed-eyes runs.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.body.body_lab import percentile
from bench.body.drawn_pictures import Conditions, Painter, Standing, is_shown
from bench.report import share
from camera.camera import Frame
from camera.lens import load_lens
from camera.look import Looker
from camera.tags import TagDetector
from hw.description import load_description
from hw.state import Pose2D
from sim import model
from sim.head_camera import HeadCamera, read_eyes
from sim.layout import OPENED, Kind, Location, Point
from sim.scene import Scene
from sim.tag_plates import with_plates

ROOT = Path(__file__).parents[2]
EYES = read_eyes(ROOT / "sim" / "eyes" / "kitchen.toml")
ASIDE, TURNED, JITTER = 0.03, math.radians(3.0), 0.02
"""Metres and radians by which the base stands otherwise than usual, and metres by which things do."""
TOGETHER = 3
"""Things at once."""
AWAY = (0.0, 0.0, -5.0)
HOLDING = (Kind.SURFACE, Kind.CONTAINER)


class RenderedKitchen:
    """Pictures of the kitchen, and where everything is in them."""

    def __init__(self) -> None:
        """Raises HardwareError without MuJoCo."""
        self.scene = Scene.load(ROOT / "sim" / "scenes" / "kitchen.toml")
        self._robot = load_description(ROOT / "hw" / "robots" / "sim.toml", Path("."), simulated=True)
        room = with_plates(model.build(self._robot, self.scene), EYES, self.scene.geometry.grip_height)
        self._camera = HeadCamera(*room, EYES.width, EYES.height)
        self._random = np.random.default_rng(3)

    def before(self, place: Location) -> tuple[Pose2D, dict[str, Point], NDArray[np.uint8]]:
        """Arrange things anew, and return where the base and each thing stand (map frame), and the picture."""
        usual = place.approach
        shift, turn = self._random.uniform(-ASIDE, ASIDE, 2), self._random.uniform(-TURNED, TURNED)
        base = Pose2D(usual.x + float(shift[0]), usual.y + float(shift[1]), usual.theta + float(turn))
        stands = place.stands()
        chosen = self._random.choice(len(stands), TOGETHER, replace=False)
        names = self._random.choice([thing.name for thing in EYES.things if not thing.kind], TOGETHER, replace=False)
        things = {str(name): self._near(stands[number]) for name, number in zip(names, chosen, strict=True)}
        return base, things, self._camera.picture(self._pose(base, things))

    def _near(self, stand: Point) -> Point:
        dx, dy = self._random.uniform(-JITTER, JITTER, 2)
        return stand[0] + float(dx), stand[1] + float(dy), stand[2]

    def _pose(self, base: Pose2D, things: Mapping[str, Point]) -> dict[str, Any]:
        """Everything else stands where it hides nothing: far below the floor."""
        joints = {"base x": base.x, "base y": base.y, "base theta": base.theta}
        for arm in self._robot.arms:
            joints |= {
                f"{arm.name} {joint.name}": at for joint, at in zip(arm.joints, arm.kinematics.home, strict=False)
            }
        joints |= {f"door {place.name}": OPENED for place in self.scene.locations() if place.has_door}
        return {"joints": joints, "things": {one.name: things.get(one.name, AWAY) for one in self.scene.things()}}


def rendered_figures(times: int, detector: TagDetector) -> dict[str, float | None]:
    """Return the figures of so many pictures before each place. Raises HardwareError without MuJoCo."""
    kitchen, lens = RenderedKitchen(), load_lens(EYES.lens)
    assert EYES.mount is not None
    looker, painter = Looker(EYES, lens, detector), Painter(lens, EYES.mount, Conditions())
    tagged = {thing.name: thing for thing in EYES.things}
    found: list[bool] = []
    errors: list[float] = []
    for place in [place for place in kitchen.scene.locations() if place.kind in HOLDING for _ in range(times)]:
        base, things, picture = kitchen.before(place)
        told = {one.name: one for one in looker.look(Frame(picture, 1.0)).things}
        for name, (x, y, z) in things.items():
            truth = (*base.to_local(x, y), z)
            stands = Standing(tagged[name], (truth[0], truth[1], z - tagged[name].grip[2]), -base.theta)
            if one := told.get(name):
                errors.append(1000 * math.dist(one.position, truth))
            if one or is_shown(painter, stands, EYES):
                found.append(one is not None)
    return {
        "found.rendered": share(found),
        "grip_error_mm_p50.rendered": percentile(errors, 0.5),
        "grip_error_mm_p95.rendered": percentile(errors, 0.95),
        "grip_error_mm_max.rendered": max(errors),
    }
