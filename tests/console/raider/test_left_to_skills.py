"""What the robot asks before it moves is what its skills do not put right by themselves."""

import pytest

from daemon.console.raider.left_to_skills import CHECKED_AS, DONE_BY, robots_questions
from daemon.console.raider.precondition_questions import QUESTIONS, Question, hand_is_free, has_room, is_in_reach
from skills.needs import Needs, Precondition
from skills.skill import load_skills


def conditions(skill: str) -> tuple[Precondition, ...]:
    needs = load_skills()[skill].needs
    assert isinstance(needs, Needs)
    return needs.conditions


def every_condition() -> list[Precondition]:
    return [condition for skill, _ in DONE_BY.values() for condition in conditions(skill)]


@pytest.mark.parametrize(("question", "names"), CHECKED_AS.items())
def test_a_question_is_left_to_skills_only_where_one_checks_the_same(question: Question, names: frozenset[str]) -> None:
    assert names <= {condition.name for condition in every_condition()}


@pytest.mark.parametrize("action", DONE_BY)
def test_reach_and_hands_are_left_to_the_skill_that_ends_each_order(action: str) -> None:
    assert is_in_reach in QUESTIONS[action]
    assert not {is_in_reach, hand_is_free} & set(robots_questions()[action])


def test_what_a_skill_refuses_and_the_robot_does_not_put_right_is_asked() -> None:
    assert any(condition.name == "room for it" and not condition.by_robot for condition in conditions("place"))
    assert has_room in robots_questions()["place"]


def test_what_nothing_changes_the_robot_does_not_put_right() -> None:
    assert not [condition.name for condition in every_condition() if condition.lasting and condition.by_robot]


def test_a_door_that_is_pulled_has_preconditions_of_its_own_names() -> None:
    assert [condition.name for condition in conditions("open_door")] == [
        "has an arm",
        "has a door",
        "at the place",
        "hand free",
    ]
