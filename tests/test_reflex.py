"""Words that act at once."""

import pytest

from daemon.reflex import Reflex, reflex_in


@pytest.mark.parametrize(
    "text", ["stop", "Stop!", "please stop.", "STOP STOP STOP", "stop it", "robot, stop now", "halt", "emergency stop"]
)
def test_a_stop_is_a_stop(text: str) -> None:
    assert reflex_in(text) is Reflex.STOP


@pytest.mark.parametrize("text", ["", "stop my timer", "don't stop", "where is the bus stop", "shop", "please"])
def test_a_sentence_with_stop_in_it_is_not(text: str) -> None:
    assert reflex_in(text) is None


@pytest.mark.parametrize(
    ("text", "reflex"),
    [
        ("never mind", Reflex.CANCEL),
        ("hold on", Reflex.PAUSE),
        ("okay, go on", Reflex.RESUME),
        ("stop listening", Reflex.MUTE),
    ],
)
def test_other_reflexes_are_whole_sentences_too(text: str, reflex: Reflex) -> None:
    assert reflex_in(text) is reflex
    assert reflex_in(f"{text} with the cup") is None
