"""What a scene shows of the robot and of people is what the tools are told."""

from daemon.console.raider.surroundings import Human, of_scene
from daemon.console.raider.tools import free_hands, recognize_humans
from skills.scene import Location, Scene, Thing

CUP = Thing("cup", "dishes", "", (0.0, 0.0, 0.8), held_by="left")


def person(name: str, **state: object) -> Location:
    return Location(name, "person", (0.0, 0.0, 0.0), state=state)


def test_a_robot_with_one_hand_has_none_free_while_it_holds_something() -> None:
    assert free_hands(of_scene(Scene((CUP,), (), hands=("left",)))) == 0
    assert free_hands(of_scene(Scene((CUP,), ()))) == 1


def test_a_person_is_what_perception_tells_of_them() -> None:
    around = of_scene(Scene((), (person("anna", known=False, looking=False, hands_free=False),)))
    assert around.humans == (Human("anna", known=False, looking=False, hands_free=False),)
    assert recognize_humans(around) == []


def test_what_perception_does_not_tell_of_a_person_speaks_against_nothing() -> None:
    assert of_scene(Scene((), (person("anna", known=None),))).humans == (Human("anna"),)


def test_a_person_who_has_left_is_not_around() -> None:
    assert of_scene(Scene((), (person("anna", present=False),))).humans == ()
