"""Bridges and heeds that are killed, frozen, asked to end, started in any order, and without the interfaces."""

import json
import signal
import time
from contextlib import closing
from pathlib import Path

import pytest
from std_msgs.msg import Empty, String

from tests.ros2.processes import ABORTED, SUCCEEDED, Bridge, Client, Heed, elsewhere, moves, set_off
from tests.support.waiting import until

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("state", ["idle", "goal", "steered", "stopped"])
def test_a_bridge_that_is_killed_is_nothing_to_heed(folder: Path, client: Client, heed: Heed, state: str) -> None:
    """Beside the bridge of the others, with a name of its own."""
    bridge = Bridge(folder, "--name", state)  # for twenty seconds ROS shows one that was killed: no name is used twice
    other = client.other(state)
    try:
        other.wait_bridge()
        if state == "goal":
            goal = other.ask(elsewhere(client))
            assert goal is not None
            until(moves(heed.runtime))
        elif state == "steered":
            time.sleep(0.7)
            for _ in range(10):
                other.drive(0.1)
                time.sleep(0.05)
        elif state == "stopped":
            assert other.stop().success
        bridge.kill()
    finally:
        bridge.close()
    until(lambda: not moves(heed.runtime)())
    heed.wait_idle()
    # who vanishes while it moves something is a fault to heed-hw, whoever it is: that is latched
    assert bool(heed.ask("status")["stopped"]) is (state in ("stopped", "steered"))
    heed.reset()
    goal = client.ask(elsewhere(client))
    assert goal is not None
    assert goal.wait()[0] == SUCCEEDED


def test_a_bridge_that_is_frozen_is_nothing_to_heed_and_ends_when_it_thaws(
    folder: Path, client: Client, heed: Heed
) -> None:
    with closing(Bridge(folder, "--name", "frozen", "--patience", "2")) as bridge:
        client.other("frozen").wait_bridge()
        bridge.signal(signal.SIGSTOP)
        goal = client.ask(elsewhere(client))
        assert goal is not None
        assert goal.wait()[0] == SUCCEEDED
        time.sleep(2.0)
        bridge.signal(signal.SIGCONT)
        assert bridge.wait() == 1


def test_a_bridge_that_is_asked_to_end_ends_well_and_brakes(folder: Path, client: Client, heed: Heed) -> None:
    bridge = Bridge(folder, "--name", "asked")
    other = client.other("asked")
    other.wait_bridge()
    assert other.ask(elsewhere(client)) is not None
    until(moves(heed.runtime))
    bridge.signal(signal.SIGTERM)
    assert bridge.wait() == 0
    heed.wait_idle()
    until(lambda: not moves(heed.runtime)())


def test_a_heed_that_dies_and_comes_back_is_found_again(folder: Path, client: Client) -> None:
    place = folder / "again"
    place.mkdir()
    with closing(Bridge(place, "--name", "again")):
        again = client.other("again")
        again.wait_bridge()
        assert again.last("/again/stopped").data  # nobody is there who could move anything
        goal = again.ask("go to the fridge")
        assert goal is not None
        assert "no heed is running" in goal.wait()[1].error
        for _ in range(2):
            heed = Heed(place)
            with closing(heed):
                heed.wait_ready()
                until(lambda: not again.got["/again/stopped"][-1].data)
                goal = set_off(heed, again, "go to the fridge")
                heed.kill()
                status, result = goal.wait()
                assert status == ABORTED
                assert "hung up" in result.error
                until(lambda: again.got["/again/stopped"][-1].data)


def test_without_the_interfaces_requests_go_by_topics(folder: Path, client: Client, heed: Heed) -> None:
    bridge = Bridge(folder, "--name", "plain", interfaces=False)
    plain = client.other("plain")
    try:
        until(plain.stops)
        plain.publish("/plain/request", String(data="what do you see?"))
        told = json.loads(plain.last("/plain/result").data)
        assert (told["words"], told["outcome"]) == ("what do you see?", "succeeded")
        plain.publish("/plain/request", String(data=elsewhere(client)))
        until(moves(heed.runtime))
        plain.publish("/plain/cancel", Empty())
        until(lambda: len(plain.got["/plain/result"]) == 2)
        assert json.loads(plain.got["/plain/result"][1].data)["outcome"] == "canceled"
        assert "heed_interfaces is not built" in bridge.log.read_text()
    finally:
        bridge.close()
