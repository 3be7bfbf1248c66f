"""How good what ships is at telling for whom words are."""

import numpy as np
import pytest

from daemon.llm.directed import DirectedSpeech
from daemon.llm.embedder import MiniLmEmbedder
from daemon.speech.addressee import Addressee
from training.addressee.lines import UNSEEN, begun, lines


@pytest.mark.whole
@pytest.mark.parametrize(("named", "most_overheard", "fewest_said"), [(0, 0.05, 0.65), (1, 0.12, 0.85), (2, 0.2, 0.93)])
def test_sentences_that_decided_nothing_are_told_apart(named: int, most_overheard: float, fewest_said: float) -> None:
    """Of hard talk between people few pass, of what strangers said to robots most."""
    addressee = Addressee(DirectedSpeech(MiniLmEmbedder()).odds)
    passed = {
        name: np.mean([addressee.odds(sentence, named) > 0 for sentence in sentences[:200]])
        for name, sentences in (("said", begun(held=True)), ("overheard", lines(UNSEEN)))
    }
    assert passed["overheard"] <= most_overheard
    assert passed["said"] >= fewest_said
