"""A word to the person while a model takes its time."""

import threading

from daemon.console.waiting_words import ONE_MOMENT, STILL, Patience
from tests.support.waiting import until

LONG = 1000.0


def test_who_waits_long_is_told_so_again_and_again() -> None:
    told: list[str] = []
    patience = Patience(told.append, first=0.0, again=0.001)
    patience.begin()
    until(lambda: len(told) > 2)
    patience.end()
    assert told[:3] == [ONE_MOMENT, STILL, STILL]


def test_a_quick_answer_needs_no_word() -> None:
    told: list[str] = []
    patience = Patience(told.append, first=LONG)
    patience.begin()
    patience.end()
    until(lambda: not any(thread.name == "patience" for thread in threading.enumerate()))
    assert told == []


def test_another_question_ends_the_count_of_the_one_before() -> None:
    patience = Patience(lambda text: None, first=LONG)
    patience.begin()
    patience.begin()
    until(lambda: sum(thread.name == "patience" for thread in threading.enumerate()) == 1)
    patience.end()


def test_what_was_never_begun_can_end() -> None:
    Patience(lambda text: None).end()
