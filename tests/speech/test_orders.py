"""What the recogniser does next."""

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_events import Recognize
from daemon.speech.judgement import Evidence, Verdict
from daemon.speech.recognition import Limits, Recognition
from daemon.speech.recognition_queue import Order, Orders, understood
from daemon.speech.vad import Segment


def order(ticket: int, final: bool = False, look: bool = False) -> Order:
    return Order(Recognize(ticket, Segment(0, 0, 0, 0), final, look), np.zeros(0, np.int16), Evidence(1.0))


@pytest.mark.parametrize(
    ("orders", "wanted", "done"),
    [
        ([order(1), order(2)], set(), [2]),
        ([order(1), order(2)], {1}, [1, 2]),
        ([order(1, final=True), order(2)], set(), [1, 2]),
        ([order(1, final=True), order(2, look=True), order(3)], set(), [2, 1, 3]),
    ],
    ids=["a guess is replaced", "unless it is wanted", "a whole utterance is not", "a stop goes first"],
)
def test_what_is_done_next(orders: list[Order], wanted: set[int], done: list[int]) -> None:
    waiting = Orders()
    for one in orders:
        waiting.put(one, wanted)
    waiting.close()
    taken = []
    while (one_more := waiting.get()) is not None:
        taken.append(one_more.recognize.ticket)
    assert taken == done


class Understands:
    """A recogniser that understands the same whatever is said."""

    name, lead, trail = "certain", 0, 0
    limits = Limits(0.1, 0.3, 0.3, 0.4, 0.9, 0.7)

    def __init__(self, *texts: str) -> None:
        self._heard = Recognition(texts[0], 0.6, texts[1:])

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        return self._heard

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None: ...


@pytest.mark.parametrize(
    ("texts", "verdict", "text"),
    [
        (("stop", "top"), Verdict.ACCEPT, "stop"),
        (("robots top",), Verdict.ASK, "robot stop"),
        (("rob a stork", "robot stop"), Verdict.ASK, "robot stop"),
        (("to the shop", "to the stop"), Verdict.DROP, "to the shop"),
    ],
    ids=["a stop", "divided elsewhere", "perhaps a stop", "no stop at all"],
)
def test_a_look_for_a_stop_finds_one_among_the_likely_texts(
    texts: tuple[str, ...], verdict: Verdict, text: str
) -> None:
    judgement = understood(Understands(*texts), order(1, look=True), Sense(["bring me the cup"]))
    assert (judgement.verdict, judgement.text) == (verdict, text)


def test_any_other_sentence_is_what_it_most_likely_is() -> None:
    judgement = understood(Understands("rob a stork", "robot stop"), order(1), Sense(["bring me the cup"]))
    assert judgement.text != "robot stop"
