"""Skills that use the arms. Each declares what it needs, and looks afterwards at what is so."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from skills.motion import SUCCESS, BlindError, carry_out
from skills.needs import needs
from skills.perception import look, look_afresh, where
from skills.preconditions import (
    at_person,
    at_place,
    hand_free,
    has_arm,
    has_door,
    has_room,
    in_hand,
    not_in_hand,
    not_shut_in,
    not_too_heavy,
    person_ready,
    place_open,
    present,
    require_seen,
    seen_now,
    takes_things,
    unless_door_is,
    within_reach,
)
from skills.scene import Scene, Thing
from skills.skill import SkillContext, SkillError, skill

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
MOVED = 0.05
"""Metres between two looks at a thing by which it may differ for a grasp to go on."""
YOUNG, LOOKS = 0.6, 3
"""Seconds since a thing was seen after which no hand sets out for it, lest they are one by the time it moves; and how
often one looks for a younger picture."""
INTO = 0.07
"""Metres above the point where a bowl or plate is gripped at which a thing is let go that goes into it."""
PULL = 0.25
"""Metres by which a door is pulled open: 15 cm open it, the rest is margin."""
HOLD = 0.05
PULL_CHANGE = 0.10
"""Metres by which a hold, or a pull, may be changed at most, whatever was learned."""


@skill(
    uses=("arms",),
    needs=needs(
        has_arm(),
        present("object"),
        not_in_hand("object", "place() or handover() it"),
        hand_free("hand"),
        not_too_heavy("object"),
        within_reach("object"),
        not_shut_in("object"),
        seen_now("object"),
    ),
)
def grasp(robot: SkillContext, object: str, hand: str | None = None, higher: float = 0.0) -> str:
    """Pick up an object here, with the 'left' or 'right' hand, or a free one.

    higher: metres above (or, negative, below) the usual point at which it is taken hold of.
    """
    _require_within(higher, HOLD, "higher")
    scene = look(robot)
    thing = seen_lately(robot, scene.object(object))
    hand = hand or hand_for(robot, scene, thing.position)
    thing = come_above(robot, hand, thing)
    come_down(robot, hand, thing, higher)
    grip(robot, hand, CLOSED)
    reach_above(robot, hand, thing.position)
    draw_back(robot, hand)
    held = look(robot).in_hand(hand)
    if held is None or held.name != thing.name:
        raise SkillError(f"the {hand} hand missed {thing.name}", f"grasp({thing.name!r})")
    return SUCCESS


def come_above(robot: SkillContext, hand: str, thing: Thing) -> Thing:
    """Bring the open hand above a thing that is in sight; returns it as it is seen from there.

    Raises SkillError where the hand hides it: nothing goes down to where a thing was a while ago.
    """
    _rise_above(robot, hand, thing.position)
    grip(robot, hand, opening_for(look(robot), thing, thing.position))
    with _drawn_back_where(SkillError, robot, hand):
        thing = _seen_again(robot, thing)
        require_seen(thing)
    with _drawn_back_where(BlindError, robot, hand):
        reach_above(robot, hand, thing.position, seeing=True)
    with _drawn_back_where(SkillError, robot, hand):
        thing = _seen_again(robot, thing)
        _require_in_sight(thing, hand)
        return thing


def come_down(robot: SkillContext, hand: str, thing: Thing, higher: float = 0.0) -> None:
    """Bring the hand down on a thing; where the eyes fail on the way, up again and back."""
    with _drawn_back_where(BlindError, robot, hand):
        try:
            reach(robot, hand, thing.position, above=higher, seeing=True)
        except BlindError:
            reach_above(robot, hand, thing.position)
            raise


def _require_in_sight(thing: Thing, hand: str) -> None:
    """Raises SkillError where a hand above a thing hides it."""
    if not thing.present:
        raise SkillError(
            f"my {hand} hand hides {thing.name} from my eyes", "grasp it with the other hand, or tell the person"
        )


@contextmanager
def _drawn_back_where(fails: type[SkillError], robot: SkillContext, hand: str) -> Iterator[None]:
    """Draw the hand back where what it goes for is not seen, lest it hides what is looked for next."""
    try:
        yield
    except fails:
        draw_back(robot, hand)
        raise


def seen_lately(robot: SkillContext, thing: Thing) -> Thing:
    """Return a thing as it was seen so lately that a hand may set out for it; one looks again where that was before.

    Raises SkillError where it is not seen any more.
    """
    if thing.held_by or thing.age <= YOUNG:
        return thing
    again = _seen_again(robot, thing)
    require_seen(again)
    return again


def _seen_again(robot: SkillContext, thing: Thing) -> Thing:
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


@skill(
    uses=("arms",),
    needs=needs(
        has_arm(),
        takes_things("object", "location"),
        in_hand("object"),
        has_room("object", "location"),
        at_place("location"),
        place_open("location"),
    ),
)
def place(robot: SkillContext, object: str, location: str) -> str:
    """Put a held object here, or into or onto an object here such as a bowl."""
    scene = look(robot)
    thing, hand = _held(scene, object)
    target = scene.target(location)
    point = _above(target) if isinstance(target, Thing) else target.surface
    assert point is not None, "has_room() has seen a surface"
    _rise_above(robot, hand, point)
    reach_above(robot, hand, point)
    reach(robot, hand, point)
    grip(robot, hand, opening_for(scene, thing, point))
    reach_above(robot, hand, point)
    draw_back(robot, hand)
    return _require_now_at(robot, thing, target.name)


@skill(uses=("arms",), needs=needs(has_arm(), in_hand("object"), at_person(), person_ready("object")))
def handover(robot: SkillContext, object: str) -> str:
    """Give a held object to the person here."""
    scene = look(robot)
    thing, hand = _held(scene, object)
    base = robot.body.state().base
    person = scene.person(scene.location_at(base.x, base.y))
    assert person is not None, "at_person() has seen somebody"
    _offer(robot, hand)
    grip(robot, hand, OPEN)
    draw_back(robot, hand)
    return _require_now_at(robot, thing, person.name)


@skill(
    uses=("arms",),
    needs=needs(
        has_arm(),
        present("object"),
        not_in_hand("object", "place() it first"),
        hand_free(),
        within_reach("object"),
        seen_now("object"),
    ),
)
def point_at(robot: SkillContext, object: str) -> str:
    """Point at an object here. Nothing is touched."""
    scene = look(robot)
    thing = scene.object(object)
    hand = hand_for(robot, scene, thing.position)
    grip(robot, hand, CLOSED)
    reach_above(robot, hand, seen_lately(robot, look(robot).object(object)).position)
    draw_back(robot, hand)
    return SUCCESS


@skill(
    uses=("arms",),
    needs=needs(
        has_arm(), has_door("container"), *unless_door_is("open", "container", at_place("container"), hand_free())
    ),
)
def open_door(robot: SkillContext, container: str, further: float = 0.0, speed: float = 1.0) -> str:
    """Open a door or drawer.

    further: metres by which it is pulled beyond (or, negative, less than) the usual distance.
    speed: of the hand that pulls, a factor of the normal speed, 1.0 at most.
    """
    _require_within(further, PULL_CHANGE, "further")
    return _swing(robot, container, "open", PULL + further, speed)


@skill(
    uses=("arms",),
    needs=needs(
        has_arm(), has_door("container"), *unless_door_is("closed", "container", at_place("container"), hand_free())
    ),
)
def close_door(robot: SkillContext, container: str, speed: float = 1.0) -> str:
    """Close a door or drawer.

    speed: of the hand that pushes, a factor of the normal speed, 1.0 at most.
    """
    return _swing(robot, container, "closed", -PULL, speed)


def _swing(robot: SkillContext, container: str, wanted: str, pull: float, speed: float) -> str:
    if not 0.0 < speed <= 1.0:
        raise SkillError(f"speed {speed:g} is outside the limits", "use a speed above 0 and up to 1")
    scene = look(robot)
    place = scene.location(container)
    if place.door == wanted:
        return SUCCESS
    assert place.handle is not None, "has_door() has seen a handle"
    hand = hand_for(robot, scene, place.handle)
    towards = place.approach[2]
    pulled = (
        place.handle[0] - pull * math.cos(towards),
        place.handle[1] - pull * math.sin(towards),
        place.handle[2],
    )
    grip(robot, hand, OPEN)
    reach(robot, hand, place.handle)
    grip(robot, hand, CLOSED)
    reach(robot, hand, pulled, speed=speed)
    grip(robot, hand, OPEN)
    draw_back(robot, hand)
    if look(robot).location(container).door != wanted:
        raise SkillError(
            f"the door of {place.name} is not {wanted}",
            f"{'open' if pull > 0 else 'close'}_door({place.name!r})",
        )
    return SUCCESS


def _held(scene: Scene, name: str) -> tuple[Thing, str]:
    thing = scene.object(name)
    assert thing.held_by is not None, "in_hand() has seen it in a hand"
    return thing, thing.held_by


def _require_within(change: float, most: float, name: str) -> None:
    if not -most <= change <= most:
        raise SkillError(f"{name}={change:g} is outside the limits", f"use a value from {-most:g} to {most:g}")


def _above(carrier: Thing) -> tuple[float, float, float]:
    """Return where a thing is let go that is to lie in or on another."""
    x, y, z = carrier.position
    return (x, y, z + INTO)


def _require_now_at(robot: SkillContext, thing: Thing, target: str) -> str:
    now = look(robot).object(thing.name)
    if now.held_by or now.location != target:
        there = where(now)
        raise SkillError(f"{thing.name} is {'in the' if now.held_by else 'at'} {there}, not at {target}")
    return SUCCESS


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


def _rise_above(robot: SkillContext, hand: str, point: tuple[float, float, float]) -> None:
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


def _offer(robot: SkillContext, hand: str) -> None:
    offer = robot.body.manner(hand).offer
    carry_out(robot, f"hold out the {hand} hand", lambda: robot.body.move_tip(hand, *offer))


def grip(robot: SkillContext, hand: str, opening: float) -> None:
    """Bring the fingers this far apart, in metres."""
    doing = "open" if opening > CLOSED else "close"
    carry_out(robot, f"{doing} the {hand} gripper", lambda: robot.body.grip(hand, opening))
