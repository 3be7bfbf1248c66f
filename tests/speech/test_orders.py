"""What the recogniser does next."""

import numpy as np
import pytest

from daemon.speech.events import Recognize
from daemon.speech.judgement import Evidence
from daemon.speech.orders import Order, Orders
from daemon.speech.vad import Segment


def order(ticket: int, final: bool = False, look: bool = False) -> Order:
    return Order(Recognize(ticket, Segment(0, 0, 0, 0), final, look), np.zeros(0, np.int16), Evidence(1.0))


@pytest.mark.parametrize(
    ("orders", "awaited", "done"),
    [
        ([order(1), order(2)], set(), [2]),
        ([order(1), order(2)], {1}, [1, 2]),
        ([order(1, final=True), order(2)], set(), [1, 2]),
        ([order(1, final=True), order(2, look=True), order(3)], set(), [2, 1, 3]),
    ],
    ids=["a guess is replaced", "unless its words are awaited", "a whole utterance is not", "a stop goes first"],
)
def test_what_is_done_next(orders: list[Order], awaited: set[int], done: list[int]) -> None:
    waiting = Orders()
    for one in orders:
        waiting.put(one, awaited)
    waiting.close()
    taken = []
    while (one_more := waiting.get()) is not None:
        taken.append(one_more.recognize.ticket)
    assert taken == done
