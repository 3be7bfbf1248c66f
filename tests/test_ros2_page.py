"""docs/ros2.md: what it says of goal states, and its client of heed's socket in front of a whole heed."""

import re
from pathlib import Path
from typing import Any

import pytest

from daemon.service.control import SOCKET
from hw.state import GoalState
from tests.story.test_app import Running, drives, heed, rests, runtime
from tests.support.waiting import until

__all__ = ["heed", "runtime"]  # fixtures
PAGE = (Path(__file__).parents[1] / "docs" / "ros2.md").read_text()
(CODE,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def call(heed: Running, skill: str, **arguments: Any) -> Any:
    names: dict[str, Any] = {}
    exec(CODE, names)
    return names["Call"](str(heed.app.config.runtime_directory / SOCKET), skill, **arguments)


def test_every_state_of_a_goal_has_one_of_ros() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `STATUS_(\w+)` \| (\d) \|", PAGE, re.MULTILINE)
    assert {state for state, _, _ in rows} == set(GoalState)
    assert all(state.upper() == ros for state, ros, _ in rows)
    assert sorted(int(number) for *_, number in rows) == [1, 2, 3, 4, 5, 6]


@pytest.mark.whole
def test_a_call_executes_and_succeeds(heed: Running) -> None:
    states = list(call(heed, "move_to", location="person").states())
    assert [state for state, _ in states][-1] == "succeeded"
    assert "executing" in {state for state, _ in states}
    assert states[-1][1]["result"] == "success"


def test_a_call_that_is_cancelled_ends_when_the_robot_rests(heed: Running) -> None:
    going = call(heed, "move_to", location="person")
    states = []
    for state, _ in going.states():
        if state == "executing" and "executing" not in states:
            until(drives(heed))
            going.cancel()
        states.append(state)
    assert states[-1] == "canceled"
    until(lambda: rests(heed))


@pytest.mark.whole
def test_a_persons_never_mind_cancels_and_a_mistake_aborts(heed: Running) -> None:
    going = call(heed, "move_to", location="person")
    until(drives(heed))
    heed.say("never mind")
    assert [state for state, _ in going.states()][-1] == "canceled"
    assert list(call(heed, "move_to", location="moon").states())[-1][0] == "aborted"
