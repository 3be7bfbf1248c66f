"""Small motions of a thing, in its own frame: what "a bit to the left" comes down to."""

import math

from skills.hand_motion import CLOSED, draw_back, grip, hand_for, opening_for, reach, reach_above
from skills.last_look import seen_lately
from skills.manipulation import come_above, come_down
from skills.motion import SUCCESS
from skills.needs import moment, needs
from skills.perception import look, where
from skills.preconditions import has_arm, not_shut_in, present, require_free_hand, seen_now, within_reach
from skills.scene import Thing
from skills.skill import SkillContext, SkillError, skill

FARTHEST = 0.15
"""Metres of one shift; farther is a matter for place()."""
DIRECTIONS = ("left", "right", "forward", "back", "up", "down")


@skill(
    uses=("arms",),
    needs=needs(has_arm(), present("object"), within_reach("object"), not_shut_in("object"), seen_now("object")),
)
def shift(robot: SkillContext, object: str, direction: str, distance: float) -> str:
    """Move an object a little: 'left', 'right', 'forward' (away from the robot), 'back', 'up' or 'down', in metres.

    As seen by the robot that faces it. In a hand it stays there; else it is taken, moved and let go.
    """
    if direction not in DIRECTIONS:
        raise SkillError(f"there is no direction {direction!r}", f"use one of {', '.join(DIRECTIONS)}")
    if not 0 < distance <= FARTHEST:
        raise SkillError(
            f"distance {distance:g} is outside the limits", f"use a distance above 0 and up to {FARTHEST:g}"
        )
    scene = look(robot)
    thing = scene.object(object)
    if thing.held_by:
        target = _shifted(robot, thing.position, direction, distance)
        reach(robot, thing.held_by, target)
        return _require_shifted(robot, thing, target)
    if direction in ("up", "down"):
        raise SkillError(f"{thing.name} stands on something", f"grasp({thing.name!r})")
    require_free_hand(moment(robot, {}))
    hand = hand_for(robot, scene, thing.position)
    thing = come_above(robot, hand, seen_lately(robot, thing))
    come_down(robot, hand, thing)
    grip(robot, hand, CLOSED)
    target = _shifted(robot, thing.position, direction, distance)
    reach(robot, hand, target)
    grip(robot, hand, opening_for(scene, thing, target))
    reach_above(robot, hand, target)
    draw_back(robot, hand)
    return _require_shifted(robot, thing, target)


def _require_shifted(robot: SkillContext, before: Thing, target: tuple[float, float, float]) -> str:
    """Require that a thing is where it was held or let go before, and nearer to its target than to where it was."""
    now = look(robot).object(before.name)
    same_hold = now.held_by == before.held_by
    if not same_hold or math.dist(now.position, target) > math.dist(now.position, before.position):
        held = f"in the {where(now)}" if now.held_by else f"at {where(now)}"
        raise SkillError(f"{now.name} is {held}, and not where it was to go", f"get_object_location({now.name!r})")
    return SUCCESS


def _shifted(
    robot: SkillContext, point: tuple[float, float, float], direction: str, distance: float
) -> tuple[float, float, float]:
    """The point, moved in the frame of a thing that is faced from where the robot stands (map frame, metres)."""
    base = robot.body.state().base
    ahead = math.atan2(point[1] - base.y, point[0] - base.x)
    turned = {"forward": 0.0, "left": math.pi / 2, "back": math.pi, "right": -math.pi / 2}.get(direction)
    if turned is None:
        return (point[0], point[1], point[2] + (distance if direction == "up" else -distance))
    return (point[0] + distance * math.cos(ahead + turned), point[1] + distance * math.sin(ahead + turned), point[2])
