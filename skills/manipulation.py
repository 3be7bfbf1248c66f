"""Skills that use the arms. Each declares what it needs, and looks afterwards at what is so."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from skills.hand_motion import (
    CLOSED,
    OPEN,
    draw_back,
    grip,
    hand_for,
    hold_out,
    opening_for,
    reach,
    reach_above,
    rise_above,
)
from skills.last_look import require_in_sight, seen_again, seen_lately
from skills.motion import SUCCESS, BlindError
from skills.needs import needs
from skills.perception import look, where
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
    rise_above(robot, hand, thing.position)
    grip(robot, hand, opening_for(look(robot), thing, thing.position))
    with _drawn_back_where(SkillError, robot, hand):
        thing = seen_again(robot, thing)
        require_seen(thing)
    with _drawn_back_where(BlindError, robot, hand):
        reach_above(robot, hand, thing.position, seeing=True)
    with _drawn_back_where(SkillError, robot, hand):
        thing = seen_again(robot, thing)
        require_in_sight(thing, hand)
        return thing


def come_down(robot: SkillContext, hand: str, thing: Thing, higher: float = 0.0) -> None:
    """Bring the hand down on a thing; where the eyes fail on the way, up again and back."""
    with _drawn_back_where(BlindError, robot, hand):
        try:
            reach(robot, hand, thing.position, above=higher, seeing=True)
        except BlindError:
            reach_above(robot, hand, thing.position)
            raise


@contextmanager
def _drawn_back_where(fails: type[SkillError], robot: SkillContext, hand: str) -> Iterator[None]:
    """Draw the hand back where what it goes for is not seen, lest it hides what is looked for next."""
    try:
        yield
    except fails:
        draw_back(robot, hand)
        raise


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
    rise_above(robot, hand, point)
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
    hold_out(robot, hand)
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
    """Return a held thing, and the hand. Raises SkillError where it has slipped out since that was seen."""
    thing = scene.object(name)
    if thing.held_by is None:
        raise SkillError(f"{thing.name} is not in a hand any more", f"grasp({thing.name!r})")
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
