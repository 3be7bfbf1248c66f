"""Skills that drive the base."""

from skills.motion import SUCCESS, carry_out
from skills.perception import look
from skills.skill import SkillContext, SkillError, skill


@skill(uses=("base",))
def move_to(robot: SkillContext, location: str, speed: float = 1.0) -> str:
    """Drive to a location; speed is a factor up to 1.0, the most that is allowed."""
    place = look(robot).location(location)
    if not 0.0 < speed <= 1.0:
        raise SkillError(f"speed {speed} is outside the limits", "use a speed above 0 and up to 1.0")
    x, y, theta = place.approach
    carry_out(robot, f"drive to {place.name}", lambda: robot.body.drive_to(x, y, theta, speed=speed))
    base = robot.body.state().base
    arrived = look(robot).location_at(base.x, base.y)
    if arrived is None or arrived.name != place.name:
        raise SkillError(f"the robot did not arrive at {place.name}", f"move_to({place.name!r})")
    return SUCCESS
