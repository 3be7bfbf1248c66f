"""What is said while heed works: it changes what is under way, asks about it, or comes next."""

import pytest

from daemon.console.history import Turn
from daemon.console.reading import Interjection
from daemon.console.recounting import progress_of
from daemon.imitation.english.interjections import interjection_in
from daemon.transcript import Step


@pytest.mark.parametrize(
    "text",
    ["no, the milk", "not that one", "wrong", "the red one instead", "wait, not there", "I changed my mind", "don't"],
)
def test_what_is_not_wanted_any_more_ends(text: str) -> None:
    assert interjection_in(text) is Interjection.CHANGE


@pytest.mark.parametrize("text", ["what are you doing?", "are you done?", "are you still busy", "so, how is it going?"])
def test_a_question_about_the_work_is_one(text: str) -> None:
    assert interjection_in(text) is Interjection.PROGRESS


@pytest.mark.parametrize(
    "text",
    ["and a cup, too", "then bring me the milk", "where is the cup?", "do you know the time?", "now the milk"],
)
def test_everything_else_is_next(text: str) -> None:
    assert interjection_in(text) is Interjection.NEXT


def test_progress_is_what_was_done_so_far() -> None:
    heard = Step("wait_for_trigger()", repr({"type": "dialog", "text": "bring me the juice"}))
    turn = Turn("bring me the juice", (heard, Step("move_to('fridge')", "'success'")))
    assert progress_of(turn) == "I am doing what you said: bring me the juice. So far I went to the fridge."
    assert progress_of(None) == "I am doing nothing."
