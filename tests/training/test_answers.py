"""How good what ships is at reading answers that it has not learned from."""

import json

import pytest

from daemon.console.learning.consent import TO_KEEP, TO_MOVE, Consent, consent_in
from training.answers import LIMIT, UNSEEN, WRITTEN

MEANT = {"yes": Consent.YES, "no": Consent.NO, "more": Consent.UNCLEAR}


@pytest.mark.parametrize(
    ("name", "fewest_yes", "fewest_no"), [(LIMIT, 0.6, 0.9), (UNSEEN[0], 0.55, 0.85), (UNSEEN[1], 0.8, 0.8)]
)
def test_answers_of_strangers_are_read(name: str, fewest_yes: float, fewest_no: float) -> None:
    answers = read(name, TO_KEEP)
    for meaning, fewest in ((Consent.YES, fewest_yes), (Consent.NO, fewest_no)):
        found = [one is meaning for one, meant in answers if meant is meaning]
        assert sum(found) / len(found) >= fewest


@pytest.mark.parametrize("name", [LIMIT, *UNSEEN])
@pytest.mark.parametrize(("freely_from", "most"), [(TO_KEEP, 0.02), (TO_MOVE, 0.0)])
def test_hardly_anything_else_is_taken_for_a_yes(name: str, freely_from: int, most: float) -> None:
    others = [one is Consent.YES for one, meant in read(name, freely_from) if meant is not Consent.YES]
    assert sum(others) / len(others) <= most


def read(name: str, freely_from: int) -> list[tuple[Consent, Consent]]:
    """Return how each answer of a file is read, and what it means."""
    cases = json.loads((WRITTEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    told = [one for case in cases for one in case["answers"]]
    return [(consent_in(one["say"], freely_from=freely_from), MEANT[one["means"]]) for one in told]
