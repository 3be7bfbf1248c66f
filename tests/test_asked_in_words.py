"""How a request of another program ends, told by the steps of the conversation."""

import pytest

from daemon.asked_in_words import Request, outcome
from daemon.trigger import TriggerQueue, Utterance


def after(*steps: tuple[str, str]) -> Request:
    request = Request(Utterance("bring me the juice"), 0, heard=True)
    for kind, text in steps:
        request.take(kind, text)
    return request


def test_it_ends_where_heed_waits_again() -> None:
    request = after(("statement", "say('yes')"), ("said", "yes"))
    assert not request.ended
    request.take("statement", "wait_for_trigger()")
    assert request.ended
    assert outcome(request)["said"] == ["yes"]


@pytest.mark.parametrize(
    ("result", "ended"),
    [
        ("'success'", "succeeded"),
        ("RuntimeError: the fridge is closed. Hint: open_door('fridge')", "aborted"),
        ("KeyboardInterrupt: a person said: never mind", "canceled"),
    ],
)
def test_the_last_thing_that_was_tried_decides(result: str, ended: str) -> None:
    request = after(("statement", "grasp('juice')"), ("result", result), ("statement", "say('so it is')"))
    assert outcome(request)["outcome"] == ended


def test_an_error_is_told_with_its_hint_and_what_was_done_before_it() -> None:
    told = outcome(
        after(
            ("statement", "move_to('fridge')"), ("result", "'success'"),
            ("statement", "grasp('juice')"), ("result", "RuntimeError: it is closed. Hint: open_door('fridge')"),
        )
    )  # fmt: skip
    assert (told["error"], told["hint"]) == ("it is closed.", "open_door('fridge')")
    assert told["did"] == ["move_to('fridge')"]


def test_an_error_that_was_mended_is_none() -> None:
    told = outcome(
        after(
            ("statement", "grasp('juice')"), ("result", "RuntimeError: it is closed"),
            ("statement", "open_door('fridge')"), ("result", "'success'"),
            ("statement", "grasp('juice')"), ("result", "'success'"),
        )
    )  # fmt: skip
    assert (told["outcome"], told["error"]) == ("succeeded", "")
    assert told["did"] == ["open_door('fridge')", "grasp('juice')"]


def test_talk_alone_has_done_nothing() -> None:
    told = outcome(after(("statement", "say('I see no moon.')"), ("said", "I see no moon.")))
    assert (told["outcome"], told["did"]) == ("succeeded", [])


def test_what_a_stop_threw_away_is_aborted() -> None:
    assert outcome(Request(Utterance("go to the sink"), 0))["outcome"] == "aborted"


def test_one_of_two_that_are_alike_is_taken_back() -> None:
    queue, one, other = TriggerQueue(), *(Utterance("go to the sink", started_at=1, heard_at=1) for _ in range(2))
    queue.put(one)
    queue.put(other)
    assert queue.take_back(other)
    assert not queue.take_back(other)
    assert queue.waits(one)
    assert not queue.waits(other)
