"""Places and doors by their tags: where things are put, where the front is, and where the handle of a leaf is."""

import math

import pytest

from bench.body.drawn_pictures import Standing
from bench.body.drawn_room import LENS, camera
from camera.camera import Frame
from camera.look import Look, Looker
from camera.tags import TagDetector
from tests.camera.tagged import painter

TRAY = {"id": 60, "size": 0.06, "on": "tray", "kind": "surface", "at": [0.10, 0.0, -0.04]}
FRIDGE = {"id": 70, "size": 0.06, "of": "fridge", "at": [1.6, 0.6, 0.75], "handle": [0.05, -0.10, 0.03]}
ROBOT = camera(tag=[TRAY], door=[FRIDGE])
LEAF = ROBOT.doors[0].leaf


def look(*drawn: Standing) -> Look:
    return Looker(ROBOT, LENS, TagDetector()).look(Frame(painter(ROBOT).picture(drawn), 1.0))


def test_a_place_is_seen_where_things_are_put_and_where_its_front_is() -> None:
    [place] = look(Standing(ROBOT.things[0], (0.62, 0.1, 0.72), math.pi - 0.5)).places
    assert (place.name, place.kind) == ("tray", "surface")
    assert math.dist(place.position, (0.62, 0.1, 0.72)) < 0.01
    assert math.degrees(place.yaw - (math.pi - 0.5)) == pytest.approx(0, abs=3)


def test_a_place_is_no_thing() -> None:
    assert look(Standing(ROBOT.things[0], (0.62, 0.1, 0.72), math.pi - 0.5)).things == ()


def test_a_leaf_is_seen_with_its_handle() -> None:
    drawn = Standing(LEAF, (0.60, -0.05, 0.75), math.pi + 0.4)
    [door] = look(drawn).doors
    assert math.dist(door.position, drawn.position) < 0.005
    assert math.dist(door.handle, [float(value) for value in drawn.grip]) < 0.01
    assert door.message()["closed"] == [1.6, 0.6, 0.75]
