"""What a scene shows of the robot and of people is what the tools are told."""

import math

from daemon.console.raider.surroundings import Human, of_scene
from daemon.console.raider.tools import dist_to_target, free_hands, reach, recognize_humans
from skills.scene import Location, Scene, Thing

CUP = Thing("cup", "dishes", "", (0.0, 0.0, 0.8), held_by="left")


def person(name: str, **state: object) -> Location:
    return Location(name, "person", (0.0, 0.0, 0.0), state=state)


def test_a_robot_with_one_hand_has_none_free_while_it_holds_something() -> None:
    assert free_hands(of_scene(Scene((CUP,), (), hands=("left",)))) == 0
    assert free_hands(of_scene(Scene((CUP,), ()))) == 1


def test_a_person_is_what_perception_tells_of_them() -> None:
    around = of_scene(Scene((), (person("anna", known=False, looking=False, hands_free=False),)))
    assert around.humans == (Human("anna", 0.0, known=False, looking=False, hands_free=False),)
    assert recognize_humans(around) == []


def test_what_perception_does_not_tell_of_a_person_speaks_against_nothing() -> None:
    assert of_scene(Scene((), (person("anna", known=None),))).humans == (Human("anna", 0.0),)


def test_a_person_who_has_left_is_not_around() -> None:
    assert of_scene(Scene((), (person("anna", present=False),))).humans == ()


def test_distances_are_measured_from_where_the_robot_stands() -> None:
    far = Thing("jug", "dishes", "table", (3.0, 4.0, 0.8))
    assert dist_to_target(of_scene(Scene((far,), ())), "jug") == 5.0
    assert dist_to_target(of_scene(Scene((far,), ()), standing=(3.0, 3.5)), "jug") == 0.5
    assert dist_to_target(of_scene(Scene((CUP,), ()), standing=(3.0, 3.5)), "cup") == 0.0


def test_a_robot_that_drives_reaches_all_and_another_as_far_as_its_hand() -> None:
    assert reach(of_scene(Scene((), ()), reach=0.4)) == math.inf
    assert reach(of_scene(Scene((), (), drives=False), reach=0.4)) == 0.4
