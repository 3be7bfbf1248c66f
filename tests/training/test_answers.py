"""How good what ships is at reading answers that it has not learned from."""

import json

import pytest

from daemon.console.learning.consent import Consent, consent_in
from training.answers import LIMIT, UNSEEN, WRITTEN

MEANT = {"yes": Consent.YES, "no": Consent.NO, "more": Consent.UNCLEAR}


@pytest.mark.parametrize(
    ("name", "fewest_yes", "fewest_no"), [(LIMIT, 0.6, 0.9), (UNSEEN[0], 0.5, 0.85), (UNSEEN[1], 0.8, 0.85)]
)
def test_answers_of_strangers_are_read(name: str, fewest_yes: float, fewest_no: float) -> None:
    answers = read(name)
    for meaning, fewest in ((Consent.YES, fewest_yes), (Consent.NO, fewest_no)):
        found = [one is meaning for one, meant in answers if meant is meaning]
        assert sum(found) / len(found) >= fewest


@pytest.mark.parametrize(("name", "most"), [(LIMIT, 2), (UNSEEN[0], 2), (UNSEEN[1], 3), (UNSEEN[2], 15)])
def test_hardly_anything_else_is_kept_for_a_yes(name: str, most: int) -> None:
    assert taken_for_yes(name) <= most


def taken_for_yes(name: str) -> int:
    """Return how many answers of a file are taken for a yes, and mean none."""
    return sum(one is Consent.YES and meant is not Consent.YES for one, meant in read(name))


def read(name: str) -> list[tuple[Consent, Consent]]:
    """Return how each answer of a file is read, and what it means."""
    cases = json.loads((WRITTEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    told = [one for case in cases for one in case["answers"]]
    return [(consent_in(one["say"], freely=True), MEANT[one["means"]]) for one in told]
