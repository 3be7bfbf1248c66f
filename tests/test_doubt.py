"""Asking back."""

import pytest

from daemon.doubt import Doubt
from daemon.trigger import Utterance


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("yes", "bring me the cup"),
        ("yes please", "bring me the cup"),
        ("no", None),
        ("bring me the milk", "bring me the milk"),
        ("no, the milk please", "no, the milk please"),
    ],
)
def test_only_a_yes_makes_it_said(answer: str, meant: str | None) -> None:
    doubt = Doubt()
    assert doubt.ask(Utterance("bring me the cup", confidence=0.3)) == "Did you mean: bring me the cup?"
    assert doubt.pending
    taken = doubt.answer(Utterance(answer))
    assert (taken and taken.text) == meant
    assert not doubt.pending


def test_without_a_doubt_a_yes_is_a_yes() -> None:
    said = Utterance("yes")
    assert Doubt().answer(said) is said
