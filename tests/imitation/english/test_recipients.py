"""Things for people by name, and for people whom nobody knows."""

import pytest

from daemon.imitation.english.recipients import given_to_people, unknown_recipient
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene as Room
from skills.scene import Scene
from tests.support.worlds import DESCRIPTION, Kitchen

PEOPLE = ({"name": "person"}, {"name": "ben", "kind": "person", "aliases": ["benjamin"]})


def seen(*people: dict[str, object]) -> Scene:
    things = {"juice": {"location": "table"}, "letter": {"held_by": "left"}}
    room = Room.from_description({"locations": [{"name": "table"}, *people], "objects": things})
    return Scene.from_observation(RehearsalRobot(room, DESCRIPTION).observe())


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Take the juice to Ben.", "give the juice to ben"),
        ("please hand this to Benjamin, he's at the desk", "give the letter to ben"),
        ("The juice for Ben and some water for me, please.", "give The juice to ben; bring me some water"),
        ("bring me the juice", "bring me the juice"),
        ("put the juice on the table", "put the juice on the table"),
    ],
)
def test_who_is_to_have_it(said: str, meant: str) -> None:
    assert given_to_people(said, seen(*PEOPLE)) == meant


def test_with_one_person_nothing_is_said_otherwise() -> None:
    assert given_to_people("take the juice to Ben", seen(PEOPLE[0])) == "take the juice to Ben"


def test_somebody_who_is_not_known_gets_nothing() -> None:
    told = "I do not know where the postman is, so I cannot bring anything there."
    assert unknown_recipient("give the juice to the postman", seen(*PEOPLE)) == told


@pytest.mark.parametrize("said", ["give the juice to me", "give the juice to Ben", "take the juice to the table", "hi"])
def test_whoever_is_known_is_no_trouble(said: str) -> None:
    assert unknown_recipient(said, seen(*PEOPLE)) == ""


def test_a_visitor_is_the_only_person_there_is() -> None:
    assert unknown_recipient("give the juice to the visitor", seen(PEOPLE[0])) == ""
    assert unknown_recipient("give the juice to the visitor", seen(*PEOPLE)) != ""


def test_a_stranger_is_never_given_what_is_for_somebody_else(kitchen: Kitchen) -> None:
    kitchen.talk("give the apple to Anna")
    assert (kitchen.where("apple"), kitchen.seen.speech) == (
        "table",
        ["I do not know where Anna is, so I cannot bring anything there."],
    )
