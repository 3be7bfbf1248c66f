"""Whether words were said to the robot, or between people."""

import numpy as np
import pytest

from daemon.llm.directed import DirectedSpeech
from daemon.llm.embedder import MiniLmEmbedder
from daemon.speech.addressee import Addressee
from daemon.speech.did_you_mean import Sense


@pytest.fixture(scope="module")
def addressee() -> Addressee:
    return Addressee(DirectedSpeech(MiniLmEmbedder()).odds)


@pytest.mark.parametrize(
    "sentence",
    [
        "Could you fetch me the screwdriver from the drawer?",
        "please put the book back on the shelf",
        "I'd like a glass of water, please",
        "can you open the curtains for me",
        "where did you put my glasses",
    ],
)
def test_what_people_say_to_robots_is_meant(sentence: str, addressee: Addressee) -> None:
    assert addressee.odds(sentence, named=True) > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "she put the milk back and went to bed",
        "the prime minister said on Tuesday that taxes would rise",
        "so I told him the table was far too big for our kitchen",
        "we were at the beach all week and it rained every day",
        "he scored twice in the second half",
    ],
)
def test_what_people_say_to_each_other_is_not_whatever_they_name(sentence: str, addressee: Addressee) -> None:
    assert addressee.odds(sentence, named=True) < 0


@pytest.mark.parametrize(("asks", "meant"), [(0.95, True), (None, False), (0.02, False)])
def test_what_words_would_come_to_counts_where_the_words_alone_leave_a_doubt(
    asks: float | None, meant: bool, addressee: Addressee
) -> None:
    told = Addressee(addressee.odds_of, lambda sentence: asks)
    assert (told.odds("Open that cupboard for us, will you, pet?", 1) > 0) is meant


@pytest.mark.parametrize("odds", [1.5, -6.5])
def test_nobody_is_asked_about_words_that_leave_no_doubt(odds: float) -> None:
    told = Addressee(lambda sentences: np.array([odds], np.float32), lambda sentence: pytest.fail("it was asked"))
    assert told.odds("could you fetch me the screwdriver", 0) == odds


@pytest.mark.parametrize(("asks", "gained"), [(1.0, 2.5), (0.0, -1.5)])
def test_that_counts_within_bounds(asks: float, gained: float) -> None:
    told = Addressee(lambda sentences: np.array([-3.5], np.float32), lambda sentence: asks)
    assert told.odds("Darling, put it there.", 0) == -3.5 + gained


def test_naming_what_is_here_counts() -> None:
    sense = Sense(["yes"], names=["olive oil", "table"], odds=lambda heard, named: 1.0 if named else -1.0)
    assert sense.fits("now the olive oil")
    assert sense.fits("those two tables")
    assert not sense.fits("now the gearbox")
