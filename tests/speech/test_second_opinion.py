"""What becomes of an utterance that one ear was unsure of, and the ears at work."""

import queue
import threading
from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.speech.did_you_mean import OVERHEARD, Sense
from daemon.speech.ear_events import Event, Recognize, Understood, Unsure
from daemon.speech.judgement import Evidence, Judgement, Verdict, judge
from daemon.speech.recognition import Limits, Recognition
from daemon.speech.recognition_queue import Order, understood
from daemon.speech.recognizers.two_ears import TwoEars
from daemon.speech.second_opinion import decided, doubtful, same_wish
from daemon.speech.spoken_words import content_words
from daemon.speech.understanding import Understanding
from daemon.speech.vad import Segment

SENSE = Sense(
    ["bring me the milk", "bring me the cup"],
    names=["milk", "cup"],
    odds=lambda heard, named: 1.0 if named and heard.startswith("could you") else -1.0,
)
LIMITS = Limits(0.15, 0.3, 0.3, 0.4, 0.75, 0.35)


def opinion(text: str, confidence: float, evidence: Evidence | None = None) -> Judgement:
    return judge(text, confidence, (), evidence or Evidence(1.5), SENSE, LIMITS)


@pytest.mark.parametrize(
    ("first", "second", "verdict", "text"),
    [
        ("could you get me the milk", "could you get me the milk", Verdict.ACCEPT, "could you get me the milk"),
        ("the milk price has fallen", "the milk price has fallen", Verdict.ASK, "the milk price has fallen"),
        ("the elephant is in there", "the elephants in the air", Verdict.ASK, "the elephants in the air"),
        ("ring me the mill", "bring me the milk", Verdict.ACCEPT, "bring me the milk"),
        ("milk", "milk", Verdict.DROP, "milk"),
        ("the elephant is in there", "", Verdict.ASK, "the elephant is in there"),
    ],
    ids=[
        "both hear words that are said here", "both hear words of another talk", "they differ",
        "the second hears what makes sense", "one word is too little", "the second hears nothing",
    ],
)  # fmt: skip
def test_two_ears_decide_together(first: str, second: str, verdict: Verdict, text: str) -> None:
    one, other = opinion(first, 0.5), opinion(second, 0.5)
    judgement = decided(one, other, Evidence(1.5), SENSE)
    assert (judgement.verdict, judgement.text) == (verdict, text)


HEARD_TWICE = [
    ("um open the fridge for me please", "open the fridge for me", True, "a filler"),
    ("put the milk on to the shelf", "put the milk onto the shelf", True, "where words are divided"),
    ("put the milk how do you see in there", "put the milk how do you say in there", True, "one word of many"),
    ("put the milk on the shelf", "put the milk off the shelf", False, "a small word that counts"),
    ("bring me the milk as soon as it suits you", "bring me the mill as soon as it suits you", False, "a name"),
    ("bring me the milk as soon as it suits you", "bring me the cup as soon as it suits you", False, "another name"),
    ("stop the tap over there please now", "shop the tap over there please now", False, "a verb that counts"),
    ("carry the man heartedly home", "curry her are gently home", False, "too many words"),
    ("open it", "close it", False, "what is to be done"),
]


@pytest.mark.parametrize(("one", "other", "same", "why"), HEARD_TWICE, ids=[why for *_, why in HEARD_TWICE])
def test_two_ears_may_differ_in_what_changes_no_wish(one: str, other: str, same: bool, why: str) -> None:
    assert same_wish(content_words(one), content_words(other), SENSE) is same


def test_a_name_that_only_the_second_ear_hears_is_believed() -> None:
    one, other = ("bring me the stew as soon as it suits you", "bring me the cup as soon as it suits you")
    assert same_wish(content_words(one), content_words(other), SENSE)


def test_more_may_differ_where_the_second_ear_would_act_alone() -> None:
    one, whole = "could you get me a milk a the it one", "could you get me a milk and either one"
    unsure, sure = (opinion(whole, confidence, Evidence(2.5)) for confidence in (0.5, 0.9))
    first = opinion(one, 0.5, Evidence(2.5))
    assert decided(first, unsure, Evidence(2.5), SENSE).verdict is Verdict.ASK
    assert decided(first, sure, Evidence(2.5), SENSE).verdict is Verdict.ACCEPT


def test_what_one_ear_cut_off_the_other_may_add() -> None:
    whole = "could you get me the milk and then the cup from over there"
    long = Evidence(3.0)
    judgement = decided(opinion("could you get me the milk", 0.2), opinion(whole, 0.9, long), long, SENSE)
    assert (judgement.verdict, judgement.text) == (Verdict.ACCEPT, whole)


def test_talk_between_people_is_neither_done_nor_asked_about_unless_heed_asked_or_was_called() -> None:
    talk = "she never told me that they had moved"
    others = Sense(["bring me the milk"], odds=lambda heard, named: OVERHEARD - 1.0)
    for evidence, verdict in (
        (Evidence(2.0), Verdict.DROP),
        (Evidence(2.0, asked=True), Verdict.ASK),
        (Evidence(2.0, addressed=True), Verdict.ACCEPT),
    ):
        one = judge(talk, 0.6, (), evidence, others, LIMITS)
        assert decided(one, one, evidence, others).verdict is verdict


def test_words_of_another_talk_are_done_where_heed_was_called() -> None:
    words = "the milk price has fallen"
    called = Evidence(1.5, addressed=True)
    judgement = decided(opinion(words, 0.5), opinion(words, 0.5), called, SENSE)
    assert (judgement.verdict, judgement.text) == (Verdict.ACCEPT, words)


def test_what_the_second_ear_is_sure_of_alone_is_asked_about() -> None:
    words = "the elephant is in the garden"
    judgement = decided(opinion("mumble mumble", 0.5), opinion(words, 0.9), Evidence(2.0), SENSE)
    assert (judgement.verdict, judgement.text) == (Verdict.ASK, words)


def test_stops_and_what_no_ear_can_mend_are_the_first_ones_alone() -> None:
    assert doubtful(opinion("ring me the mill", 0.5))
    assert doubtful(opinion("", 0.0))
    assert not doubtful(opinion("bring me the milk", 0.5))
    assert not doubtful(opinion("stop", 0.2))
    assert not doubtful(opinion("ring me the mill", 0.5, Evidence(0.05)))
    assert not doubtful(opinion("here is your milk", 0.5, Evidence(1.5, own_words="here is your milk")))


class Hears:
    """A recogniser that hears the same whatever is said, once it may."""

    lead = trail = 0
    limits = LIMITS

    def __init__(self, text: str, confidence: float = 0.5) -> None:
        self.name = text
        self.may, self.heard = threading.Event(), 0
        self.expected: list[str] = []
        self._answer = Recognition(text, confidence)
        self.may.set()

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        assert self.may.wait(10)
        self.heard += 1
        return self._answer

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        self.expected = list(sentences)


class Broken(Hears):
    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        raise RuntimeError("out of memory")


def order(ticket: int, look: bool = False) -> Order:
    return Order(Recognize(ticket, Segment(0, 0, 0, 0), True, look), np.zeros(0, np.int16), Evidence(1.5))


def at_work(recognizer: TwoEars) -> tuple[Understanding, "queue.Queue[Event]"]:
    told: queue.Queue[Event] = queue.Queue()
    working = Understanding(recognizer, lambda: SENSE, set, told.put)
    for thread in working.threads:
        thread.start()
    return working, told


def test_two_ears_expect_the_same_and_answer_to_both_names() -> None:
    ears = TwoEars(Hears("a"), Hears("b"))
    ears.set_vocabulary(iter(["bring me the milk"]))
    assert (ears.first.expected, ears.second.expected) == (["bring me the milk"], ["bring me the milk"])  # type: ignore[attr-defined]
    assert ears.name == "a and b"


def test_the_second_ear_is_asked_where_the_first_is_unsure_and_never_about_a_stop() -> None:
    second = Hears("bring me the milk")
    assert understood(TwoEars(Hears("ring me the mill"), second), order(1), SENSE).text == "bring me the milk"
    assert understood(TwoEars(Hears("bring me the cup"), second), order(1), SENSE).text == "bring me the cup"
    assert understood(TwoEars(Hears("ring the mill"), second), order(1, look=True), SENSE).heard == "ring the mill"
    assert second.heard == 1


def test_a_stop_does_not_wait_for_the_second_ear() -> None:
    second = Hears("bring me the milk")
    second.may.clear()
    working, told = at_work(TwoEars(Hears("ring me the mill"), second))
    working.put(order(1))
    assert told.get(timeout=10) == Unsure(1, opinion("ring me the mill", 0.5))
    working.put(order(2, look=True))
    look = told.get(timeout=10)
    assert isinstance(look, Understood)
    assert (look.ticket, second.heard) == (2, 0)
    second.may.set()
    last = told.get(timeout=10)
    assert isinstance(last, Understood)
    assert (last.ticket, last.judgement.text) == (1, "bring me the milk")
    working.close()
    for thread in working.threads:
        thread.join(10)
        assert thread.ended_well


def test_where_the_second_ear_fails_the_first_one_counts() -> None:
    working, told = at_work(TwoEars(Hears("ring me the mill"), Broken("")))
    working.put(order(1))
    assert [told.get(timeout=10), told.get(timeout=10)] == [
        Unsure(1, opinion("ring me the mill", 0.5)), Understood(1, opinion("ring me the mill", 0.5)),
    ]  # fmt: skip
    working.close()


APART = [
    ("hold the milk here over please", "could you haul the milk over here", True, Verdict.ACCEPT, "one deed"),
    ("hold the milk here over please", "could you haul the milk over here", False, Verdict.ASK, "two deeds"),
    (
        "but not the milk on the shelf",
        "could you put the milk on the shelf",
        True,
        Verdict.ASK,
        "a word that turns a wish",
    ),
    ("the mill prices fell", "the milk price has fallen today", True, Verdict.ASK, "not for heed"),
    ("milk", "could you bring the milk", True, Verdict.ASK, "one word"),
    ("hold the milk here over please", "", True, Verdict.ASK, "nothing the second time"),
]


@pytest.mark.parametrize(("first", "second", "same", "verdict", "why"), APART, ids=[why for *_, why in APART])
def test_where_ears_differ_the_mind_tells_whether_it_is_one_deed(
    first: str, second: str, same: bool, verdict: Verdict, why: str
) -> None:
    sense = Sense(SENSE.expected, names=["milk", "cup"], odds=SENSE._odds, same_deed=lambda one, other: same)
    one, other = (judge(text, 0.5, (), Evidence(2.5), sense, LIMITS) for text in (first, second))
    assert decided(one, other, Evidence(2.5), sense).verdict is verdict


FREE = "when you have a minute take the milk out of the fridge please"


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        (FREE, Verdict.ACCEPT),
        (FREE.replace("milk", "cup"), Verdict.ASK),
        ("", Verdict.ASK),
    ],
)
def test_words_that_nobody_expected_are_done_only_if_both_ears_heard_them(other: str, verdict: Verdict) -> None:
    sense = Sense(SENSE.expected, names=["milk", "cup"], odds=lambda heard, named: 5.0)
    first = judge(FREE, 0.95, (), Evidence(6.0), sense, LIMITS)
    assert (first.verdict, doubtful(first)) == (Verdict.ACCEPT, True)
    second = judge(other, 0.7 if other else 0.0, (), Evidence(6.0), sense, LIMITS)
    assert decided(first, second, Evidence(6.0), sense).verdict is verdict


def test_an_expected_sentence_is_done_at_once() -> None:
    assert not doubtful(judge("bring me the milk", 0.95, (), Evidence(2.0), SENSE, LIMITS))
