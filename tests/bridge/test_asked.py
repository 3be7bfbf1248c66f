"""Requests in words over heed.sock, in front of a whole heed on the simulated robot."""

import json
import time
from contextlib import closing
from pathlib import Path

import pytest

from bridge.ros2.asked import Asked, Ended, Lines, Progress, call_of, in_words, news
from bridge.ros2.links import stop
from daemon.asked_in_words import REQUESTS
from daemon.config import LlmConfig, PermissionConfig
from daemon.service.control import CommandError, NoDaemonError
from hw.client import send_stop
from tests.story.test_app import Running, config_in, drives, heed, rests, runtime
from tests.support.waiting import until

__all__ = ["heed", "runtime"]  # fixtures


def ask(heed: Running, words: str) -> Asked:
    return Asked(heed.app.config.runtime_directory, in_words(words))


def call(heed: Running, skill: str, arguments: str = "") -> Asked:
    return Asked(heed.app.config.runtime_directory, call_of(skill, arguments, "a test"))


def end(asked: Asked) -> tuple[Ended, list[Progress]]:
    """Wait for the end; returns it with all progress until then."""
    told: list[Progress] = []
    with closing(asked):
        while not isinstance(said := asked.next(60.0), Ended):
            assert said is not None
            told.append(said)
        return said, told


@pytest.mark.whole
def test_a_request_is_done_and_tells_how_it_goes_on(heed: Running) -> None:
    ended, told = end(ask(heed, "go to the fridge"))
    assert (ended.outcome, ended.did) == ("succeeded", ("move_to('fridge')",))
    assert ended.said
    assert {progress.doing for progress in told} >= {"moving"}
    assert any(progress.remaining > 0 for progress in told)


def test_a_request_that_is_cancelled_ends_when_the_robot_rests(heed: Running) -> None:
    asked = ask(heed, "go to the fridge")
    until(drives(heed))
    asked.cancel()
    ended, _ = end(asked)
    assert (ended.outcome, ended.did) == ("canceled", ())
    until(lambda: rests(heed))


@pytest.mark.whole
def test_a_client_that_vanishes_has_cancelled(heed: Running) -> None:
    asked = ask(heed, "go to the fridge")
    until(drives(heed))
    asked.close()
    until(lambda: rests(heed))
    heed.wait()


@pytest.mark.whole
def test_a_persons_never_mind_cancels_it(heed: Running) -> None:
    asked = ask(heed, "go to the fridge")
    until(drives(heed))
    heed.say("never mind")
    assert end(asked)[0].outcome == "canceled"


def test_a_stop_cancels_what_is_done_and_aborts_what_waits(heed: Running) -> None:
    first = ask(heed, "go to the fridge")
    until(drives(heed))
    second = ask(heed, "go to the sink")
    assert isinstance(waits := second.next(60), Progress)
    assert waits.doing == "waiting for its turn"
    assert end(ask(heed, "stop"))[0].outcome == "succeeded"
    assert end(first)[0].outcome == "canceled"
    assert end(second)[0].outcome == "aborted"
    assert heed.app.body.state().stopped
    for words in ("go on", "resume", "you can move again"):
        end(ask(heed, words))
        assert heed.app.body.state().stopped


@pytest.mark.whole
def test_a_stop_that_heed_is_told_of_after_a_release_undoes_nothing(heed: Running) -> None:
    report = send_stop(heed.app.config.runtime_directory, "a ROS 2 node said stop")
    heed.app.heed.resume("the test")
    heed.app.heed.stopped("a ROS 2 node said stop", report)
    assert not heed.app.body.state().stopped
    assert end(ask(heed, "go to the fridge"))[0].outcome == "succeeded"


@pytest.mark.whole
def test_a_stop_that_heed_is_told_of_ends_what_is_done_and_what_waits(heed: Running) -> None:
    first = ask(heed, "go to the fridge")
    until(drives(heed))
    second = ask(heed, "go to the sink")
    assert second.next(60) == Progress("waiting for its turn")
    stop(heed.app.config.runtime_directory, "a test said stop")
    assert end(first)[0].outcome == "canceled"
    assert end(second)[0].outcome != "succeeded"
    heed.app.heed.resume("the test")
    heed.wait()
    assert not heed.app.body.state().stopped


@pytest.mark.whole
def test_what_waits_and_is_cancelled_is_never_begun(heed: Running) -> None:
    first = ask(heed, "go to the fridge")
    until(drives(heed))
    second = ask(heed, "go to the sink")
    second.cancel()
    assert end(second)[0].outcome == "canceled"
    first.cancel()
    end(first)
    heed.wait()
    assert "sink" not in " ".join(turn.utterance for turn in heed.app.console.history.turns)


@pytest.mark.whole
def test_two_that_are_alike_are_both_answered(heed: Running) -> None:
    asked = [ask(heed, "what do you see?") for _ in range(2)]
    assert [end(one)[0].outcome for one in asked] == ["succeeded", "succeeded"]


@pytest.mark.whole
def test_where_a_yes_is_needed_the_person_gives_it_and_no_program(runtime: Path) -> None:
    asks = PermissionConfig(confirm="move_to")
    heed = Running(config_in(runtime, llm=LlmConfig(brain="imitation"), permission=asks))
    heed.wait()
    asked = ask(heed, "go to the fridge")
    until(lambda: asked.next(60.0) == Progress("asking the person beside the robot"))
    assert "asking somebody" in end(ask(heed, "yes"))[0].error
    assert heed.app.conversation.asking
    heed.say("no")
    ended, _ = end(asked)
    assert (ended.outcome, ended.did) == ("aborted", ())
    heed.app.shut_down("the test is over")
    heed.end()


@pytest.mark.whole
def test_only_so_many_wait_at_a_time(heed: Running) -> None:
    going = [ask(heed, "go to the fridge")]
    until(drives(heed))
    going += [ask(heed, "go to the sink") for _ in range(REQUESTS - 1)]
    time.sleep(0.2)  # until each has its place
    assert "wait already" in end(ask(heed, "go to the table"))[0].error
    for asked in reversed(going):
        asked.cancel()
    assert {end(asked)[0].outcome for asked in going} == {"canceled"}


@pytest.mark.whole
def test_a_skill_is_called_with_arguments_and_tells_what_it_returned(heed: Running) -> None:
    ended, told = end(call(heed, "move_to", '{"location": "fridge"}'))
    assert ended.outcome == "succeeded"
    assert json.loads(ended.result) == "success"
    assert any(progress.doing == "moving" and progress.remaining > 0 for progress in told)
    ended, _ = end(call(heed, "list_locations"))
    assert "fridge" in json.loads(ended.result)


@pytest.mark.whole
def test_a_skill_that_is_cancelled_brakes_and_one_that_waits_is_never_begun(heed: Running) -> None:
    first = call(heed, "move_to", '{"location": "fridge"}')
    until(drives(heed))
    second = call(heed, "move_to", '{"location": "sink"}')
    for asked in (second, first):
        asked.cancel()
        assert end(asked)[0].outcome == "canceled"
    assert rests(heed)


@pytest.mark.whole
def test_a_persons_never_mind_and_a_stop_cancel_a_skill(heed: Running) -> None:
    asked = call(heed, "move_to", '{"location": "fridge"}')
    until(drives(heed))
    heed.say("never mind")
    assert end(asked)[0].outcome == "canceled"
    asked = call(heed, "move_to", '{"location": "fridge"}')
    until(drives(heed))
    stop(heed.app.config.runtime_directory, "a test said stop")
    assert end(asked)[0].outcome == "canceled"
    assert "stopped" in end(call(heed, "move_to", '{"location": "sink"}'))[0].error


@pytest.mark.whole
def test_a_skill_that_fails_or_is_unknown_says_why_and_what_to_do(heed: Running) -> None:
    ended, _ = end(call(heed, "move_to", '{"location": "moon"}'))
    assert (ended.outcome, ended.result) == ("aborted", "")
    assert "moon" in ended.error
    assert "move_to" in end(call(heed, "fly"))[0].hint
    assert "location" in end(call(heed, "move_to", '{"height": 3}'))[0].hint


@pytest.mark.parametrize("arguments", ["{", "[1]", '"fridge"', '{"speed": NaN}', '{"speed": Infinity}'])
def test_arguments_that_are_no_object_of_json_are_refused(arguments: str) -> None:
    with pytest.raises(CommandError) as refused:
        call_of("move_to", arguments, "a test")
    assert "{" in refused.value.hint


def test_who_watches_is_told_what_is_heard_and_said(heed: Running) -> None:
    with closing(Lines(heed.app.config.runtime_directory, {"command": "watch"})) as lines:
        assert lines.next(10) == {"progress": {"kind": "begin", "text": ""}}
        heed.say("what do you see?")
        told = [line["progress"] for _ in range(2) if (line := lines.next(60))]
    assert [one["kind"] for one in told] == ["heard", "said"]
    assert told[0]["text"] == "what do you see?"


@pytest.mark.whole
def test_no_heed_and_a_heed_that_ends_are_told(heed: Running) -> None:
    runtime = heed.app.config.runtime_directory
    with pytest.raises(NoDaemonError):
        Asked(runtime / "elsewhere", in_words("go to the fridge"))
    watch = Lines(runtime, {"command": "watch"})
    heed.app.doors.control.close()
    watch.end_sending()
    assert watch.next(10) == {"progress": {"kind": "begin", "text": ""}}
    assert watch.next(10) == {"ok": True}
    with pytest.raises(CommandError, match="hung up"):
        watch.next(10)


def test_nonsense_from_heed_counts_as_aborted() -> None:
    assert news({"ok": True, "outcome": "exploded"}).outcome == "aborted"  # type: ignore[union-attr]
    assert news({"ok": False, "error": "no", "hint": "yes"}) == Ended("aborted", error="no", hint="yes")
