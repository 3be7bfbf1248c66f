"""Skills under the names that the conformance cases call; importing them registers them, beside heed's own."""

from skills.hand_motion import CLOSED, OPEN, grip
from skills.motion import SUCCESS
from skills.perception import look
from skills.skill import SkillContext, SkillError, skill


@skill()
def test_simple_text(robot: SkillContext) -> str:
    """Tell a text."""
    return "This is a simple text response for testing."


@skill()
def test_error_handling(robot: SkillContext) -> str:
    """Fail."""
    raise SkillError("This tool intentionally returns an error for testing", "call another one")


@skill(uses=("arms",))
def test_tool_with_progress(robot: SkillContext) -> str:
    """Open a hand, close it and open it: heed's progress is that of its motions, and the case waits 10 s."""
    hand = look(robot).free_hands()[0]
    for width in (OPEN, CLOSED, OPEN):
        grip(robot, hand, width)
    return SUCCESS
