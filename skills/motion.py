"""What the motion skills share: waiting for a goal, and asking the body without learning its errors by heart."""

import time
from collections.abc import Callable

from hw.state import GoalResult, GoalState, HardwareError, StoppedError
from skills.skill import Cancelled, Goal, SkillContext, SkillError

SUCCESS = "success"


class BlindError(SkillError):
    """The eyes failed while a hand moved by what they saw, and it was stopped."""


GLANCE = 0.1
"""Seconds between two looks at the eyes while a hand moves by what they saw."""
BLIND = 0.7
"""Seconds for which nothing may be seen meanwhile: one picture may come late."""


def carry_out(robot: SkillContext, doing: str, start: Callable[[], Goal], seeing: bool = False) -> None:
    """Start a goal and wait until it has ended; `doing` tells the model what it was, such as "drive to the sink".

    `seeing` ends it where the eyes fail meanwhile. Raises Cancelled when a person ended it, SkillError when the body
    could not do it, BlindError when nothing was seen.
    """
    try:
        goal = start()
        result = _seen_through(robot, doing, goal) if seeing else goal.wait()
    except StoppedError as stopped:
        raise Cancelled(str(stopped)) from stopped
    except HardwareError as error:
        raise SkillError(f"could not {doing}: {error}") from error
    if result.state is GoalState.SUCCEEDED:
        return
    if result.state is GoalState.CANCELED or robot.body.state().stopped:
        raise Cancelled(result.detail or f"cancelled: {doing}")
    raise SkillError(f"could not {doing}: {result.detail}", result.hint)


def _seen_through(robot: SkillContext, doing: str, goal: Goal) -> GoalResult:
    """Wait for a motion that goes by what was seen; raises BlindError where nothing is seen any more, and ends it."""
    saw_at = time.monotonic()
    while True:
        try:
            return goal.wait(GLANCE)
        except TimeoutError:
            trouble = robot.trouble()
        saw_at = saw_at if trouble else time.monotonic()
        if time.monotonic() - saw_at > BLIND:
            goal.cancel()
            goal.wait()
            raise BlindError(f"I stopped to {doing}: {trouble}", "tell the person that you cannot see")
