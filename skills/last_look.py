"""The look at a thing just before a hand goes out for it: no hand goes to where a thing was a while ago."""

import math

from skills.perception import look, look_afresh
from skills.preconditions import require_seen
from skills.scene import Thing
from skills.skill import SkillContext, SkillError

MOVED = 0.05
"""Metres between two looks at a thing by which it may differ for a grasp to go on."""
YOUNG, LOOKS = 0.6, 3
"""Seconds since a thing was seen after which no hand sets out for it, lest they are one by the time it moves; and how
often one looks for a younger picture."""


def require_in_sight(thing: Thing, hand: str) -> None:
    """Require that no hand above a thing hides it. Raises SkillError where one does."""
    if not thing.present:
        raise SkillError(
            f"my {hand} hand hides {thing.name} from my eyes", "grasp it with the other hand, or tell the person"
        )


def seen_lately(robot: SkillContext, thing: Thing) -> Thing:
    """Return a thing as it was seen so lately that a hand may set out for it; one looks again where that was before.

    Raises SkillError where it is not seen any more.
    """
    if thing.held_by or thing.age <= YOUNG:
        return thing
    again = seen_again(robot, thing)
    require_seen(again)
    return again


def seen_again(robot: SkillContext, thing: Thing) -> Thing:
    """Look afresh, and return the same thing; raises SkillError where it is elsewhere by now.

    Elsewhere from the robot: where both are on the map may have been corrected meanwhile.
    """
    before = _from_robot(robot, thing)
    again = _young_sight(robot, thing)
    if again.present and math.dist(_from_robot(robot, again), before) > MOVED:
        raise SkillError(f"{thing.name} was moved while I reached for it", f"grasp({thing.name!r})")
    return again


def _young_sight(robot: SkillContext, thing: Thing) -> Thing:
    """Look until the thing is seen so lately that a hand may set out for it, or not seen at all.

    Raises SkillError where it is gone, or where pictures come too late each time.
    """
    for _ in range(LOOKS):
        look_afresh(robot, thing.position)
        again = next((one for one in look(robot).objects if one.name == thing.name), None)
        if again is None:
            raise SkillError(f"{thing.name} is gone", "list_objects() tells what there is")
        if again.age <= YOUNG or not again.present:
            return again
    raise SkillError(f"what I see of {thing.name} comes too late to reach for it", f"grasp({thing.name!r})")


def _from_robot(robot: SkillContext, thing: Thing) -> tuple[float, float, float]:
    """Return where a thing is in the robot's frame, metres."""
    x, y, z = thing.position
    return (*robot.body.state().base.to_local(x, y), z)
