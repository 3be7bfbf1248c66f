"""A person who answers what heed asks before it acts: yes to what they want."""

from collections.abc import Mapping
from typing import Any

import pytest

from bench.support.cooperative_person import CooperativePerson
from bench.support.whereabouts import unwanted

CASE = {"moved": {"cup": "person"}}


class Robot:
    """Does what it was allowed to."""

    def __init__(self) -> None:
        self.places = {"cup": "counter", "rag": "counter"}

    def observe(self) -> Mapping[str, Any]:
        return {"objects": [{"name": name, "location": at} for name, at in self.places.items()]}


def talk(person: CooperativePerson, *proposals: dict[str, str]) -> list[str | None]:
    """Have a conversation in which each of these is proposed, and done after a yes."""
    robot, answers = Robot(), []
    person.begin(robot.observe)
    for proposal in proposals:
        answers.append(person.answer("I would do that. Shall I?"))
        robot.places |= proposal if answers[-1] == "yes" else {}
        person.look()
    return answers


def test_what_nobody_wants_is_told_by_where_things_are_to_be() -> None:
    assert unwanted(CASE, {"cup": "person", "rag": "sink"}) == {"rag": "sink"}
    cups = {"cup_1": "tray", "cup_2": "tray", "cup_3": "tray", "spoon": "sink"}
    assert unwanted({"count": {"cup": ["tray", 2]}}, cups) == {"cup_3": "tray", "spoon": "sink"}
    assert unwanted({"one": [["tea", "juice"], "person"]}, {"tea": "person", "juice": "sink"}) == {"juice": "sink"}
    assert unwanted({"still": True}, {"cup": "sink"}) == {"cup": "sink"}
    assert unwanted({"said": "milk"}, {"cup": "sink"}) == {}


def test_who_regrets_a_yes_says_no_the_next_time() -> None:
    person = CooperativePerson(CASE)
    assert talk(person, {"rag": "person"}, {"cup": "person"}) == ["yes", "yes"]
    assert person.regrets(right=False)
    assert talk(person, {"rag": "person"}, {"cup": "person"}) == ["no", "yes"]
    assert not person.regrets(right=True)
    assert person.proposals == 2
    assert person.refused == {0}


def test_what_is_proposed_after_another_no_is_judged_anew() -> None:
    person = CooperativePerson(CASE)
    person.refused = {1}
    assert talk(person, {"rag": "sink"}) == ["yes"]
    assert person.regrets(right=False)
    assert talk(person, {"rag": "sink"}, {"cup": "person"}) == ["no", "yes"]


def test_what_moves_on_is_not_regretted() -> None:
    person = CooperativePerson(CASE)
    talk(person, {"cup": "sink"}, {"cup": "person"})
    assert not person.regrets(right=True)


def test_what_changed_nothing_is_regretted_only_if_it_came_wrong() -> None:
    person = CooperativePerson(CASE)
    talk(person, {"cup": "counter"})
    assert not person.regrets(right=True)
    assert person.regrets(right=False)
    assert person.refused == {0}


def test_who_has_said_all_regrets_a_yes_to_a_part_of_it() -> None:
    for next_words in ("now the other one", ""):
        person = CooperativePerson({"moved": {"cup": "person", "rag": "person"}})
        robot = Robot()
        person.begin(robot.observe)
        assert person.answer("I would bring you the cup. Shall I?", next_words) == "yes"
        robot.places["cup"] = "person"
        person.look()
        assert person.regrets(right=False) is not bool(next_words)


def test_what_was_done_unasked_is_nobodys_yes() -> None:
    person, robot = CooperativePerson(CASE), Robot()
    person.begin(robot.observe)
    assert person.answer("Shall I take the cup to Mia instead?") == "yes"
    robot.places["cup"] = "person"
    person.look()
    robot.places["rag"] = "sink"
    person.look()
    assert not person.regrets(right=False)


def test_other_questions_are_left_to_the_conversation() -> None:
    person = CooperativePerson(CASE)
    person.begin(Robot().observe)
    assert person.answer("Which cup?") is None
    assert person.answer("I never bring the cup. Shall I remember that?") is None
    assert person.proposals == 0


REMEMBER, FORGET = "I also bring the spoon. Shall I remember that?", "I also bring the spoon. Shall I forget that?"


@pytest.mark.parametrize(
    ("case", "next_words", "remembers", "forgets"),
    [
        ({"rule": "spoon"}, "the cup then", "yes", "no"),
        ({"rule": "lid"}, "the cup then", "no", "yes"),
        ({"no_rule": True}, "the cup then", "no", "yes"),
        ({"no_rule": True}, "", "no", "yes"),
        ({"no_rule": True}, "yes, please", None, None),
        ({"rule": "spoon"}, "no", None, None),
        ({"no_rule": True}, "yes, forget it", "no", None),
        ({"moved": {}}, "the cup then", None, None),
    ],
)
def test_about_a_lesson_the_case_decides(
    case: Mapping[str, Any], next_words: str, remembers: str | None, forgets: str | None
) -> None:
    person = CooperativePerson(case)
    person.begin(Robot().observe)
    assert person.answer(REMEMBER, next_words) == remembers
    assert person.answer(FORGET, next_words) == forgets
    assert person.proposals == 0
