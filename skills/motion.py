"""What the motion skills share: waiting for a goal, and asking the body without learning its errors by heart."""

from collections.abc import Callable

from hw.state import GoalState, HardwareError, StoppedError
from skills.skill import Cancelled, Goal, SkillContext, SkillError

SUCCESS = "success"


def carry_out(robot: SkillContext, doing: str, start: Callable[[], Goal]) -> None:
    """Start a goal and wait until it has ended; `doing` tells the model what it was, such as "drive to the sink".

    Raises Cancelled when a person ended it, SkillError when the body could not do it.
    """
    try:
        result = start().wait()
    except StoppedError as stopped:
        raise Cancelled(str(stopped)) from stopped
    except HardwareError as error:
        raise SkillError(f"could not {doing}: {error}") from error
    if result.state is GoalState.SUCCEEDED:
        return
    if result.state is GoalState.CANCELED or robot.body.state().stopped:
        raise Cancelled(result.detail or f"cancelled: {doing}")
    raise SkillError(f"could not {doing}: {result.detail}", result.hint)
