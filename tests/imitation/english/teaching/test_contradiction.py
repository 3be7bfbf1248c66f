"""A lesson is never learned as its opposite."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.support.rehearsed import DESCRIPTION
from daemon.console.learning.no_lesson import NoLesson, Unclear
from daemon.imitation.english.polarity import denied
from daemon.imitation.english.teaching.contradiction import contradicts
from daemon.imitation.english.teaching.lesson_reader import lessons_in
from daemon.memory.effects import Also, Belongs, Choice, Effect, Meaning, Target
from daemon.memory.prohibitions import KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.memory.rules import Scope
from daemon.names import spoken
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene as Simulated
from skills.scene import Scene

STRANGERS = sorted((Path(__file__).parents[4] / "tests" / "bench" / "data" / "seen").glob("prohibitions*.json"))
NAMES = ["tea", "milk", "cup", "spoon", "peanuts", "crackers", "oil", "table", "shelf", "snack", "drink"]
SNACK = Scope(object_class="snack")


@pytest.mark.parametrize(
    "said",
    [
        "never the peanuts",
        "anything but the peanuts",
        "I take the crackers instead of the peanuts",
        "she is allergic to peanuts",
        "the peanuts are off limits",
        "hands off the peanuts",
        "the peanuts never",
        "please leave out the peanuts",
        "the peanuts, that one no",
        "peanuts on the table, that must never happen again",
        "I would rather have the crackers than the peanuts",
        "not the peanuts, the crackers",
    ],
)
def test_what_is_said_no_to_is_denied(said: str) -> None:
    assert denied(said, NAMES)[:1] == ["peanuts"]


@pytest.mark.parametrize(
    "said",
    [
        "never the tea without the cup",
        "don't forget the cup",
        "you did not bring the cup",
        "there was no cup with the tea",
        "no, the cup",
        "bring the cup without being asked",
        "no cup? bring one",
        "the cup, and nothing else",
    ],
)
def test_what_is_wanted_after_all_is_not_denied(said: str) -> None:
    assert "cup" not in denied(said, NAMES)


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (Choice("snack", "peanuts"), "if I ask for a snack for room five never take the peanuts"),
        (
            Choice("drink", "milk"),
            "my daughter is allergic to milk, so when I ask for a drink it must never be the milk",
        ),
        (Also(SNACK, "peanuts"), "when I ask for a snack, please leave out the peanuts"),
        (
            Also(SNACK, "peanuts", example="peanuts"),
            "when I ask for a snack bring the peanuts, no, leave those, bring the crackers",
        ),
        (Belongs("oil", "shelf"), "so oil on the shelf, that must never happen again"),
        (Target(SNACK, "table"), "when I ask for a snack, anywhere but the table"),
        (
            Meaning("supper", "really, would you have her climb the walls"),
            "I mean really, would you have her climb the walls",
        ),
        (Never("cup"), "never ever come without the cup"),
        (OnlyWhenAsked("milk"), "no milk unless it is the small one"),
    ],
)
def test_the_opposite_is_seen(effect: Effect, said: str) -> None:
    assert contradicts(effect, said, NAMES)


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (Also(Scope(object="tea"), "cup"), "never bring the tea without the cup"),
        (Never("oil"), "never bring me the oil, even if I ask"),
        (OnlyWhenAsked("milk"), "no milk unless I ask for it"),
        (Choice("snack", "crackers"), "when I ask for a snack, the crackers, never the peanuts"),
    ],
)
def test_what_was_said_is_no_opposite(effect: Effect, said: str) -> None:
    assert not contradicts(effect, said, NAMES)


def seen(world: Mapping[str, Any]) -> Scene:
    return Scene.from_observation(RehearsalRobot(Simulated.from_description(world), DESCRIPTION).observe())


def cases() -> list[dict[str, Any]]:
    return [case for file in STRANGERS for case in json.loads(file.read_text(encoding="utf-8"))["cases"]]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_no_lesson_of_a_stranger_is_read_as_its_opposite(case: Mapping[str, Any]) -> None:
    try:
        taught = lessons_in(case["lesson"], seen(case["world"]))
    except (NoLesson, Unclear):
        return
    for lesson in taught:
        forbidding = "never" in lesson.effect.sentence or "only when you ask" in lesson.effect.sentence
        assert forbidding or not any(spoken(name) in lesson.effect.sentence for name in case["forbidden"])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("japanese saw you never touch, my grandfather gave me this", Untouched(Scope(object="saw"))),
        ("hands off the saw", Untouched(Scope(object="saw"))),
        ("the saw is not to be moved, ever", Untouched(Scope(object="saw"))),
        ("nobody touches my saw", Untouched(Scope(object="saw"))),
        ("the milk does me no good. don't ever bring me the milk. even if i ask", Never("milk")),
        ("the saw never goes on the table, it scratches", KeptOff(Scope(object="saw"), "table")),
    ],
)
def test_a_prohibition_is_never_kept_looser_than_it_was_said(said: str, kept: Effect) -> None:
    assert [lesson.effect for lesson in lessons_in(said, workshop())] == [kept]


@pytest.mark.parametrize(
    "said",
    [
        "never take the milk to clara, she is two",
        "my niece is a darling but she spills, so please never give clara the milk",
        "clara must never get the milk",
    ],
)
def test_what_a_person_is_never_to_get_is_forbidden_for_this_person(said: str) -> None:
    (lesson,) = lessons_in(said, workshop())
    assert (lesson.effect, lesson.person) == (Never("milk"), "clara")


def test_where_several_things_are_said_no_to_in_an_unknown_form_nothing_is_offered() -> None:
    assert lessons_in("never the saw, never the milk, ever", workshop()) == []


def workshop() -> Scene:
    places = ["hall", {"name": "table"}, {"name": "person", "kind": "person"}, {"name": "clara", "kind": "person"}]
    things = {"japanese_saw": "tool", "milk": "drink"}
    seen = {name: {"category": kind, "location": "table"} for name, kind in things.items()}
    world = {"robot": {"location": "hall"}, "locations": places, "objects": seen}
    return Scene.from_observation(RehearsalRobot(Simulated.from_description(world), DESCRIPTION).observe())


def test_a_prohibition_that_says_nothing_of_asking_holds_whoever_asks() -> None:
    things = {"banana": {"category": "fruit", "location": "table"}, "tea": {"location": "table"}}
    scene = seen({"locations": ["hall", {"name": "table"}, {"name": "person", "kind": "person"}], "objects": things})
    assert [lesson.effect for lesson in lessons_in("no more bananas for me from now on", scene)] == [Never("banana")]
    assert [lesson.effect for lesson in lessons_in("no more bananas with the tea", scene)] == [OnlyWhenAsked("banana")]


@pytest.mark.parametrize(
    "rest",
    [
        "exclude the juice",
        "the juice is the enemy",
        "you keep your hands to yourself about the juice",
        "i'm so over the juice",
    ],
)
def test_a_choice_with_a_word_that_nobody_read_is_asked_about(rest: str) -> None:
    drinks = {name: {"category": "drink", "location": "table"} for name in ("juice", "tea")}
    scene = seen({"locations": ["hall", {"name": "table"}, {"name": "person", "kind": "person"}], "objects": drinks})
    with pytest.raises(Unclear):
        lessons_in(f"whenever I ask for a drink {rest}", scene)
    assert [lesson.effect.sentence for lesson in lessons_in("whenever I ask for a drink take the juice", scene)] == [
        "Where any drink will do, I take the juice."
    ]
