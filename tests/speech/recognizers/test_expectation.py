"""What an ear expects: sentences that make sense here, and how people talk to robots."""

import math

import pytest

from daemon.speech.recognizers import expectation
from daemon.speech.recognizers.expectation import Expectation, read_requests
from daemon.speech.recognizers.trigram import END, UNEXPECTED, Trigram

SENTENCES = [s.split() for s in ("bring me the cup", "open the fridge", "set bed light brightness to fifty percent")]
NAMES = ("cup", "olive_oil", "fridge")


def chance(model: Expectation | Trigram, text: str) -> float:
    words = text.split()
    return sum(model.chance(words[:at], word) for at, word in enumerate([*words, END]))


@pytest.mark.parametrize(
    ("likely", "unlikely"),
    [
        ("could you fetch me the cup please", "could you fetch me the cub please"),
        ("would you mind taking the olive oil over there", "wood you mined taking the all of oil over there"),
        ("bung it back in the fridge", "bunk it back in the fridge"),
        ("set bed light brightness to fifty percent", "set bad light brightness to fifty percent"),
    ],
)
def test_what_people_say_to_a_robot_is_likelier_than_what_sounds_like_it(likely: str, unlikely: str) -> None:
    model = Expectation(SENTENCES, NAMES)
    assert chance(model, likely) > chance(model, unlikely) + 2


def test_an_expected_sentence_stays_as_likely_as_it_was() -> None:
    """Beside it, the ear has to know far more now; that costs it no more than a word's likelihood."""
    alone = chance(Trigram(SENTENCES), "set bed light brightness to fifty percent")
    assert chance(Expectation(SENTENCES), "set bed light brightness to fifty percent") > alone - 3


def test_a_name_is_expected_where_it_is_here() -> None:
    here, elsewhere = Expectation(SENTENCES, ["gearbox"]), Expectation(SENTENCES, ["cup"])
    assert chance(here, "could you hand me the gearbox") > chance(elsewhere, "could you hand me the gearbox") + 3


def test_what_nobody_knows_is_possible() -> None:
    assert Expectation(SENTENCES).chance(["bring", "me", "the"], "xylophagous") == pytest.approx(UNEXPECTED)


def test_what_is_remembered_is_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    told = chance(Expectation(SENTENCES, NAMES), "would you pass me the olive oil")
    monkeypatch.setattr(expectation, "REMEMBERED", 3)
    model = Expectation(SENTENCES, NAMES)
    assert chance(model, "would you pass me the olive oil") == pytest.approx(told)
    assert len(model._known) <= 3


def test_how_people_talk_is_a_distribution() -> None:
    """After two words that were said, all words together have a probability of 1, but for what was rounded."""
    model = read_requests()
    for before in (("bring", "me"), ("<s>", "could"), ("in", "the")):
        total = sum(model.probability((*before, word)) for word in model._words if word != "<s>")
        assert math.isclose(total, 1.0, abs_tol=0.02)
