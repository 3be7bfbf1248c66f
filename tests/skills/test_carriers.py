"""Things that are put into a bowl or onto a plate: there they lie, travel with it, and are taken out again."""

import pytest

from tests.skills.test_preconditions import Room


@pytest.fixture
def room() -> Room:
    return Room(bowl={"location": "table"}, tray={"location": "shelf"}, chair={"at": [-3.0, -3.0], "radius": 0.3})


def where(room: Room, name: str) -> str | None:
    return room.robot.scene.thing(name).location


def put(room: Room, name: str, target: str) -> None:
    room.do("grasp", name)
    assert room.do("place", name, target) == "success"


def test_a_thing_is_put_into_a_bowl_and_lies_there(room: Room) -> None:
    put(room, "apple", "bowl")
    assert where(room, "apple") == "bowl"
    assert ("apple", "thing", "bowl") in room.do("list_objects")


def test_what_lies_in_a_bowl_travels_with_it(room: Room) -> None:
    put(room, "apple", "bowl")
    put(room, "banana", "bowl")
    offset = [a - b for a, b in zip(at(room, "banana"), at(room, "bowl"), strict=True)]
    room.do("grasp", "bowl")
    room.do("move_to", "shelf")
    assert [a - b for a, b in zip(at(room, "banana"), at(room, "bowl"), strict=True)] == pytest.approx(offset)
    room.do("place", "bowl", "shelf")
    assert [where(room, name) for name in ("bowl", "apple", "banana")] == ["shelf", "bowl", "bowl"]
    room.do("grasp", "apple")
    room.do("place", "apple", "shelf")
    assert where(room, "apple") == "shelf"


def at(room: Room, name: str) -> tuple[float, float, float]:
    return room.robot.scene.thing(name).position


def test_a_bowl_on_a_tray_carries_its_apple_along(room: Room) -> None:
    put(room, "apple", "bowl")
    room.do("grasp", "bowl")
    room.do("move_to", "shelf")
    room.do("place", "bowl", "tray")
    room.do("grasp", "tray")
    room.do("move_to", "table")
    room.do("place", "tray", "table")
    assert [where(room, name) for name in ("tray", "bowl", "apple")] == ["table", "tray", "bowl"]
    room.do("grasp", "apple")
    assert room.robot.scene.thing("apple").held_by


def test_a_full_bowl_says_so_and_how_to_make_room(room: Room) -> None:
    put(room, "apple", "saucer")
    room.do("grasp", "banana")
    assert room.refusal("place", "banana", "saucer") == "saucer is full: it holds apple. Hint: grasp('apple')"


def test_nothing_is_put_into_what_a_hand_holds_nor_taken_out_of_it(room: Room) -> None:
    put(room, "apple", "bowl")
    room.do("grasp", "bowl")
    assert room.refusal("grasp", "apple") == "apple is in bowl, in the left hand. Hint: place('bowl', 'table')"
    room.do("grasp", "banana")
    assert room.refusal("place", "banana", "bowl") == "bowl is in the left hand. Hint: place('bowl', 'table')"


def test_the_bowl_must_be_where_the_robot_is(room: Room) -> None:
    room.do("grasp", "apple")
    assert room.refusal("place", "apple", "tray") == "the robot is not at shelf. Hint: move_to('shelf')"


def test_the_floor_catches_what_is_let_go_beside_a_bowl(room: Room) -> None:
    put(room, "apple", "table")
    assert where(room, "apple") == "table"
