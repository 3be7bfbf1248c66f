"""The rules of the room: what grippers, doors and people do to things."""

import json
import math
from pathlib import Path

import pytest

from hw.state import Pose2D, TipPose
from sim.scene import FLOOR, Scene
from sim.scene_things import Thing

KITCHEN = Path(__file__).parents[2] / "sim/scenes/kitchen.toml"


@pytest.fixture
def scene() -> Scene:
    return Scene.load(KITCHEN)


def go_to(scene: Scene, location: str) -> None:
    scene.set_base(scene.location(location).approach)


def reach(scene: Scene, arm: str, point: tuple[float, float, float]) -> None:
    x, y = scene.base.to_local(point[0], point[1])
    scene.set_tip(arm, TipPose(x, y, point[2]))


def take(scene: Scene, arm: str, name: str) -> None:
    scene.set_gripper(arm, 0.09)
    reach(scene, arm, scene.thing(name).position)
    scene.set_gripper(arm, 0.0)


def pull(scene: Scene, arm: str, location: str, distance: float) -> None:
    """Grip the handle of a place the robot stands before, and pull (or push, when negative)."""
    scene.set_gripper(arm, 0.09)
    handle = scene.location(location).handle(scene.is_open(location))
    reach(scene, arm, handle)
    scene.set_gripper(arm, 0.0)
    x, y = scene.base.to_local(handle[0], handle[1])
    scene.set_tip(arm, TipPose(x - distance, y, handle[2]))
    scene.set_gripper(arm, 0.09)


def seen(scene: Scene, name: str) -> dict:
    return next(thing for thing in scene.observe()["objects"] if thing["name"] == name)


def test_a_gripper_that_closes_on_a_thing_holds_it_and_takes_it_along(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "left", "apple")
    assert seen(scene, "apple")["held_by"] == "left"
    assert seen(scene, "apple")["location"] is None
    scene.set_base(Pose2D(0.0, 0.0, 0.0))
    scene.set_tip("left", TipPose(0.4, 0.1, 1.0))
    assert scene.thing("apple").position == pytest.approx((0.4, 0.1, 1.0))


def test_the_fingers_stop_at_what_is_between_them(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "left", "apple")
    assert scene.opening("left") == scene.thing("apple").width


def test_a_gripper_that_closes_beside_a_thing_holds_nothing(scene: Scene) -> None:
    go_to(scene, "table")
    x, y, z = scene.thing("apple").position
    scene.set_gripper("left", 0.09)
    reach(scene, "left", (x, y, z + 0.07))
    scene.set_gripper("left", 0.0)
    assert scene.held("left") is None
    assert scene.opening("left") == 0.0


def test_a_closed_gripper_that_arrives_at_a_thing_holds_nothing(scene: Scene) -> None:
    go_to(scene, "table")
    reach(scene, "left", scene.thing("apple").position)
    scene.set_gripper("left", 0.0)
    assert scene.held("left") is None


@pytest.mark.parametrize("name", ["plate", "plate_2", "big plate 2"])
def test_a_plate_takes_things_though_it_has_a_number(name: str) -> None:
    assert Thing.from_description(name, {}).holds == Thing.from_description("plate", {}).holds > 0


def test_a_thing_held_by_one_arm_cannot_be_taken_by_the_other(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "left", "apple")
    take(scene, "right", "apple")
    assert seen(scene, "apple")["held_by"] == "left"


def test_what_is_let_go_over_a_surface_stands_there(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "right", "apple")
    go_to(scene, "counter")
    reach(scene, "right", tuple(surface(scene, "counter")))
    scene.set_gripper("right", 0.09)
    assert seen(scene, "apple")["location"] == "counter"
    assert scene.thing("apple").position[2] == pytest.approx(scene.location("counter").height + 0.10)


def surface(scene: Scene, name: str) -> list[float]:
    return next(place for place in scene.observe()["locations"] if place["name"] == name)["surface"]


def test_what_is_let_go_on_top_of_another_thing_comes_to_stand_beside_it(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "right", "apple")
    reach(scene, "right", scene.thing("banana").position)
    scene.set_gripper("right", 0.09)
    assert math.dist(scene.thing("apple").position, scene.thing("banana").position) >= 0.10
    assert seen(scene, "apple")["location"] == "table"


def test_what_is_let_go_near_the_person_is_handed_over(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "left", "apple")
    go_to(scene, "person")
    scene.set_tip("left", TipPose(0.5, 0.1, 0.95))
    scene.set_gripper("left", 0.09)
    assert seen(scene, "apple")["location"] == "person"


def test_who_has_a_bowl_already_is_handed_the_next_thing_and_not_into_it(scene: Scene) -> None:
    scene.place("bowl", "person")
    go_to(scene, "table")
    take(scene, "left", "apple")
    go_to(scene, "person")
    x, y, z = seen(scene, "bowl")["position"]
    scene.set_tip("left", TipPose(*scene.base.to_local(x, y), z + 0.07))
    scene.set_gripper("left", 0.09)
    assert seen(scene, "apple")["location"] == "person"


def test_what_is_let_go_over_nothing_lies_on_the_floor_with_a_pose_to_pick_it_up(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "left", "apple")
    scene.set_base(Pose2D(-0.1, -1.0, 3.14))
    scene.set_gripper("left", 0.09)
    assert seen(scene, "apple")["location"] == FLOOR
    assert seen(scene, "apple")["visible"]
    scene.set_base(Pose2D(*seen(scene, "apple")["approach"]))
    assert scene.base.to_local(*scene.thing("apple").position[:2]) == pytest.approx((0.28, 0.0))


def test_the_floor_is_a_place_to_drive_to_while_something_lies_there(scene: Scene) -> None:
    def places() -> dict[str, dict]:
        return {place["name"]: place for place in scene.observe()["locations"]}

    assert FLOOR not in places()
    go_to(scene, "table")
    take(scene, "left", "apple")
    go_to(scene, "room_center")
    scene.set_gripper("left", 0.09)
    assert places()[FLOOR]["approach"] == seen(scene, "apple")["approach"]
    assert places()[FLOOR]["surface"] is None
    scene.place("apple", "table")
    assert FLOOR not in places()


def test_a_described_place_called_floor_and_the_floor_where_things_fall_are_two_places() -> None:
    """A thing at the first is driven to there, one that fell is driven to where it lies; each has one name."""
    described = {"locations": ["room_center", "floor"], "objects": {"boot": {"location": FLOOR}, "cup": {"at": [9, 9]}}}
    scene = Scene.from_description(described | {"robot": {"location": "room_center"}})
    assert (seen(scene, "boot")["location"], seen(scene, "cup")["location"]) == (FLOOR, "bare_floor")
    for one in (scene, Scene.from_observation(scene.observe(), scene.base)):
        places = {place["name"]: place["approach"] for place in one.observe()["locations"]}
        assert list(places) == ["room_center", FLOOR, "bare_floor"]
        assert places[FLOOR] == seen(one, "boot")["approach"]
        assert places["bare_floor"] == seen(one, "cup")["approach"]
    scene.place("cup", FLOOR)
    assert [place["name"] for place in scene.observe()["locations"]] == ["room_center", FLOOR]


def test_a_closed_door_hides_and_protects_what_is_behind_it(scene: Scene) -> None:
    go_to(scene, "fridge")
    take(scene, "left", "juice")
    assert scene.held("left") is None
    assert seen(scene, "juice") | {"visible": False, "location": "fridge"} == seen(scene, "juice")


@pytest.mark.parametrize("arm", ["left", "right"])
def test_pulling_the_handle_opens_the_door_and_pushing_closes_it(scene: Scene, arm: str) -> None:
    go_to(scene, "fridge")
    pull(scene, arm, "fridge", 0.10)
    assert not scene.is_open("fridge")
    pull(scene, arm, "fridge", 0.20)
    assert scene.is_open("fridge")
    assert seen(scene, "juice")["visible"]
    take(scene, arm, "juice")
    assert seen(scene, "juice")["held_by"] == arm
    scene.set_gripper(arm, 0.09)
    pull(scene, arm, "fridge", -0.18)
    assert not scene.is_open("fridge")


def test_a_hand_without_the_handle_opens_nothing(scene: Scene) -> None:
    go_to(scene, "fridge")
    scene.set_gripper("left", 0.09)
    reach(scene, "left", scene.location("fridge").handle(False))
    scene.set_tip("left", TipPose(0.2, 0.0, 0.8))
    assert not scene.is_open("fridge")


def test_the_person_can_put_a_thing_into_an_open_gripper(scene: Scene) -> None:
    scene.place("apple", "person")
    go_to(scene, "person")
    scene.set_gripper("left", 0.09)
    scene.give("apple", "left")
    scene.set_gripper("left", 0.0)
    assert seen(scene, "apple")["held_by"] == "left"
    with pytest.raises(ValueError, match="open it first"):
        scene.give("cup", "left")


def test_a_copy_goes_its_own_way(scene: Scene) -> None:
    other = scene.copy()
    go_to(other, "table")
    take(other, "left", "apple")
    other.set_door("fridge", True)
    assert scene.held("left") is None
    assert not scene.is_open("fridge")
    assert scene.base == Pose2D()


def test_an_observation_is_json(scene: Scene) -> None:
    assert json.loads(json.dumps(scene.observe())) == scene.observe()


def test_a_scene_can_be_made_from_what_was_observed(scene: Scene) -> None:
    go_to(scene, "table")
    take(scene, "left", "apple")
    take(scene, "right", "banana")
    go_to(scene, "room_center")
    scene.set_gripper("right", 0.09)
    scene.set_door("fridge", True)
    seen_again = Scene.from_observation(scene.observe(), scene.base).observe()
    assert seen_again == scene.observe()
    assert [place["name"] for place in seen_again["locations"]].count(FLOOR) == 1


def test_the_kitchen_begins_as_the_story_needs_it(scene: Scene) -> None:
    assert {name: seen(scene, name)["location"] for name in ("juice", "milk", "cup")} == {
        "juice": "fridge",
        "milk": "fridge",
        "cup": "counter",
    }
    assert scene.base == Pose2D(0.0, 0.0, 0.0)


def test_a_dozen_things_on_one_surface_keep_apart() -> None:
    things = {f"thing_{i}": {"category": "thing", "location": "table"} for i in range(12)}
    scene = Scene.from_description({"locations": ["table"], "objects": things})
    points = [scene.thing(name).position for name in things]
    assert min(math.dist(a, b) for i, a in enumerate(points) for b in points[:i]) >= 0.10


def test_a_full_surface_says_so() -> None:
    things = {f"thing_{i}": {"location": "table"} for i in range(40)}
    with pytest.raises(ValueError, match="no room"):
        Scene.from_description({"locations": ["table"], "objects": things})


def test_a_world_of_names_gets_room_to_drive() -> None:
    names = [f"place_{i}" for i in range(9)] + ["person"]
    scene = Scene.from_description({"locations": names})
    poses = [scene.location(name).approach for name in names]
    assert min(math.dist((a.x, a.y), (b.x, b.y)) for i, a in enumerate(poses) for b in poses[:i]) >= 1.0
    assert scene.observe()["locations"][-1]["kind"] == "person"


def test_a_world_can_begin_with_full_hands_and_open_drawers() -> None:
    scene = Scene.from_description(
        {
            "locations": [{"name": "drawer", "door": "open"}, {"name": "box", "kind": "container"}, "table"],
            "objects": {
                "knife": {"category": "tool", "location": "drawer", "state": {"clean": False}},
                "plate": {"category": "dishes", "held_by": "right"},
            },
            "robot": {"location": "table"},
        }
    )
    assert scene.is_open("drawer")
    assert scene.is_open("box")
    assert seen(scene, "knife")["visible"]
    assert seen(scene, "knife")["state"] == {"clean": False}
    assert scene.held("right") == scene.thing("plate")
    assert scene.base == scene.location("table").approach


@pytest.mark.parametrize(
    ("description", "says"),
    [
        ({"locations": ["table"], "objects": {"cup": {"location": "tabel"}}}, "did you mean 'table'"),
        ({"locations": [{"name": "fridge", "dor": "open"}]}, "known are"),
        ({"locations": [{"name": "fridge", "door": "ajar"}]}, "must be"),
        ({"locations": ["table"], "objects": {"cup": {"place": "table"}}}, "known are"),
    ],
)
def test_a_wrong_description_says_what_is_wrong(description: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Scene.from_description(description)
