"""Text cut into sentences."""

import pytest

from daemon.speech.sentence_splitting import sentences


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Here is your juice. Shall I bring a cup, too?", ["Here is your juice.", "Shall I bring a cup, too?"]),
        ("Dr. Who, e.g. at 3.5 m.", ["Dr. Who, e.g. at 3.5 m."]),
        ('He said "no!" Then he left', ['He said "no!"', "Then he left"]),
        ("one\n\ntwo", ["one", "two"]),
        ("  \n ", []),
        ("", []),
        ("Wait…  what?!", ["Wait…", "what?!"]),
    ],
)
def test_text_is_cut_where_a_speaker_breathes(text: str, cut: list[str]) -> None:
    assert sentences(text) == cut


def test_an_endless_sentence_is_cut_and_nothing_is_lost() -> None:
    text = "and then, " * 300 + "x" * 1000
    pieces = sentences(text)
    assert max(map(len, pieces)) <= 240
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


def test_of_a_long_first_sentence_the_first_clause_comes_alone() -> None:
    long = "When you ask for juice I also bring the cup, both at once, since I have two hands."
    assert sentences(f"{long} {long}") == [long[:44], long[45:], long]
    assert sentences("Here is the juice, as you like it.") == ["Here is the juice, as you like it."]
