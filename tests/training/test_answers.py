"""How good what ships is at reading answers that it has not learned from."""

import json

import pytest

from daemon.console.learning.consent import Consent, consent_in
from training.answers import LIMIT, UNSEEN, WRITTEN

MEANT = {"yes": Consent.YES, "no": Consent.NO, "more": Consent.UNCLEAR}


@pytest.mark.parametrize(
    ("name", "fewest_yes", "fewest_no", "most_taken_for_yes"),
    [(LIMIT, 0.6, 0.9, 0.01), (UNSEEN[0], 0.58, 0.85, 0.01), (UNSEEN[1], 0.85, 0.85, 0.02)],
)
def test_answers_of_strangers_are_read(
    name: str, fewest_yes: float, fewest_no: float, most_taken_for_yes: float
) -> None:
    cases = json.loads((WRITTEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    answers = [(consent_in(one["say"]), MEANT[one["means"]]) for case in cases for one in case["answers"]]
    for meaning, fewest in ((Consent.YES, fewest_yes), (Consent.NO, fewest_no)):
        read = [found is meaning for found, meant in answers if meant is meaning]
        assert sum(read) / len(read) >= fewest
    others = [found is Consent.YES for found, meant in answers if meant is not Consent.YES]
    assert sum(others) / len(others) <= most_taken_for_yes
