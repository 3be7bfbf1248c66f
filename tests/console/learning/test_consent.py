"""What counts as a yes."""

import pytest

from daemon.console.learning.consent import Consent, consent_in


@pytest.mark.parametrize("answer", ["yes", "Yes, please.", "yeah sure", "ok", "do that", "that is right"])
def test_yes(answer: str) -> None:
    assert consent_in(answer) is Consent.YES


@pytest.mark.parametrize(
    "answer", ["no problem, go ahead", "sure, why not", "not bad, do it", "yes, I don't mind", "just do it"]
)
def test_a_yes_may_have_a_no_in_it(answer: str) -> None:
    assert consent_in(answer) is Consent.YES


@pytest.mark.parametrize("answer", ["no", "No, thank you.", "no, that is not right", "don't", "please don’t", "never"])
def test_no(answer: str) -> None:
    assert consent_in(answer) is Consent.NO


@pytest.mark.parametrize("answer", ["", "what?", "yes, but only for juice", "bring me the milk", "the weather"])
def test_everything_else_is_not_a_yes(answer: str) -> None:
    assert consent_in(answer) is Consent.UNCLEAR
