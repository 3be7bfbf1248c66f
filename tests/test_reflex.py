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
