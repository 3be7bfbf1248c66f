"""Skills that drive the base."""

from skills.clear_way import way_clear
from skills.motion import SUCCESS, carry_out
from skills.needs import needs
from skills.perception import look
from skills.preconditions import drives_or_reaches, place_known
from skills.skill import SkillContext, SkillError, skill

MOST = 2.0
"""The largest speed factor: with it the body's own limit is reached, which nothing that is said can raise.

So the normal speed, factor 1, is half of what the body may do: in a home there are people about.
"""


@skill(uses=("base",), needs=needs(place_known("location"), drives_or_reaches("location"), way_clear("location")))
def move_to(robot: SkillContext, location: str, speed: float = 1.0) -> str:
    """Drive to a location, at normal speed (1) or up to 2.0, the most that is allowed."""
    scene = look(robot)
    place = scene.location(location)
    if not scene.drives:
        return SUCCESS  # needs have seen that it is within reach
    if not 0.0 < speed <= MOST:
        raise SkillError(f"speed {speed} is outside the limits", f"use a speed above 0 and up to {MOST}")
    x, y, theta = place.approach
    carry_out(robot, f"drive to {place.name}", lambda: robot.body.drive_to(x, y, theta, speed=speed / MOST))
    base = robot.body.state().base
    arrived = look(robot).location_at(base.x, base.y)
    if arrived is None or arrived.name != place.name:
        raise SkillError(f"the robot did not arrive at {place.name}", f"move_to({place.name!r})")
    return SUCCESS
