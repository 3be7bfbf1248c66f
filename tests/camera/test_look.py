"""From a picture to where things are, and what is said where that cannot be told."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bench.body.drawn_pictures import Standing
from bench.body.drawn_room import LENS, camera
from bench.body.spoilt_pictures import SPOILT
from camera.camera import Frame
from camera.fit import camera_before, stands_upright
from camera.lens import Lens
from camera.look import Look, Looker
from camera.mount import Mount, turn
from camera.picture_quality import FrozenWatch
from camera.tags import TagDetector
from tests.camera.tagged import painter, standing

ROBOT = camera("juice", "milk")


def look(picture: np.ndarray, lens: Lens | None = LENS, robot: object = ROBOT) -> Look:
    return Looker(robot, lens, TagDetector()).look(Frame(picture, 1.0))


def test_things_are_seen_where_they_are_taken() -> None:
    things = [standing(ROBOT.things[0], 0.50, 0.12), standing(ROBOT.things[1], 0.60, -0.15, yaw=-2.0)]
    seen = look(painter(ROBOT).picture(things))
    assert [thing.name for thing in seen.things] == ["juice", "milk"]
    for thing, truth in zip(seen.things, things, strict=True):
        assert math.dist(thing.position, truth.grip) < 0.006
        assert math.dist(thing.position, truth.grip) < 4 * thing.sigma
    assert (seen.trouble, seen.unknown) == ("", ())


def test_a_bent_lens_is_straightened() -> None:
    bent = replace(LENS, distortion=(-0.25, 0.08, 0.001, -0.001, 0.0))
    truth = standing(ROBOT.things[0], 0.5, 0.25)
    picture = painter(ROBOT, bent).picture([truth])
    right, wrong = (look(picture, lens).things[0].position for lens in (bent, LENS))
    assert math.dist(right, truth.grip) < 0.008
    assert math.dist(wrong, truth.grip) > 0.02


def test_exact_corners_fit_exactly() -> None:
    mount = Mount((0.12, 0.0, 1.28), 0.6435, 0.1, -0.05)
    truth = standing(ROBOT.things[0], 0.55, 0.1, yaw=1.0)
    corners = [corners for _, corners in truth.corners()][:2]
    pixels = [LENS.project(mount.to_camera(each)) for each in corners]
    fit = stands_upright([tag.corners for tag in truth.thing.tags[:2]], pixels, truth.thing.grip, LENS, mount)
    assert fit is not None
    assert (*fit.position, fit.yaw) == pytest.approx((0.55, 0.1, 0.75, 1.0), abs=1e-5)
    assert fit.residual < 1e-4


def test_a_camera_is_found_by_a_sheet_that_lies_at_a_known_place() -> None:
    mount = Mount((0.11, 0.02, 1.30), 0.7, 0.05, -0.03)
    sheet = np.array([[0.4 + x, y, 0.0] for x in (0, 0.1, 0.25) for y in (-0.09, 0.0, 0.09)])
    found = camera_before(sheet, LENS.project(mount.to_camera(sheet)), LENS)
    assert found is not None
    assert found[0].position == pytest.approx(mount.position, abs=1e-6)
    assert (found[0].pitch, found[0].yaw, found[0].roll) == pytest.approx((0.7, 0.05, -0.03), abs=1e-6)


def test_a_thing_that_lies_is_not_told_of() -> None:
    class Lying(Standing):
        def _placed(self, points: np.ndarray) -> np.ndarray:
            return (points - (0, 0, 0.06)) @ turn("y", 0.6).T + (0.55, 0.0, 0.80)

    seen = look(painter(ROBOT).picture([Lying(camera("juice").things[0], (0, 0, 0), 0.0)]))
    assert seen.things == ()
    assert "does not stand upright" in seen.unknown[0]


def test_a_tag_on_no_thing_is_named_by_its_number_where_its_size_is_known() -> None:
    stray = camera("a", "b", "c").things[2]  # tags 8 to 11
    picture = painter(ROBOT).picture([standing(stray, 0.5, 0.0)])
    assert "add it to [[eyes.tag]]" in look(picture).unknown[0]
    seen = look(picture, robot=camera("juice", unknown_size=0.03)).things
    assert [thing.name.split()[0] for thing in seen] == ["tag"]
    assert seen[0].sigma >= 0.03


def test_without_lens_or_mount_it_says_what_to_do() -> None:
    picture = painter(ROBOT).picture([standing(ROBOT.things[0], 0.5, 0.0)])
    assert "heed eyes calibrate lens" in look(picture, None).trouble
    assert "heed eyes calibrate mount" in look(picture, robot=replace(ROBOT, mount=None)).trouble


@pytest.mark.parametrize(
    ("fault", "words"),
    [("dark", "too dark"), ("glare", "dazzled"), ("covered", "covers"), ("blurred", "blurred")],
)
def test_a_picture_that_is_no_good_says_why_and_tells_of_nothing(fault: str, words: str) -> None:
    good = painter(ROBOT).picture([standing(ROBOT.things[0], 0.5, 0.0)])
    seen = look(SPOILT[fault](good))
    assert words in seen.trouble
    assert (seen.things, seen.base) == ((), None)


def test_the_same_picture_again_and_again_is_no_sight() -> None:
    paints, thing, watch = painter(ROBOT), standing(ROBOT.things[0], 0.5, 0.0), FrozenWatch()
    room = paints.room()
    picture = paints.picture([thing], room)
    assert [watch.is_frozen(picture) for _ in range(6)] == [False] * 3 + [True] * 3
    assert not any(watch.is_frozen(paints.picture([thing], room)) for _ in range(6))  # its noise alone has changed
    told = Looker(ROBOT, LENS, TagDetector()).look(Frame(picture, 1.0, frozen=True))
    assert ("same picture" in told.trouble, told.things) == (True, ())
