"""Every thing, handle and free stand is within reach of both arms from its place's approach pose: in the kitchen,
and in a shed that was given in words."""

import tomllib
from pathlib import Path

import pytest

from hw.kinematics import Arm
from sim.layout import Kind, Location, Point
from sim.scene import Scene

ROOT = Path(__file__).parents[2]
DESCRIPTION = tomllib.loads((ROOT / "hw/robots/sim.toml").read_text())
KITCHEN = Scene.load(ROOT / "sim/scenes/kitchen.toml")
LOCATIONS = [KITCHEN.location(place["name"]) for place in KITCHEN.observe()["locations"]]
SHED = Scene.from_description({"locations": ["bench", {"name": "drawer", "door": "closed"}, "person"]})
KITCHEN_WORKPLACES = [place for place in LOCATIONS if place.kind is not Kind.SPOT]
WORKPLACES = [*KITCHEN_WORKPLACES, *(SHED.location(name) for name in ("bench", "drawer", "person"))]

arms = pytest.mark.parametrize(
    "arm", [Arm.from_description(DESCRIPTION, name) for name in ("left", "right")], ids=lambda arm: arm.name
)
workplaces = pytest.mark.parametrize("place", WORKPLACES, ids=lambda place: place.name)


def reach(arm: Arm, place: Location, point: Point, back: float = 0.0, up: float = 0.0, pitch: float = 0.0) -> None:
    """Raises UnreachableError unless the arm gets there from the place's approach pose."""
    x, y = place.approach.to_local(point[0], point[1])
    arm.ik(x - back, y, point[2] + up, pitch)


@arms
@workplaces
def test_things_can_be_taken_and_lifted(arm: Arm, place: Location) -> None:
    for stand in place.stands():
        reach(arm, place, stand, back=0.10)
        reach(arm, place, stand)
        reach(arm, place, stand, up=0.12)


@arms
@pytest.mark.parametrize("place", [p for p in WORKPLACES if p.has_door], ids=lambda place: place.name)
def test_doors_can_be_pulled_open_and_pushed_shut(arm: Arm, place: Location) -> None:
    reach(arm, place, place.handle(False), back=0.08)
    reach(arm, place, place.handle(False))
    reach(arm, place, place.handle(False), back=0.25)
    reach(arm, place, place.handle(True), back=0.05)
    reach(arm, place, place.handle(True))
    reach(arm, place, place.handle(True), back=-0.25)


@arms
def test_the_floor_before_the_robot_is_within_reach_from_above(arm: Arm) -> None:
    spot = next(place for place in LOCATIONS if place.kind is Kind.SPOT)
    reach(arm, spot, spot.stands()[0], pitch=1.2)
    reach(arm, spot, spot.stands()[0], up=0.08, pitch=1.2)


def test_every_thing_stands_where_its_place_puts_things() -> None:
    for thing in KITCHEN.observe()["objects"]:
        assert tuple(thing["position"]) in KITCHEN.location(thing["location"]).stands()


def test_straight_lines_between_approach_poses_cross_no_furniture() -> None:
    """Furniture begins 0.3 m ahead of an approach pose; the lines stay behind every pose's own front."""
    for place in KITCHEN_WORKPLACES:
        for other in LOCATIONS:
            assert place.approach.to_local(other.approach.x, other.approach.y)[0] < 0.25
