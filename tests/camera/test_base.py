"""Where the base stands, from tags on walls: to a centimetre at two metres, also when the head sags; else nothing."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bench.body.drawn_pictures import Conditions, Painter
from bench.body.drawn_room import LENS, camera, walls_before
from camera.base_fit import BaseFit, where_base_stands
from camera.camera import Frame
from camera.description import CameraDescription
from camera.look import Look, Looker
from camera.tags import TagDetector
from hw.state import Pose2D

WALL = [
    {"id": 100, "size": 0.15, "at": [-0.4, 2.0, 0.75], "facing": -math.pi / 2},
    {"id": 101, "size": 0.15, "at": [0.3, 2.0, 0.95], "facing": -math.pi / 2},
    {"id": 102, "size": 0.15, "at": [0.9, 1.9, 0.80], "facing": -2.2},
]
ROBOT = camera(wall=WALL)
STANDS = Pose2D(0.1, 0.05, 1.62)


def look(base: Pose2D, sags: float = 0.0, hangs: CameraDescription = ROBOT, seed: int = 0) -> Look:
    """Draw what the head sees, its mount pitched `sags` radians too far down, and look with the mount as described."""
    assert ROBOT.mount is not None
    painter = Painter(LENS, replace(ROBOT.mount, pitch=ROBOT.mount.pitch + sags), Conditions(), seed)
    picture = painter.picture([walls_before(hangs.walls, base)])
    return Looker(ROBOT, LENS, TagDetector()).look(Frame(picture, 1.0))


def off(fit: BaseFit, truth: Pose2D) -> tuple[float, float]:
    """Metres and degrees."""
    turned = math.degrees(abs(math.remainder(fit.theta - truth.theta, 2 * math.pi)))
    return math.dist((fit.x, fit.y), (truth.x, truth.y)), turned


@pytest.mark.parametrize("sags", [0.0, math.radians(1.0)], ids=["as measured", "sagged by a degree"])
def test_the_base_is_found_at_two_metres(sags: float) -> None:
    for seed, base in enumerate((STANDS, Pose2D(-0.2, 0.0, 1.45), Pose2D(0.4, -0.05, 1.7))):
        fit = look(base, sags, seed=seed).base
        assert fit is not None
        away, turned = off(fit, base)
        assert away < 0.010
        assert turned < 0.3
        assert away < 3 * fit.sigma
        assert fit.sag[0] == pytest.approx(sags, abs=math.radians(0.3))


def test_exact_corners_tell_the_base_exactly() -> None:
    assert ROBOT.mount is not None
    mount = replace(ROBOT.mount, pitch=ROBOT.mount.pitch + 1e-4)
    corners = [corners for _, corners in walls_before(ROBOT.walls[:2], STANDS).corners()]
    pixels = [LENS.project(mount.to_camera(each)) for each in corners]
    fit = where_base_stands(ROBOT.walls[:2], pixels, LENS, ROBOT.mount)
    assert fit is not None
    assert (fit.x, fit.y, fit.theta) == pytest.approx((STANDS.x, STANDS.y, STANDS.theta), abs=1e-4)


def test_one_tag_alone_tells_nothing() -> None:
    seen = look(STANDS, hangs=replace(ROBOT, walls=ROBOT.walls[:1]))
    assert seen.base is None
    assert "two such tags" in seen.unknown[0]


def test_a_tag_that_hangs_elsewhere_is_noticed() -> None:
    moved = replace(ROBOT.walls[1], at=(0.3, 2.0, 0.80))
    seen = look(STANDS, hangs=replace(ROBOT, walls=(ROBOT.walls[0], moved, ROBOT.walls[2])))
    assert seen.base is None
    assert "100, 101" in seen.unknown[0]


def test_tags_on_walls_are_no_things() -> None:
    assert look(STANDS).things == ()


def test_what_is_told_is_what_is_measured() -> None:
    fit = look(STANDS).base
    assert fit is not None
    assert np.linalg.eigvalsh(fit.covariance).min() > 0
