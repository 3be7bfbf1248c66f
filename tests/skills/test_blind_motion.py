"""A hand that moves by what was seen stops where the eyes fail on the way."""

from dataclasses import replace

import pytest

from hw.state import GoalResult, GoalState
from skills.motion import carry_out
from skills.skill import Goal, SkillContext, SkillError
from tests.skills.test_preconditions import Room


class Endless:
    """A motion that only ends when it is cancelled."""

    def __init__(self) -> None:
        self.cancelled = False

    def wait(self, timeout: float | None = None) -> GoalResult:
        if not self.cancelled:
            raise TimeoutError
        return GoalResult(GoalState.CANCELED)

    def cancel(self) -> None:
        self.cancelled = True


def robot(*troubles: str) -> SkillContext:
    """One whose eyes have these troubles, one after the other; the last one lasts."""
    told = list(troubles)
    room = Room()
    context = SkillContext(room.robot, room.robot.observe)
    return replace(context, trouble=lambda: told.pop(0) if len(told) > 1 else told[0])


def test_it_is_ended_and_the_reason_told() -> None:
    goal: Goal = Endless()
    with pytest.raises(SkillError, match="I stopped to reach: the camera shows the same picture again and again"):
        carry_out(robot("the camera shows the same picture again and again"), "reach", lambda: goal, seeing=True)
    assert isinstance(goal, Endless)
    assert goal.cancelled


def test_one_picture_that_comes_late_ends_nothing() -> None:
    class Ends(Endless):
        glances = 0

        def wait(self, timeout: float | None = None) -> GoalResult:
            self.glances += 1
            if self.glances < 5:
                raise TimeoutError
            return GoalResult(GoalState.SUCCEEDED)

    carry_out(robot("", "no new picture came", "no new picture came", ""), "reach", Ends, seeing=True)
