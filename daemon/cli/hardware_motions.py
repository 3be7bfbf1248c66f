"""Motions that a person tries with `heed hw`: every joint a little and back, the wheels, and single joints by keys."""

import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from daemon.service.control import CommandError
from hw.client import Robot, send_stop
from hw.state import GoalState, HardwareError, Lifecycle, Standstill

SMALL = 0.06
"""Radians that a joint moves in the test: three degrees, seen by eye and by the encoder."""
JOG_SPEED = 0.3
"""Radians per second by key."""
KEY_TTL = 0.3
"""Seconds that a key moves a joint: a little longer than keyboards take to repeat it."""


def tried_motions(robot: Robot, runtime: Path) -> Iterator[tuple[str, str]]:
    """Name of each test, and what went wrong in it, or nothing."""
    state = robot.state()
    for name, lifecycle in state.lifecycle.items():
        yield f"{name} is active", "" if lifecycle is Lifecycle.ACTIVE else f"it is {lifecycle}: heed resume"
    for arm, measured in state.arms.items():
        names = [joint["name"] for joint in robot.description["arms"][arm]["joints"]]
        for number, joint in enumerate(names):
            yield f"{arm} {joint}", _nudge(robot, arm, measured.joints, number)
    if "base" in state.lifecycle:
        yield "base", _roll(robot)
    report = send_stop(runtime, "heed hw test")
    yield "stop", "" if report.standstill is Standstill.TRUE else f"standstill is {report.standstill}"


def _nudge(robot: Robot, arm: str, joints: Sequence[float], number: int) -> str:
    """One joint there and back; away from the nearer end of its range."""
    low, high = robot.description["arms"][arm]["joints"][number]["limits"]["position"]
    away = SMALL if joints[number] < (low + high) / 2 else -SMALL
    moved = [angle + away * (index == number) for index, angle in enumerate(joints)]
    try:
        for goal in (moved, list(joints)):
            result = robot.move_joints(arm, goal, speed=0.2).wait(20)
            if result.state is not GoalState.SUCCEEDED:
                return result.detail
    except (HardwareError, TimeoutError) as error:
        return str(error)
    return ""


def _roll(robot: Robot) -> str:
    """A little forward and back to where it stood."""
    before = robot.state().base
    try:
        for ahead in (0.05, 0.0):
            x, y = before.to_map(ahead, 0.0)
            result = robot.drive_to(x, y, before.theta, speed=0.3).wait(30)
            if result.state is not GoalState.SUCCEEDED:
                return result.detail
    except (HardwareError, TimeoutError) as error:
        return str(error)
    return ""


def jog_with_keys(robot: Robot, arm: str, names: Sequence[str]) -> None:
    """1 to 6 choose a joint, + and - turn it, anything else ends it; nothing moves without a key."""
    if not sys.stdin.isatty():
        raise CommandError("keys need a terminal", "give --joint and --by instead")
    print(f"{arm}: " + "  ".join(f"{number} {name}" for number, name in enumerate(names, 1)) + "   + -   q ends")
    chosen = 0
    with _single_keys():
        while True:
            key = sys.stdin.read(1)
            if key.isdigit() and 1 <= int(key) <= len(names):
                chosen = int(key) - 1
            elif key in "+-":
                velocity = JOG_SPEED if key == "+" else -JOG_SPEED
                robot.jog(arm, [velocity * (i == chosen) for i in range(len(names))], ttl=KEY_TTL)
            else:
                return


@contextmanager
def _single_keys() -> Iterator[None]:
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
