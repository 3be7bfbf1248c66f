"""Skills that use the arms. Each checks first what it needs, and afterwards what is so."""

import math

from skills.motion import SUCCESS, carry_out
from skills.perception import look
from skills.scene import HANDS, Location, Scene, Thing
from skills.skill import SkillContext, SkillError, skill

OPEN = 0.08
"""Gripper opening in metres for anything graspable here."""
CLOSED = 0.0
ABOVE = 0.12
"""Metres above an object from which it is approached, and to which it is lifted."""
PULL = 0.25
"""Metres by which a door is pulled open: 15 cm open it, the rest is margin."""
CARRY_HEIGHT = 0.95
"""Metres above the floor at which things are carried, clear of every surface in the house."""
CARRY_AHEAD = 0.40
OFFER_AHEAD = 0.60
"""Metres in front of the robot at which a hand carries, and offers."""
SIDE = {"left": 0.18, "right": -0.18}
"""Metres to the left of the robot's middle: straight ahead of each shoulder."""


@skill(uses=("arms",))
def grasp(robot: SkillContext, object: str, hand: str | None = None) -> str:
    """Pick up an object at the robot's location, with the 'left' or 'right' hand, or a free one."""
    scene = look(robot)
    thing = scene.object(object)
    if thing.held_by:
        raise SkillError(f"{thing.name} is already in the {thing.held_by} hand")
    hand = _free_hand(scene, hand)
    _require_at(robot, scene, thing.location, f"{thing.name} is at {thing.location}")
    _require_open(scene, thing.location)
    _rise(robot, hand, thing.position[2] + ABOVE)
    _reach(robot, hand, thing.position, above=ABOVE)
    _grip(robot, hand, OPEN)
    _reach(robot, hand, thing.position)
    _grip(robot, hand, CLOSED)
    _reach(robot, hand, thing.position, above=ABOVE)
    _carry(robot, hand)
    held = look(robot).in_hand(hand)
    if held is None or held.name != thing.name:
        raise SkillError(f"the {hand} hand missed {thing.name}", f"grasp({thing.name!r})")
    return SUCCESS


@skill(uses=("arms",))
def place(robot: SkillContext, object: str, location: str) -> str:
    """Put a held object down at the location where the robot stands."""
    scene = look(robot)
    thing, hand = _held(scene, object)
    target = scene.location(location)
    if target.kind == "person":
        raise SkillError("things are handed to a person", f"handover({thing.name!r})")
    _require_at(robot, scene, target.name, f"the robot is not at {target.name}")
    _require_open(scene, target.name)
    if target.surface is None:
        raise SkillError(f"nothing can be put at {target.name}", "choose a location with a surface")
    _rise(robot, hand, target.surface[2] + ABOVE)
    _reach(robot, hand, target.surface, above=ABOVE)
    _reach(robot, hand, target.surface)
    _grip(robot, hand, OPEN)
    _reach(robot, hand, target.surface, above=ABOVE)
    _carry(robot, hand)
    return _require_now_at(robot, thing, target)


@skill(uses=("arms",))
def handover(robot: SkillContext, object: str) -> str:
    """Give a held object to the person; the robot must be at the person."""
    scene = look(robot)
    thing, hand = _held(scene, object)
    person = _person(scene)
    _require_at(robot, scene, person.name, "the person is out of reach")
    _offer(robot, hand)
    _grip(robot, hand, OPEN)
    _carry(robot, hand)
    return _require_now_at(robot, thing, person)


@skill(uses=("arms",))
def point_at(robot: SkillContext, object: str) -> str:
    """Point at an object at the robot's location, without touching it."""
    scene = look(robot)
    thing = scene.object(object)
    if thing.held_by:
        raise SkillError(f"{thing.name} is in the {thing.held_by} hand", "place() it first")
    hand = _free_hand(scene, None)
    _require_at(robot, scene, thing.location, f"{thing.name} is at {thing.location}")
    _grip(robot, hand, CLOSED)
    _reach(robot, hand, thing.position, above=ABOVE)
    _carry(robot, hand)
    return SUCCESS


@skill(uses=("arms",))
def open_door(robot: SkillContext, container: str) -> str:
    """Open the door or drawer of a container at the robot's location."""
    return _swing(robot, container, "open")


@skill(uses=("arms",))
def close_door(robot: SkillContext, container: str) -> str:
    """Close the door or drawer of a container at the robot's location."""
    return _swing(robot, container, "closed")


def _swing(robot: SkillContext, container: str, wanted: str) -> str:
    scene = look(robot)
    place = scene.location(container)
    if place.handle is None:
        raise SkillError(f"{place.name} has no door", "it needs neither opening nor closing")
    if place.door == wanted:
        return SUCCESS
    _require_at(robot, scene, place.name, f"the robot is not at {place.name}")
    hand = _free_hand(scene, None)
    towards = place.approach[2]
    pull = PULL if wanted == "open" else -PULL
    pulled = (
        place.handle[0] - pull * math.cos(towards),
        place.handle[1] - pull * math.sin(towards),
        place.handle[2],
    )
    _grip(robot, hand, OPEN)
    _reach(robot, hand, place.handle)
    _grip(robot, hand, CLOSED)
    _reach(robot, hand, pulled)
    _grip(robot, hand, OPEN)
    _carry(robot, hand)
    if look(robot).location(container).door != wanted:
        raise SkillError(
            f"the door of {place.name} is not {wanted}",
            f"{'open' if pull > 0 else 'close'}_door({place.name!r})",
        )
    return SUCCESS


def _free_hand(scene: Scene, hand: str | None) -> str:
    if hand is None:
        free = scene.free_hands()
        if not free:
            raise SkillError("both hands are full", "place() or handover() something first")
        return free[0]
    if held := scene.in_hand(hand):
        raise SkillError(f"the {hand} hand holds {held.name}", _other_hand(scene, hand))
    return hand


def _other_hand(scene: Scene, hand: str) -> str:
    other = next(h for h in HANDS if h != hand)
    return f"use hand={other!r}" if scene.in_hand(other) is None else "place() or handover() something first"


def _held(scene: Scene, name: str) -> tuple[Thing, str]:
    thing = scene.object(name)
    if thing.held_by is None:
        raise SkillError(f"{thing.name} is not in a hand", f"grasp({thing.name!r})")
    return thing, thing.held_by


def _person(scene: Scene) -> Location:
    for place in scene.locations:
        if place.kind == "person":
            return place
    raise SkillError("there is nobody here", "place() it somewhere instead")


def _require_at(robot: SkillContext, scene: Scene, location: str, problem: str) -> None:
    base = robot.body.state().base
    here = scene.location_at(base.x, base.y)
    if here is None or here.name != location:
        raise SkillError(problem, f"move_to({location!r})")


def _require_open(scene: Scene, location: str) -> None:
    if scene.location(location).door == "closed":
        raise SkillError(f"{location} is closed", f"open_door({location!r})")


def _require_now_at(robot: SkillContext, thing: Thing, target: Location) -> str:
    now = look(robot).object(thing.name)
    if now.held_by or now.location != target.name:
        where = f"in the {now.held_by} hand" if now.held_by else f"at {now.location}"
        raise SkillError(f"{thing.name} is {where}, not at {target.name}")
    return SUCCESS


def _reach(robot: SkillContext, hand: str, point: tuple[float, float, float], above: float = 0.0) -> None:
    x, y = robot.body.state().base.to_local(point[0], point[1])
    carry_out(robot, f"reach with the {hand} hand", lambda: robot.body.move_tip(hand, x, y, point[2] + above))


def _rise(robot: SkillContext, hand: str, height: float) -> None:
    """Bring a hand that is lower up before it goes out, lest it sweeps away what stands on its way."""
    if robot.body.state().arms[hand].tip.z < height:
        carry_out(robot, f"raise the {hand} hand", lambda: robot.body.move_tip(hand, CARRY_AHEAD, SIDE[hand], height))


def _carry(robot: SkillContext, hand: str) -> None:
    carry_out(
        robot,
        f"draw the {hand} hand back",
        lambda: robot.body.move_tip(hand, CARRY_AHEAD, SIDE[hand], CARRY_HEIGHT),
    )


def _offer(robot: SkillContext, hand: str) -> None:
    carry_out(
        robot,
        f"hold out the {hand} hand",
        lambda: robot.body.move_tip(hand, OFFER_AHEAD, SIDE[hand], CARRY_HEIGHT),
    )


def _grip(robot: SkillContext, hand: str, opening: float) -> None:
    doing = "open" if opening > CLOSED else "close"
    carry_out(robot, f"{doing} the {hand} gripper", lambda: robot.body.grip(hand, opening))
