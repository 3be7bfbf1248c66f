"""How exactly tags on a wall tell where the base stands: drawn pictures, the camera's mount wrong by up to a degree."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.body.body_lab import percentile
from bench.body.drawn_pictures import Conditions, Painter
from bench.body.drawn_room import camera, walls_before
from bench.report import share
from camera.camera import Frame
from camera.lens import Lens
from camera.look import Looker
from camera.tags import TagDetector
from hw.state import Pose2D

FAR = 2.0
"""Metres from the base to the wall, more or less."""
SAG = 1.0
"""Degrees by which the mount is pitched and rolled otherwise than described, at most."""
ALONG = (-0.35, 0.35, 0.0)
"""Metres along the wall at which tags hang; the first two, or all three."""


@dataclass(frozen=True)
class BaseError:
    """One picture."""

    metres: float
    degrees: float
    told: bool
    """Whether the daemon would take it: within the deviation that it believes."""


def base_figures(times: int, lens: Lens, detector: TagDetector) -> dict[str, float | None]:
    """Return the figures for two and for three tags of 150 mm; `times` pictures each."""
    figures: dict[str, float | None] = {}
    for tags in (2, 3):
        errors = _errors(times, tags, lens, detector)
        told = [one for one in errors if one.told]
        figures |= {
            f"base_told.{tags}_tags": share(one.told for one in errors),
            f"base_error_mm_p50.{tags}_tags": percentile([1000 * one.metres for one in told], 0.5) if told else None,
            f"base_error_mm_max.{tags}_tags": max((1000 * one.metres for one in told), default=None),
            f"base_error_deg_max.{tags}_tags": max((one.degrees for one in told), default=None),
        }
    return figures


def _errors(times: int, tags: int, lens: Lens, detector: TagDetector) -> Sequence[BaseError]:
    hang = zip(ALONG[:tags], (0.75, 0.95, 0.85), strict=False)
    wall = [{"id": 100 + n, "size": 0.15, "at": [0.0, y, z], "facing": math.pi} for n, (y, z) in enumerate(hang)]
    robot = camera(wall=wall)
    assert robot.mount is not None
    looker, random = Looker(robot, lens, detector), np.random.default_rng(17)
    errors = []
    for number in range(times):
        sag = np.radians(random.uniform(-SAG, SAG, 2))
        sagged = replace(robot.mount, pitch=robot.mount.pitch + float(sag[0]), roll=float(sag[1]))
        base = Pose2D(-FAR + random.uniform(-0.1, 0.1), random.uniform(-0.3, 0.3), random.uniform(-0.15, 0.15))
        picture = Painter(lens, sagged, Conditions(), seed=number).picture([walls_before(robot.walls, base)])
        fit = looker.look(Frame(picture, float(number))).base
        if fit is None:
            errors.append(BaseError(math.inf, math.inf, False))
            continue
        turned = math.degrees(abs(math.remainder(fit.theta - base.theta, 2 * math.pi)))
        errors.append(BaseError(math.dist((fit.x, fit.y), (base.x, base.y)), turned, fit.sigma <= 0.02))
    return errors
