"""Words that act at once."""

import json
from pathlib import Path

import pytest

from daemon.reflex import Reflex, reflex_in


@pytest.mark.parametrize(
    "text", ["stop", "Stop!", "please stop.", "STOP STOP STOP", "stop it", "robot, stop now", "halt", "emergency stop"]
)
def test_a_stop_is_a_stop(text: str) -> None:
    assert reflex_in(text) is Reflex.STOP


@pytest.mark.parametrize(
    "text",
    [
        "Can you stop?", "would you please just stop it", "I said stop!", "stop, I said", "oh no, stop", "whoa stop",
        "stop right now", "stop what you're doing", "stop the arm", "stop everything", "don't move", "stand still",
        "freeze right there",
    ],
)  # fmt: skip
def test_people_in_a_hurry_say_it_in_many_ways(text: str) -> None:
    assert reflex_in(text) is Reflex.STOP


@pytest.mark.parametrize("text", ["can you go on", "I said go on", "let's continue"])
def test_to_go_on_needs_plain_words(text: str) -> None:
    assert reflex_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "stop my timer",
        "stop the music",
        "don't move the cup",
        "never stop",
        "don't stop",
        "where is the bus stop",
        "shop",
        "please",
    ],
)
def test_a_sentence_with_stop_in_it_is_not(text: str) -> None:
    assert reflex_in(text) is None


@pytest.mark.parametrize(
    ("text", "reflex"),
    [
        ("never mind", Reflex.CANCEL),
        ("hold on", Reflex.PAUSE),
        ("stay where you are", Reflex.PAUSE),
        ("okay, go on", Reflex.RESUME),
        ("stop listening", Reflex.MUTE),
    ],
)
def test_other_reflexes_are_whole_sentences_too(text: str, reflex: Reflex) -> None:
    assert reflex_in(text) is reflex
    assert reflex_in(f"{text} with the cup") is None


def test_people_say_it_in_many_ways_and_much_else_that_sounds_like_it() -> None:
    """120 phrasings of the four, by an author who had seen no code, and 120 sentences that are none of them."""
    said = json.loads((Path(__file__).parent / "data" / "reflexes.json").read_text(encoding="utf-8"))
    found = [(entry["means"], reflex_in(entry["say"])) for entry in said]
    assert [reflex for means, reflex in found if means is None and reflex] == []
    known = [reflex is not None and reflex.value == means for means, reflex in found if means]
    assert sum(known) / len(known) >= 0.9
    assert all(reflex is None or reflex.value == means for means, reflex in found if means)


NO_RELEASE = """sorry, you cannot go on
sorry, I can't let you go on
sorry, wait, nobody may go on
sorry, give me a minute before you go on
sorry, my hand is still in there, you mustn't carry on
sorry she hasn't moved yet go on
carry on, it's not safe yet, no
go on i'll tell you when
continue, i am still under the table
false alarm? i doubt you may go on
right i think it isn't safe, go on
sorry i meant the other cup go on"""


@pytest.mark.parametrize("text", NO_RELEASE.splitlines())
def test_a_latched_stop_is_not_released_by_words_that_take_it_back(text: str) -> None:
    assert reflex_in(text) is not Reflex.RESUME


@pytest.mark.parametrize(
    "text",
    ["sorry, the cat was in the way, carry on", "the dog has moved, carry on", "yes, go on", "go on, it's safe now"],
)
def test_what_was_in_the_way_may_be_told_before_going_on(text: str) -> None:
    assert reflex_in(text) is Reflex.RESUME


@pytest.mark.parametrize(
    "text", ["wait i want the tea not the juice", "never mind it's the blue one i want", "hold on, it's the other one"]
)
def test_a_wish_behind_a_reflex_is_for_the_mind(text: str) -> None:
    assert reflex_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "look out you're about to hit the wall stop",
        "Watch out, there's a child behind you. Stop!",
        "hey robot watch out you're going to knock the lamp over stop stop",
        "look out it's falling stop it now",
        "no no watch out my hand's in there stop please",
        "mind out i'm right behind you stop",
        "look out there is somebody on the stairs freeze",
        "watch out you're going over the edge stop right there",
    ],
)
def test_a_stop_behind_a_warning_and_its_reason_is_a_stop(text: str) -> None:
    assert reflex_in(text) is Reflex.STOP


@pytest.mark.parametrize(
    "text",
    [
        "bring it to the bus stop",
        "you're about to reach the next stop",
        "i'm waiting at the bus stop",
        "look out for the bus stop",
        "look out of the window at the tram stop",
        "watch out for my bag at the last stop",
        "watch out there's ice at the bus stop",
        "look out you're at the wrong end of the door, get the door stop",
        "look out there's no time to stop",
        "watch out it's slippery, don't stop",
        "watch out you're too close, turn left and stop",
        "look out i'm behind you, take the cup and bring it to the tram stop",
        "look out there's a step",
        "watch out it's hot",
    ],
)
def test_a_warning_in_which_a_stop_is_part_of_what_is_told_is_none(text: str) -> None:
    assert reflex_in(text) is None
