"""What becomes of an utterance that one ear was unsure of, and the ears at work."""

import math
import queue
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from daemon.speech.did_you_mean import OVERHEARD, Sense
from daemon.speech.ear_events import Event, Recognize, Understood, Unsure
from daemon.speech.judgement import Evidence, Judgement, Verdict, judge
from daemon.speech.recognition import Hypothesis, Limits, Recognition, Search
from daemon.speech.recognition_queue import Order, first_opinion, understood
from daemon.speech.recognizers.two_ears import SHARE, Likely, TwoEars
from daemon.speech.second_opinion import decided, doubtful, same_wish
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
    ("together", "verdict", "text"),
    [
        ([("could you get me the milk", 0.7)], Verdict.ACCEPT, "could you get me the milk"),
        ([("could you get me the milk", 0.6)], Verdict.ASK, "could you get me the milk"),
        ([("the milk price has fallen", 0.99)], Verdict.ASK, "the milk price has fallen"),
        ([("bring me the milk", 0.55), ("bring me the cup", 0.4)], Verdict.ACCEPT, "bring me the milk"),
        ([("bring me the milk", 0.45), ("bring me the cup", 0.44)], Verdict.ASK, "bring me the milk"),
        ([("could you get me a mill", 0.4), ("could you get me a meal", 0.3)], Verdict.ASK, "could you get me a mill"),
        ([("milk", 0.9)], Verdict.DROP, "milk"),
        ([("the elephants in the air", 0.1), ("elephants in there", 0.05)], Verdict.DROP, "the elephants in the air"),
        ([], Verdict.DROP, "mumble mumble"),
    ],
    ids=[
        "a likely wish", "an unlikely one", "likely words of another talk", "what is expected needs less",
        "but is asked about where something else is as likely", "two texts that are not one wish",
        "one word is too little", "nobody knows what it was", "the second ear hears nothing",
    ],
)  # fmt: skip
def test_what_both_ears_find_likely_is_done(together: Likely, verdict: Verdict, text: str) -> None:
    judgement = decided(opinion("mumble mumble", 0.3), together, Evidence(1.5), SENSE)
    assert (judgement.verdict, judgement.text) == (verdict, text)


def test_texts_that_are_the_same_wish_count_together() -> None:
    wish = "could you get me the milk before we all go out of there"
    apart = [(wish, 0.4), (wish.replace("there", "here"), 0.3), (wish.replace("milk", "cup"), 0.2)]
    judgement = decided(opinion("mumble", 0.3), apart, Evidence(3.0), SENSE)
    assert (judgement.verdict, judgement.text, judgement.confidence) == (Verdict.ACCEPT, wish, pytest.approx(0.7))


def test_texts_that_ask_for_the_same_count_together_where_that_is_sure() -> None:
    smells = [
        (f"could you open the fridge, {why}", chance) for why, chance in (("it smells", 0.4), ("eight bells", 0.3))
    ]
    wanted = {text: "open the fridge" for text, _ in smells}
    for knows, evidence, verdict in (
        (wanted.get, Evidence(3.0), Verdict.ACCEPT),
        (lambda text: None, Evidence(3.0), Verdict.ASK),
        (lambda text: text, Evidence(3.0), Verdict.ASK),
        (wanted.get, Evidence(3.0, asked=True), Verdict.ASK),
    ):
        sense = Sense(SENSE.expected, names=SENSE.named, odds=lambda heard, named: 1.0, asked_for=knows)
        assert decided(opinion("mumble", 0.3), smells, evidence, sense).verdict is verdict
    sense = Sense(SENSE.expected, names=["bells"], odds=lambda heard, named: 1.0, asked_for=wanted.get)
    assert decided(opinion("mumble", 0.3), smells, Evidence(3.0), sense).verdict is Verdict.ASK


FERRY, MILK = "well that was the last ferry", "well that was the last milk"


@pytest.mark.parametrize(
    ("together", "evidence", "asked_for", "verdict"),
    [
        ([(FERRY, 0.6)], Evidence(1.5), "", Verdict.DROP),
        ([(FERRY, 0.9)], Evidence(1.5), "", Verdict.DROP),
        ([(FERRY, 0.6)], Evidence(1.5), None, Verdict.ASK),
        ([(FERRY, 0.6)], Evidence(1.5), "bring; ferry", Verdict.ASK),
        ([(FERRY, 0.6)], Evidence(1.5, asked=True), "", Verdict.ASK),
        ([(FERRY, 0.6)], Evidence(1.5, addressed=True), "", Verdict.ASK),
        ([(FERRY, 0.6)], Evidence(1.5, in_talk=True), "", Verdict.ASK),
        ([(MILK, 0.6)], Evidence(1.5), "", Verdict.ASK),
        ([(FERRY, 0.5), (MILK, 0.4)], Evidence(1.5), "", Verdict.ASK),
        ([(FERRY, 0.5), ("no leave that on the last ferry", 0.4)], Evidence(1.5), "", Verdict.ASK),
        ([("just drop it there", 0.5), ("just stop it there", 0.4)], Evidence(1.5), "", Verdict.ASK),
        ([("something is burning", 0.6)], Evidence(1.5), "", Verdict.ASK),
        ([("you may continue", 0.6)], Evidence(1.5), "", Verdict.ASK),
    ],
    ids=[
        "small talk", "surely heard, but not meant for it", "nobody knows", "a wish", "perhaps an answer",
        "after its name", "to what heed just offered or does", "of a thing that is here",
        "or perhaps of one", "perhaps a no", "perhaps a stop", "short, as alarms are", "going on after a stop",
    ],
)  # fmt: skip
def test_nobody_is_asked_about_words_that_surely_ask_for_nothing(
    together: Likely, evidence: Evidence, asked_for: str | None, verdict: Verdict
) -> None:
    sense = Sense(SENSE.expected, names=SENSE.named, odds=lambda heard, named: -1.0, asked_for=lambda heard: asked_for)
    assert decided(opinion("mumble", 0.3), together, evidence, sense).verdict is verdict


def test_what_is_put_as_to_a_robot_is_asked_about_though_it_asks_for_nothing() -> None:
    sense = Sense(SENSE.expected, odds=lambda heard, named: 1.0, asked_for=lambda heard: "")
    assert decided(opinion("mumble", 0.3), [(FERRY, 0.6)], Evidence(1.5), sense).verdict is Verdict.ASK


def test_who_tells_of_themselves_names_nothing_that_is_here() -> None:
    told = "my little one smiled at me this morning"
    sense = Sense(SENSE.expected, names=["milk", "me"], odds=lambda heard, named: -1.0, asked_for=lambda heard: "")
    assert decided(opinion("mumble", 0.3), [(told, 0.9)], Evidence(1.5), sense).verdict is Verdict.DROP


WHERE, FETCH = "tell me where on earth the milk is", "well bring me the old milk there"
SPILT = f"{FERRY} and spilt milk"


@pytest.mark.parametrize(
    ("together", "odds", "verdict"),
    [
        ([(WHERE, 0.3)], 1.0, Verdict.ACCEPT),
        ([(WHERE, 0.1)], 1.0, Verdict.DROP),
        ([(WHERE, 0.3)], -1.0, Verdict.ASK),
        ([(FETCH, 0.3)], 1.0, Verdict.ASK),
        ([(WHERE, 0.3), (FETCH, 0.2)], 1.0, Verdict.ASK),
        ([(WHERE, 0.3), ("hell me where on earth is the milk", 0.2)], 1.0, Verdict.ACCEPT),
    ],
    ids=["a question", "hardly heard", "not for a robot", "a deed", "perhaps a deed", "perhaps something unknown"],
)
def test_a_question_is_answered_though_it_was_badly_heard(together: Likely, odds: float, verdict: Verdict) -> None:
    asked_for = {WHERE: "tell; ; milk; ", FETCH: "bring; milk; ; person"}.get
    sense = Sense(["open the fridge"], names=SENSE.named, odds=lambda heard, named: odds, asked_for=asked_for)
    assert decided(opinion("mumble", 0.3), together, Evidence(1.5), sense).verdict is verdict


def test_no_unsure_question_answers_a_question_of_heeds() -> None:
    sense = Sense(["open the fridge"], odds=lambda heard, named: 1.0, asked_for=lambda heard: "tell; ; milk; ")
    assert decided(opinion("mumble", 0.3), [(WHERE, 0.3)], Evidence(1.5, asked=True), sense).verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("together", "asked_for", "remark"),
    [
        ([(SPILT, 0.9)], "", True),
        ([(SPILT, 0.6)], "", False),
        ([(SPILT, 0.9)], None, False),
        ([(SPILT, 0.9)], "bring; spoon", False),
        ([("you may continue", 0.9)], "", False),
        ([("no my milk is gone", 0.9)], "", False),
    ],
    ids=["heard clearly", "not clearly", "nobody knows", "a wish", "going on after a stop", "a no"],
)
def test_a_remark_is_clearly_heard_and_surely_no_wish(together: Likely, asked_for: str | None, remark: bool) -> None:
    sense = Sense(SENSE.expected, names=SENSE.named, odds=lambda heard, named: -1.0, asked_for=lambda heard: asked_for)
    found = decided(opinion("mumble", 0.3), together, Evidence(1.5), sense)
    assert (found.verdict, found.remark) == (Verdict.ASK, remark)


def test_each_text_that_was_perhaps_said_has_to_ask_for_nothing() -> None:
    knows = {FERRY: "", "well bring us the last ferry": None}
    sense = Sense(SENSE.expected, odds=lambda heard, named: -1.0, asked_for=knows.get)
    together = [(text, 0.4) for text in knows]
    assert decided(opinion("mumble", 0.3), together, Evidence(1.5), sense).verdict is Verdict.ASK


def test_a_first_look_does_not_ask_what_words_come_to() -> None:
    sense = Sense(SENSE.expected, asked_for=lambda heard: pytest.fail("that takes time"))
    assert not sense.at_first().wants_nothing([FERRY])


@pytest.mark.parametrize(("other", "verdict"), [("now", Verdict.ACCEPT), ("no", Verdict.ASK), ("not", Verdict.ASK)])
def test_no_word_that_says_no_is_lost_in_a_deed(other: str, verdict: Verdict) -> None:
    heard = [("then open up the old fridge", 0.4), (f"{other} open up the old fridge", 0.3)]
    sense = Sense(odds=lambda heard, named: 1.0, sentences=["bring me the milk"], asked_for=lambda heard: "open fridge")
    assert decided(opinion("mumble", 0.3), heard, Evidence(3.0), sense).verdict is verdict


def test_what_is_here_is_no_filler() -> None:
    with_honey = Sense(SENSE.expected, names=["honey"])
    assert same_wish("bring me the milk honey", "bring me the milk now", SENSE)
    assert not same_wish("bring me the milk honey", "bring me the milk now", with_honey)


def test_to_go_on_after_a_stop_is_never_taken_from_free_words() -> None:
    heard = "you may continue"
    sense = Sense(SENSE.expected, odds=lambda heard, named: 1.0)
    assert decided(opinion("mumble", 0.3), [(heard, 0.9)], Evidence(1.5), sense).verdict is Verdict.ASK
    assert (
        decided(opinion("mumble", 0.3), [(f"{heard} your work", 0.9)], Evidence(1.5), sense).verdict is Verdict.ACCEPT
    )


HEARD_TWICE = [
    ("um open the fridge for me please", "open the fridge for me", True, "a filler"),
    ("put the milk on to the shelf", "put the milk onto the shelf", True, "where words are divided"),
    ("ask my cupmate to wait", "ask my cup mate to wait", True, "a word with a name and a filler in it"),
    ("put the milk how do you see in there", "put the milk how do you say in there", True, "one word of many"),
    ("put the milk on the shelf", "put the milk off the shelf", False, "a small word that counts"),
    ("bring me the milk as soon as it suits you", "bring me the mill as soon as it suits you", False, "a name"),
    ("bring me the mill as soon as it suits you", "bring me the milk as soon as it suits you", False, "no name"),
    ("bring me the milk as soon as it suits you", "bring me the cup as soon as it suits you", False, "another name"),
    ("stop the tap over there please now", "shop the tap over there please now", False, "a verb that counts"),
    ("carry the man heartedly home", "curry her are gently home", False, "too many words"),
    ("open it", "close it", False, "what is to be done"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "same", "why"), HEARD_TWICE, ids=[why for *_, why in HEARD_TWICE])
def test_a_wish_may_differ_in_what_changes_nothing(one: str, other: str, same: bool, why: str) -> None:
    assert same_wish(one, other, SENSE) is same


def test_talk_between_people_is_neither_done_nor_asked_about_unless_heed_asked_or_was_called() -> None:
    talk = "she never told me that they had moved"
    others = Sense(["bring me the milk"], odds=lambda heard, named: OVERHEARD - 1.0)
    for evidence, verdict in (
        (Evidence(2.0), Verdict.DROP),
        (Evidence(2.0, asked=True), Verdict.ASK),
        (Evidence(2.0, addressed=True), Verdict.ACCEPT),
    ):
        one = judge(talk, 0.6, (), evidence, others, LIMITS)
        assert decided(one, [(talk, 0.9)], evidence, others).verdict is verdict


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
        self.vocabulary: list[str] = []
        self._answer = Recognition(text, confidence, hypotheses=(Hypothesis(text, -1.0, 4),))
        self.may.set()

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        assert self.may.wait(10)
        self.heard += 1
        return self._answer

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        self.vocabulary = list(sentences)

    def likelihoods(self, samples: NDArray[np.int16], texts: Sequence[str]) -> list[float]:
        return [-1.0 if text == self._answer.text else -3.0 for text in texts]

    def expected(self, words: Sequence[str]) -> float:
        return -2.0 * len(words)

    def search(self, samples: NDArray[np.int16]) -> Search:
        return Search(self.recognize(samples), self._answer.hypotheses, 1.0, self.judge)

    def judge(self, texts: Sequence[str]) -> Sequence[Hypothesis]:
        return [Hypothesis(text, -9.0, 4) for text in texts]


class Broken(Hears):
    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        raise RuntimeError("out of memory")


class Deaf(Hears):
    def search(self, samples: NDArray[np.int16]) -> Search:
        return Search(Recognition("", 0.0), (), 0.1, lambda texts: ())


class Stops(Hears):
    """Hears a stop, and must not be asked what it thinks of other texts."""

    def judge(self, texts: Sequence[str]) -> Sequence[Hypothesis]:
        raise AssertionError("a stop has waited")


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
    assert (ears.first.vocabulary, ears.second.vocabulary) == (["bring me the milk"], ["bring me the milk"])  # type: ignore[attr-defined]
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


def test_the_second_ear_does_not_listen_to_what_somebody_has_gone_on_from() -> None:
    second = Hears("bring me the milk")
    working, told = at_work(TwoEars(Hears("ring me the mill"), second))
    working.put(replace(order(1), recognize=Recognize(1, Segment(0, 0, 0, 0), final=False)))
    assert isinstance(told.get(timeout=10), Unsure)
    working.put(order(2))
    words = [told.get(timeout=10), told.get(timeout=10)]
    working.close()
    for thread in working.threads:
        thread.join(10)
    assert [(type(event), event.ticket) for event in words] == [(Unsure, 2), (Understood, 2)]  # type: ignore[union-attr]
    assert second.heard == 1


def test_where_the_second_ear_fails_the_first_one_counts() -> None:
    working, told = at_work(TwoEars(Hears("ring me the mill"), Broken("")))
    working.put(order(1))
    assert [told.get(timeout=10), told.get(timeout=10)] == [
        Unsure(1, opinion("ring me the mill", 0.5)), Understood(1, opinion("ring me the mill", 0.5)),
    ]  # fmt: skip
    working.close()


FREE = "when you have a minute take the milk out of the fridge please"


@pytest.mark.parametrize(
    ("together", "verdict"),
    [
        ([(FREE, 0.9)], Verdict.ACCEPT),
        ([(FREE.replace("milk", "cup"), 0.5), (FREE, 0.45)], Verdict.ASK),
        ([], Verdict.ASK),
    ],
)
def test_words_that_nobody_expected_are_done_only_if_both_ears_find_them_likely(
    together: Likely, verdict: Verdict
) -> None:
    sense = Sense(SENSE.expected, names=["milk", "cup"], odds=lambda heard, named: 5.0)
    first = judge(FREE, 0.95, (), Evidence(6.0), sense, LIMITS)
    assert (first.verdict, doubtful(first)) == (Verdict.ACCEPT, True)
    assert decided(first, together, Evidence(6.0), sense).verdict is verdict


def test_an_expected_sentence_is_done_at_once() -> None:
    assert not doubtful(judge("bring me the milk", 0.95, (), Evidence(2.0), SENSE, LIMITS))


def test_both_ears_judge_what_either_thinks_possible() -> None:
    ears = TwoEars(Hears("Bring me the mill."), Hears("Bring me the milk."))
    sound = np.zeros(0, np.int16)
    together = ears.together(sound, ears.recognize(sound), ears.second.search(sound))
    (best, likely), (other, unlikely) = together
    assert (best, other) == ("Bring me the milk.", "Bring me the mill.")  # 0.55 * (-1 - 3) before 0.55 * (-9 - 1)
    assert likely + unlikely == pytest.approx(1.0)
    assert likely / unlikely == pytest.approx(math.exp(SHARE * 6.0))


def test_where_nobody_speaks_nothing_is_likely() -> None:
    sound = np.zeros(0, np.int16)
    ears = TwoEars(Hears("yes"), Deaf(""))
    assert ears.together(sound, Recognition("", 0.0), ears.second.search(sound)) == ()


@pytest.mark.parametrize(("confidence", "verdict"), [(0.5, Verdict.ACCEPT), (0.2, Verdict.ASK)])
def test_a_stop_that_only_the_second_ear_hears_does_not_wait_until_both_have_judged(
    confidence: float, verdict: Verdict
) -> None:
    judgement = understood(TwoEars(Hears("top it up there"), Stops("Stop!", confidence)), order(1), SENSE)
    assert (judgement.verdict, judgement.text) == (verdict, "Stop!")


def test_a_stop_that_the_second_ear_hardly_believes_is_none() -> None:
    judgement = understood(TwoEars(Hears("bring me the milk", 0.1), Hears("Stop!", 0.1)), order(1), SENSE)
    assert judgement.text == "bring me the milk"


def test_what_words_would_come_to_is_asked_only_where_both_ears_hear() -> None:
    asked: list[str] = []

    def odds(heard: str, named: int) -> float:
        asked.append(heard)
        return 3.0

    sense = Sense(["yes"], odds=odds, odds_at_first=lambda heard, named: -9.0)
    ears = TwoEars(Hears("Haul it over.", 0.9), Hears("Haul it over."))
    judgement = understood(ears, order(1), sense)
    assert (judgement.verdict, set(asked)) == (Verdict.ACCEPT, {"Haul it over."})
    first = first_opinion(ears, order(1), sense).judgement
    assert (first.verdict, len(asked)) == (Verdict.DROP, 1)
