"""Requests in words over heed.sock, in front of a whole heed on the simulated robot."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from bridge.ros2.asked import Asked, Ended, Lines, Progress, news
from bridge.ros2.links import stop
from daemon.asked_in_words import REQUESTS
from daemon.config import LlmConfig, PermissionConfig
from daemon.service.control import CommandError, NoDaemonError
from hw.client import send_stop
from tests.story.test_app import Running, config_in, drives, heed, rests, runtime
from tests.support.waiting import until

__all__ = ["heed", "runtime"]  # fixtures


def ask(heed: Running, words: str) -> Asked:
    return Asked(heed.app.config.runtime_directory, words)


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


def test_only_so_many_wait_at_a_time(heed: Running) -> None:
    going = [ask(heed, "go to the fridge")]
    until(drives(heed))
    going += [ask(heed, "go to the sink") for _ in range(REQUESTS - 1)]
    time.sleep(0.2)  # until each has its place
    assert "wait already" in end(ask(heed, "go to the table"))[0].error
    for asked in reversed(going):
        asked.cancel()
    assert {end(asked)[0].outcome for asked in going} == {"canceled"}


def test_who_watches_is_told_what_is_heard_and_said(heed: Running) -> None:
    with closing(Lines(heed.app.config.runtime_directory, {"command": "watch"})) as lines:
        assert lines.next(10) == {"progress": {"kind": "begin", "text": ""}}
        heed.say("what do you see?")
        told = [line["progress"] for _ in range(2) if (line := lines.next(60))]
    assert [one["kind"] for one in told] == ["heard", "said"]
    assert told[0]["text"] == "what do you see?"


def test_no_heed_and_a_heed_that_ends_are_told(heed: Running) -> None:
    runtime = heed.app.config.runtime_directory
    with pytest.raises(NoDaemonError):
        Asked(runtime / "elsewhere", "go to the fridge")
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
