"""What kind of doing a clause asks for, and that nothing moves which was not asked for."""

import pytest

from daemon.imitation.english.intents import fits, intents
from daemon.transcript import Step
from tests.support.worlds import Kitchen

MOVING = (Step("move_to('sink')"),)
TALKING = (Step("say('yes')"),)


@pytest.mark.parametrize(
    ("text", "deeds"),
    [
        ("fetch the object", {"bring"}),
        ("throw the object away", {"throw away"}),
        ("put the object down", {"put", "put down"}),
        ("some juice", set()),
        ("the object", set()),
        ("i am thirsty", set()),
        ("what about the object", set()),
        ("which object is that", {"what?"}),
        ("tell me where the object is", {"where?"}),
        ("is the place open", {"whether?", "where?"}),
        ("help me clean the place", {"clean"}),
        ("how would you open the place", {"open"}),
        ("leave the place open", {"open", "put"}),
        ("place it on the object", {"put"}),
        ("juggle the object", {"?juggle"}),
    ],
)
def test_a_clause_asks_for_what_its_first_words_say(text: str, deeds: set[str]) -> None:
    assert intents(text, text) == deeds


def test_what_stands_for_a_thing_may_still_be_a_question() -> None:
    assert intents("which drinks do you have", "the object do you have") == {"what?"}


@pytest.mark.parametrize(
    ("asked", "shown", "similarity", "right"),
    [
        ("bring", "bring", 0.5, True),
        ("open", "close", 0.99, False),
        ("?juggle", "bring", 0.7, False),
        ("?juggle", "bring", 0.9, True),
        ("?juggle", "?juggle", 0.5, True),
        ("where?", "bring", 0.99, False),
    ],
)
def test_what_moves_must_be_asked_for_by_its_verb(asked: str, shown: str, similarity: float, right: bool) -> None:
    assert fits(frozenset([asked]), frozenset([shown]), MOVING, similarity) is right


def test_a_wish_asks_to_bring() -> None:
    assert fits(frozenset(["bring"]), frozenset(), MOVING, 0.5)
    assert not fits(frozenset(["open"]), frozenset(), MOVING, 0.5)


def test_a_command_is_not_answered_like_a_question() -> None:
    assert not fits(frozenset(["put"]), frozenset(["where?"]), TALKING, 0.9)
    assert fits(frozenset(["find"]), frozenset(["where?"]), TALKING, 0.5)


# --- in the kitchen ---


@pytest.mark.parametrize(
    "request_",
    [
        "turn on the light",
        "wash the plate",
        "could you tidy up the table?",
        "break the plate",
        "warm up the milk",
        "do you like apples?",
        "look at me",
        "dry the dishes",
        "which drinks do you have?",
    ],
)
def test_what_it_cannot_do_it_does_not_do_something_else_for(kitchen: Kitchen, request_: str) -> None:
    kitchen.talk(request_)
    assert not [statement for statement in kitchen.seen.statements if statement.startswith(("move_to", "grasp"))]


def test_it_says_what_it_can_do_where_it_is_and_what_is_open(kitchen: Kitchen) -> None:
    kitchen.talk("what can you do?", "where are you?", "is the fridge open?")
    can, at, is_open = kitchen.seen.speech
    assert "bring you things" in can
    assert at.startswith("I am at: ")
    assert is_open == "No, the fridge is closed."


def test_it_says_what_lies_on_something(kitchen: Kitchen) -> None:
    kitchen.talk("what is on the table?")
    assert kitchen.seen.speech == ["I see the apple and the banana on the table."]


def test_a_no_before_a_comma_denies_nothing(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the juice", "no, the milk")
    assert kitchen.where("milk") == "person"


def test_it_points_without_touching(kitchen: Kitchen) -> None:
    kitchen.talk("point at the apple")
    assert "point_at('apple')" in kitchen.seen.statements
    assert kitchen.where("apple") == "table"
