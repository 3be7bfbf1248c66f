"""How the ear learns for whom words are, and how good what it ships with is."""

import numpy as np
import pytest

from daemon.llm.embedder import MiniLmEmbedder
from daemon.speech.addressee import Addressee
from training.addressee.__main__ import _said, fitted
from training.addressee.lines import UNSEEN, lines


def test_two_clouds_are_told_apart_though_one_is_small() -> None:
    chance = np.random.default_rng(1)
    said, overheard = chance.normal(1.0, 0.5, (400, 3)), chance.normal(-1.0, 0.5, (20, 3))
    weights, bias = fitted(said, overheard)
    assert np.mean(said @ weights + bias > 0) > 0.98
    assert np.mean(overheard @ weights + bias > 0) < 0.1


@pytest.mark.whole
@pytest.mark.parametrize(("named", "most_overheard", "fewest_said"), [(False, 0.06, 0.5), (True, 0.15, 0.8)])
def test_sentences_that_decided_nothing_are_told_apart(named: bool, most_overheard: float, fewest_said: float) -> None:
    """Of hard talk between people few pass, of what strangers said to robots most."""
    addressee = Addressee.load(MiniLmEmbedder().embed)
    passed = {
        name: np.mean([addressee.odds(sentence, named) > 0 for sentence in sentences[:200]])
        for name, sentences in (("said", _said(held=True)), ("overheard", lines(UNSEEN)))
    }
    assert passed["overheard"] <= most_overheard
    assert passed["said"] >= fewest_said
