"""How hands and fingers move: to a point of the map, above it, back, and open as far as there is room."""

import math

from skills.motion import carry_out
from skills.perception import look
from skills.scene import Scene, Thing
from skills.skill import SkillContext

OPEN = 0.08
"""Gripper opening in metres for anything graspable here, where nothing stands beside it."""
SPARE = 0.01
"""Metres between each finger and a thing, at least, when they come down around it."""
FINGER = 0.015
"""Metres that a finger is thick."""
FOOT = 0.02
"""Metres from its middle that a thing takes up, at least: it may stand on more than fingers see of it."""
BESIDE = 0.05
"""Metres by which a thing may stand higher or lower and still be in the way of a finger."""
CLOSED = 0.0


def reach(
    robot: SkillContext,
    hand: str,
    point: tuple[float, float, float],
    above: float = 0.0,
    speed: float = 1.0,
    seeing: bool = False,
) -> None:
    """Bring the hand to a point of the map, or some metres above it; speed is a factor of the normal speed.

    With `seeing` it stops where the eyes fail on the way.
    """
    x, y = robot.body.state().base.to_local(point[0], point[1])
    height = point[2] + above
    carry_out(
        robot, f"reach with the {hand} hand", lambda: robot.body.move_tip(hand, x, y, height, speed=speed), seeing
    )


def hand_for(robot: SkillContext, scene: Scene, point: tuple[float, float, float]) -> str:
    """Return the free hand that has to stretch least to a point of the map; of long arms the first one."""
    there = (*robot.body.state().base.to_local(point[0], point[1]), point[2])
    return min(scene.free_hands(), key=lambda hand: robot.body.manner(hand).stretch(there))


def opening_for(scene: Scene, thing: Thing, point: tuple[float, float, float]) -> float:
    """Return how far fingers open around a thing at a point of the map: as far as its neighbours there leave room."""
    others = [other for other in scene.objects if other.name != thing.name and not other.held_by]
    near = [other for other in others if abs(other.position[2] - point[2]) < BESIDE]
    free = min((math.dist(one.position[:2], point[:2]) - max(one.width / 2, FOOT) for one in near), default=OPEN)
    return min(OPEN, max(thing.width + 2 * SPARE, 2 * (free - FINGER)))


def reach_above(robot: SkillContext, hand: str, point: tuple[float, float, float], seeing: bool = False) -> None:
    """Bring the hand to where it comes down on a point of the map; with `seeing` it stops where the eyes fail."""
    reach(robot, hand, point, above=robot.body.manner(hand).above, seeing=seeing)


def rise_above(robot: SkillContext, hand: str, point: tuple[float, float, float]) -> None:
    """Bring a hand that is lower up before it goes out to a point, lest it sweeps away what stands on its way.

    It rises where it hides nothing from the head: what it goes for is looked at once more.
    """
    manner = robot.body.manner(hand)
    height = point[2] + manner.above
    if robot.body.state().arms[hand].tip.z < height:
        x, y, _ = manner.rise
        carry_out(robot, f"raise the {hand} hand", lambda: robot.body.move_tip(hand, x, y, height))


def draw_back(robot: SkillContext, hand: str) -> None:
    """Bring the hand to where things are carried, and from there to where it hides nothing if it is empty."""
    manner = robot.body.manner(hand)
    carry_out(robot, f"draw the {hand} hand back", lambda: robot.body.move_tip(hand, *manner.carry))
    if manner.rest != manner.carry and look(robot).in_hand(hand) is None:
        carry_out(robot, f"fold the {hand} arm", lambda: robot.body.move_tip(hand, *manner.rest))


def hold_out(robot: SkillContext, hand: str) -> None:
    """Bring the hand to where a person takes things from it."""
    offer = robot.body.manner(hand).offer
    carry_out(robot, f"hold out the {hand} hand", lambda: robot.body.move_tip(hand, *offer))


def grip(robot: SkillContext, hand: str, opening: float) -> None:
    """Bring the fingers this far apart, in metres."""
    doing = "open" if opening > CLOSED else "close"
    carry_out(robot, f"{doing} the {hand} gripper", lambda: robot.body.grip(hand, opening))
