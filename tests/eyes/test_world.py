"""What is present, what is remembered, what the hands hold: from sightings and from what the fingers measure."""

import math
from datetime import UTC, datetime

import pytest

from daemon.eyes.messages import Leaf, Objects, People, Places, Seen, SeenPlace
from daemon.eyes.world import World
from daemon.memory.place_book import LastSeen, Place
from hw.state import ArmState, Pose2D, RobotState, TipPose
from skills.scene import Scene

NOW = 1_800_000_000.0
SINK = Place("sink", "surface", 2.0, 1.0, math.pi / 2, 0.9)
DOOR = Place("door", "spot", 0.0, 3.0, 0.0)
ON_THE_SINK = (2.1, 1.5, 0.95)


START = Pose2D()


def body(base: Pose2D = START, tip: TipPose | None = None, opening: float = 0.0, effort: float = 0.0) -> RobotState:
    arm = ArmState((0.0,) * 6, tip or TipPose(0.4, 0.2, 0.9), opening, effort)
    return RobotState({"left": arm, "right": ArmState((0.0,) * 6, TipPose(0.4, -0.2, 0.9), 0.0)}, base)


def seen(at: float, frame: str = "map", **things: tuple[float, float, float]) -> Objects:
    return Objects(at, frame, "tag", tuple(Seen(name, "thing", point) for name, point in things.items()))


def scene(world: World, now: float, state: RobotState | None = None) -> Scene:
    return Scene.from_observation(world.observe(now, state or body(), [SINK, DOOR]))


def test_what_is_seen_is_present_for_a_second_and_then_remembered() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK), Pose2D())
    juice = scene(world, NOW + 0.5).object("juice")
    assert (juice.location, juice.present, juice.source) == ("sink", True, "tag")
    later = scene(world, NOW + 600).object("juice")
    assert (later.location, later.present, later.age) == ("sink", False, pytest.approx(600))


def test_the_robots_frame_is_turned_into_the_maps() -> None:
    world = World()
    world.see(seen(NOW, "robot", juice=(0.5, -0.1, 0.95)), Pose2D(2.0, 1.0, math.pi / 2))
    assert scene(world, NOW).object("juice").position == pytest.approx((2.1, 1.5, 0.95))


def test_what_was_seen_from_a_base_that_turns_out_to_stand_elsewhere_moves_along_with_it() -> None:
    world, thought, right = World(), Pose2D(2.0, 1.0, math.pi / 2), Pose2D(2.08, 0.94, math.pi / 2 + 0.05)
    world.see(seen(NOW - 60, "robot", cup=(0.5, 0.0, 0.95)), Pose2D())
    world.see(seen(NOW, "robot", juice=(0.5, -0.1, 0.95)), thought)
    world.see(seen(NOW, "map", milk=ON_THE_SINK), thought)
    world.correct(thought, right, since=NOW - 5)
    known = scene(world, NOW)
    assert right.to_local(*known.object("juice").position[:2]) == pytest.approx((0.5, -0.1))
    assert known.object("cup").position == pytest.approx((0.5, 0.0, 0.95))
    assert known.object("milk").position == ON_THE_SINK


def test_there_may_be_things_that_nobody_has_seen_yet() -> None:
    assert scene(World(), NOW).partial


def test_the_only_person_is_whoever_speaks_and_of_two_nobody_knows() -> None:
    ada, ben = Place("ada", "person", -1.0, 0.0, math.pi), Place("ben", "person", 1.0, 0.0, 0.0)
    alone = Scene.from_observation(World().observe(NOW, body(), [SINK, ada]))
    assert alone.location("person").name == alone.location("me").name == "ada"
    both = Scene.from_observation(World().observe(NOW, body(), [SINK, ada, ben]))
    assert [place.aliases for place in both.locations] == [(), (), ()]


def test_an_older_picture_changes_nothing() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK), Pose2D())
    world.see(seen(NOW - 0.4, juice=(9.0, 9.0, 0.9)), Pose2D())
    assert scene(world, NOW).object("juice").position == ON_THE_SINK


def test_where_no_place_is_there_is_a_spot_before_the_thing() -> None:
    world = World()
    world.see(seen(NOW, box=(5.0, 0.0, 0.4)), Pose2D())
    found = scene(world, NOW)
    assert found.object("box").location == "near_box"
    assert found.location("near_box").approach == pytest.approx((4.5, 0.0, 0.0))


def test_what_is_far_above_a_table_does_not_stand_on_it() -> None:
    world = World()
    world.see(seen(NOW, lamp=(2.0, 1.5, 1.8)), Pose2D())
    assert scene(world, NOW).object("lamp").location == "near_lamp"


def test_things_are_put_where_nothing_stands() -> None:
    world = World()
    before = scene(world, NOW).location("sink").surface
    assert before == pytest.approx((2.0, 1.5, 0.9))
    world.see(seen(NOW, juice=(2.0, 1.5, 0.95)), Pose2D())
    after = scene(world, NOW).location("sink").surface
    assert after is not None
    assert math.dist(after[:2], (2.0, 1.5)) > 0.15


def test_held_is_what_the_gripper_says() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK, milk=(2.5, 1.5, 0.95)), Pose2D())
    stands = Pose2D(2.0, 1.0, math.pi / 2)
    world.grip("left", (2.1, 1.5, 0.95), 0.0)
    holds = body(stands, TipPose(0.4, 0.2, 1.1), opening=0.05, effort=0.3)
    held = scene(world, NOW + 20, holds)
    assert held.in_hand("left") == held.object("juice")
    assert held.object("juice").present
    assert held.object("juice").position == pytest.approx((1.8, 1.4, 1.1))
    assert held.in_hand("right") is None
    world.see(seen(NOW + 21, juice=ON_THE_SINK), Pose2D())  # a mistake of the eyes: it is in the hand
    assert scene(world, NOW + 21, holds).in_hand("left") is not None


def test_fingers_that_close_on_nothing_hold_nothing() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK), Pose2D())
    world.grip("left", (2.1, 1.5, 0.95), 0.0)
    assert scene(world, NOW, body(opening=0.0, effort=0.3)).in_hand("left") is None
    world.grip("right", (0.0, 0.0, 1.0), 0.0)  # far from anything that is known
    assert scene(world, NOW, body(opening=0.05, effort=0.3)).in_hand("right") is None


def test_fingers_that_open_above_a_thing_do_not_hold_it() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK), Pose2D())
    world.grip("left", ON_THE_SINK, 0.08)
    opening = scene(world, NOW + 0.1, body(opening=0.05, effort=0.6))
    assert opening.in_hand("left") is None
    assert opening.object("juice").source == "tag"


def test_a_thing_that_the_fingers_missed_is_where_it_was_seen_and_as_old() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK), Pose2D())
    world.grip("left", (2.1, 1.5, 0.99), 0.0)
    scene(world, NOW + 0.1, body(opening=0.05, effort=0.3))  # still closing
    juice = scene(world, NOW + 9, body(opening=0.0, effort=0.3)).object("juice")
    assert (juice.held_by, juice.position, juice.present) == (None, ON_THE_SINK, False)


def test_what_the_fingers_let_go_lies_where_they_opened() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK), Pose2D())
    world.grip("left", ON_THE_SINK, 0.0)
    scene(world, NOW + 1, body(opening=0.05, effort=0.3))
    world.grip("left", (2.3, 1.5, 0.92), 0.08)
    juice = scene(world, NOW + 9, body(opening=0.08, effort=0.0)).object("juice")
    assert (juice.held_by, juice.position, juice.location) == (None, (2.3, 1.5, 0.92), "sink")


def test_people_doors_and_what_is_gone() -> None:
    world = World()
    world.see(People(NOW, "map", "face", (Seen("ada", "ada", (3.0, 0.0, 1.5)),)), Pose2D())
    world.set_door("sink", False)
    world.see(seen(NOW, juice=ON_THE_SINK), Pose2D())
    world.lose("juice")
    found = scene(world, NOW)
    assert (found.location("ada").kind, found.location("ada").approach[0]) == ("person", pytest.approx(2.3))
    assert found.location("sink").door == "closed"
    assert found.objects == ()


def test_what_was_seen_before_the_start_is_remembered_and_not_present() -> None:
    before = LastSeen("juice", "drink", *ON_THE_SINK, datetime.fromtimestamp(NOW - 3600, UTC), "tag")
    juice = scene(World([before]), NOW).object("juice")
    assert (juice.present, juice.location, round(juice.age)) == (False, "sink", 3600)


def test_a_robot_that_does_not_drive_has_somebody_before_it() -> None:
    state = body()
    assert Scene.from_observation(World(drives=False).observe(NOW, state, [])).person() is not None
    assert Scene.from_observation(World().observe(NOW, state, [])).person() is None
    known = World(drives=False)
    known.see(People(NOW, "map", "camera", (Seen("ada", "person", (0.8, 0.0, 1.5)),)), Pose2D())
    assert [place.name for place in Scene.from_observation(known.observe(NOW, state, [])).locations] == ["ada"]


def test_a_place_is_where_its_tag_is_and_stood_at_before_its_front() -> None:
    world = World()
    world.see_places(Places(NOW, "robot", (SeenPlace("tray", "surface", (0.8, 0.1, 0.7), math.pi),)), START)
    tray = scene(world, NOW).location("tray")
    assert tray.approach == pytest.approx((0.3, 0.1, 0.0))
    assert tray.surface == pytest.approx((0.8, 0.1, 0.7))


def test_a_place_that_is_seen_goes_before_the_same_that_was_taught_and_is_kept_once() -> None:
    world = World()
    world.see_places(Places(NOW, "map", (SeenPlace("sink", "surface", (4.0, 0.0, 0.9), math.pi),)), START)
    assert scene(world, NOW).location("sink").surface == pytest.approx((4.0, 0.0, 0.9))
    [kept] = world.new_places([SINK])
    assert world.new_places([kept]) == []


def test_what_is_put_down_stays_as_far_above_as_it_was_taken() -> None:
    world = World()
    world.see(seen(NOW, juice=ON_THE_SINK), START)  # five centimetres above the sink
    world.grip("left", ON_THE_SINK, 0.0)
    holds = body(opening=0.05, effort=0.3)
    assert scene(world, NOW, holds).in_hand("left") is not None
    assert scene(world, NOW, holds).location("sink").surface == pytest.approx((2.0, 1.5, 0.95))
    told = World()
    told.see(Objects(NOW, "map", "tag", (Seen("juice", "drink", (5.0, 5.0, 1.0), grip=0.12),)), START)
    told.grip("left", (5.0, 5.0, 1.0), 0.0)
    scene(told, NOW, holds)
    assert scene(told, NOW, holds).location("sink").surface == pytest.approx((2.0, 1.5, 1.02))


def test_a_leaf_that_is_away_from_where_it_closes_is_an_open_door_with_a_handle() -> None:
    world = World()
    for moved, door in ((0.02, "closed"), (0.3, "open")):
        world.see_leaf(Leaf(NOW, "robot", "sink", (1.0 + moved, 0.0, 0.8), (1.0, 0.0, 0.8), (1.0, 0.2, 0.8)), START)
        sink = scene(world, NOW).location("sink")
        assert (sink.door, sink.handle) == (door, (1.0, 0.2, 0.8))


def test_on_a_table_a_thing_belongs_to_a_place_only_where_it_stands_on_it() -> None:
    world = World(drives=False)
    world.see_places(Places(NOW, "robot", (SeenPlace("tray", "surface", (0.25, 0.1, 0.0), math.pi),)), START)
    world.see(seen(NOW, cube=(0.27, 0.08, 0.03), pen=(0.25, -0.10, 0.03)), START)
    found = Scene.from_observation(world.observe(NOW, body(), []))
    assert (found.object("cube").location, found.object("pen").location) == ("tray", "near_pen")
