"""Whoever spoke hears within a moment that heed works, and what at; who is answered hears nothing besides."""

import threading
import time

import pytest

from daemon.console.recounting import doing_in
from daemon.service.sign_of_life import ONE_MOMENT, STILL_THINKING, SignOfLife
from tests.support.waiting import until


class Work:
    """What heed does, as the test says."""

    def __init__(self, doing: str = "") -> None:
        self.told: list[str] = []
        self.doing = doing
        self.busy = True
        self.said_at = 0.0
        self.sign = SignOfLife(self.tell, self.silence, lambda: self.doing, lambda: self.busy, first=0.1, again=0.3)

    def tell(self, text: str) -> None:
        self.told.append(text)
        self.said_at = time.monotonic()

    def silence(self) -> float:
        return time.monotonic() - self.said_at

    def watched(self) -> bool:
        return any(thread.name == "sign of life" for thread in threading.enumerate())


@pytest.mark.whole
def test_who_waits_is_told_what_is_done_and_that_it_goes_on() -> None:
    work = Work()
    work.sign.begin()
    until(lambda: len(work.told) == 2)
    work.doing = "on my way to the fridge"
    until(lambda: len(work.told) == 4)
    work.busy = False
    until(lambda: not work.watched())
    assert work.told[:4] == [
        ONE_MOMENT,
        STILL_THINKING,
        "I am on my way to the fridge.",
        "I am still on my way to the fridge.",
    ]


def test_who_is_answered_at_once_hears_nothing_besides() -> None:
    work = Work()
    work.busy = False
    work.sign.begin()
    until(lambda: not work.watched())
    assert work.told == []


def test_what_was_said_meanwhile_counts() -> None:
    work = Work("taking the milk")
    work.sign.begin()
    ends = time.monotonic() + 0.6
    while time.monotonic() < ends:
        work.said_at = time.monotonic()
        time.sleep(0.01)
    work.busy = False
    assert work.told == []


def test_a_statement_tells_what_is_done_while_it_runs() -> None:
    assert doing_in("move_to('kitchen_table')") == "on my way to the kitchen table"
    assert doing_in("grasp(object='milk')") == "taking the milk"
    assert doing_in("place('milk', 'fridge')") == "putting down the milk"
    for nothing in ("say('hello')", "x = 1", "list_objects()", "move_to(place)", ""):
        assert doing_in(nothing) == ""
