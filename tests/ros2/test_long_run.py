"""Joint states for hours: `script/test-ros2 -k grows --minutes 120` prints a line a minute; two minutes unless told."""

import time
from pathlib import Path
from typing import Any

import pytest

from hw.client import Robot
from tests.ros2.processes import SUCCEEDED, Client, Heed, Process, elsewhere
from tests.support.waiting import until

pytestmark = pytest.mark.slow
GROWTH = 8.0
"""MB that a process may hold more in the second half than it ever did in the first: an allocator's, not a leak's."""


def memory(process: int) -> float:
    """Return what a process and those that its threads have started hold, in MB; 0 for one that has ended."""
    folder = Path(f"/proc/{process}")
    try:
        pages = int((folder / "statm").read_text().split()[1])
        started = [int(child) for thread in folder.glob("task/*/children") for child in thread.read_text().split()]
    except OSError:
        return 0.0
    return pages * 4096 / 1e6 + sum(map(memory, started))


def one_minute(client: Client) -> int:
    """Let a minute pass, and return how many joint states came in it."""
    ends, came = time.monotonic() + 60.0, 0
    while time.monotonic() < ends:
        time.sleep(0.5)
        came += forget(client.got["/heed/joint_states"])
        for heard in client.got.values():
            forget(heard)
    return came


def forget(heard: list[Any]) -> int:
    """Drop what was heard, and return how many messages that were."""
    known = len(heard)
    del heard[:known]
    return known


def most(held: list[dict[str, float]]) -> dict[str, float]:
    """Return what each process held at the most."""
    return {name: max(minute[name] for minute in held) for name in held[0]}


@pytest.mark.timeout(0)
def test_nothing_grows_while_joint_states_go_out_and_a_goal_is_carried_out_each_minute(
    running: Heed, client: Client, bridge: Process, request: pytest.FixtureRequest
) -> None:
    processes = {"bridge": bridge.id, "heed": running.id, "heed-hw": running.child("hw.server")}
    held: list[dict[str, float]] = []
    failed: list[str] = []
    counted = 0
    minutes = request.config.getoption("--minutes")
    for minute in range(minutes):
        goal = client.ask(elsewhere(client))
        assert goal is not None
        state, result = goal.wait()
        if state != SUCCEEDED:
            failed.append(f"in minute {minute + 1}: {state}, {result}")
            print(failed[-1], "".join(running.log.read_text().splitlines(keepends=True)[-30:]), sep="\n", flush=True)
            running.reset()
        counted += one_minute(client)
        held.append({name: memory(number) for name, number in processes.items()})
        told = ", ".join(f"{name} {megabytes:.1f} MB" for name, megabytes in held[-1].items())
        print(f"\n{minute + 1} minutes, {counted} joint states: {told}", end=" ", flush=True)
    first, second = most(held[: minutes // 2]), most(held[minutes // 2 :])
    assert {name: second[name] - first[name] for name in first if second[name] - first[name] > GROWTH} == {}
    assert failed == []
    with Robot(running.runtime) as robot:
        assert not robot.state().stopped
    until(lambda: client.got["/heed/joint_states"])
