"""What the robot asks before it moves stands beside its skills' preconditions, and repeats none of them."""

import pytest

from daemon.console.raider.precondition_questions import DONE_BY, QUESTIONS, has_room
from skills.needs import Needs, Precondition
from skills.skill import load_skills


def conditions(skill: str) -> tuple[Precondition, ...]:
    needs = load_skills()[skill].needs
    assert isinstance(needs, Needs)
    return needs.conditions


def test_every_order_that_is_asked_about_ends_in_a_skill() -> None:
    assert DONE_BY.keys() == QUESTIONS.keys()


@pytest.mark.parametrize("action", DONE_BY)
def test_the_order_is_done_by_a_skill_with_these_parameters(action: str) -> None:
    skill, parameters = DONE_BY[action]
    assert tuple(parameter.name for parameter in load_skills()[skill].parameters)[: len(parameters)] == parameters


def test_what_a_skill_refuses_and_the_robot_does_not_put_right_is_asked() -> None:
    assert any(condition.name == "room for it" and not condition.by_robot for condition in conditions("place"))
    assert has_room in QUESTIONS["place"]


def test_what_nothing_changes_the_robot_does_not_put_right() -> None:
    every = [condition for skill, _ in DONE_BY.values() for condition in conditions(skill)]
    assert not [condition.name for condition in every if condition.lasting and condition.by_robot]


def test_a_door_that_is_pulled_has_preconditions_of_its_own_names() -> None:
    assert [condition.name for condition in conditions("open_door")] == [
        "has an arm",
        "has a door",
        "at the place",
        "hand free",
    ]
