"""The preconditions that skills declare (needs.py): what must be so, why it is not, and the call that helps."""

from dataclasses import replace

from skills.needs import Moment, Precondition
from skills.scene import Location, Scene, Thing, ago, spoken
from skills.skill import SkillError

SURE = 0.03
"""Metres, one standard deviation, to which the place of a thing is known that a hand goes for."""
LIFTS = 1.0
"""Kilograms that a hand lifts. heed-hw keeps each arm's own limit besides, where the robot's description has one."""


def present(object: str) -> Precondition:
    """Require that it is seen or remembered; the parameter of this name names it."""
    return Precondition("present", lambda now: _ignore(now.scene.object(now.arguments[object])))


def seen_now(object: str) -> Precondition:
    """Require that it is seen now, or held: no arm moves to where something once was (docs/eyes.md)."""

    def check(now: Moment) -> None:
        require_seen(now.scene.object(now.arguments[object]))

    return Precondition("seen now", check, sees=True)


def require_seen(thing: Thing) -> None:
    """Raise SkillError where a thing is only remembered, or its place not known well enough for a hand."""
    if not thing.present:
        raise SkillError(
            f"I cannot see {spoken(thing.name)} now: it was at {spoken(thing.location)} {ago(thing.age)}",
            "tell the person, or look elsewhere",
        )
    if thing.sigma > SURE and not thing.held_by:
        raise SkillError(
            f"I know only to {thing.sigma * 100:.0f} cm where {spoken(thing.name)} is",
            "tell the person: a printed tag on it, or a depth camera, would tell better",
        )


def place_known(location: str) -> Precondition:
    """Require that there is such a place."""
    return Precondition("place known", lambda now: _ignore(now.scene.location(now.arguments[location])))


def has_arm() -> Precondition:
    """The robot has one: a base alone drives, and asks for the rest."""

    def check(now: Moment) -> None:
        if not now.scene.hands:
            raise SkillError("I have no arm", f"ask({'I have no arm. Could you do that, please?'!r})")

    return Precondition("has an arm", check, lasting=True)


def drives_or_reaches(location: str) -> Precondition:
    """The robot can drive there, or has no base and reaches the place from where it stands."""

    def check(now: Moment) -> None:
        place = now.scene.location(now.arguments[location])
        if not now.scene.drives and not _is_in_reach(now, place):
            asked = "I cannot drive. Could you hand it to me here, please?"
            raise SkillError(f"{place.name} is out of my reach, and I cannot drive", f"ask({asked!r})")

    return Precondition("drives, or reaches it", check, lasting=True)


def not_in_hand(object: str, hint: str) -> Precondition:
    """Require that it is not held yet."""

    def check(now: Moment) -> None:
        thing = now.scene.object(now.arguments[object])
        if thing.held_by:
            raise SkillError(f"{thing.name} is already in the {thing.held_by} hand", hint)

    return Precondition("not in hand yet", check, by_robot=True)


def in_hand(object: str) -> Precondition:
    """Require that it is held."""

    def check(now: Moment) -> None:
        thing = now.scene.object(now.arguments[object])
        if thing.held_by is None:
            raise SkillError(f"{thing.name} is not in a hand", f"grasp({thing.name!r})")

    return Precondition("in hand", check, by_robot=True)


def hand_free(hand: str = "") -> Precondition:
    """The hand that the parameter names is empty, else any."""

    def check(now: Moment) -> None:
        wanted = now.arguments.get(hand)
        if wanted is None:
            require_free_hand(now)
        elif held := now.scene.in_hand(wanted):
            free = now.scene.free_hands()
            advice = f"use hand={free[0]!r}" if free else _put_down(now, held)
            raise SkillError(f"the {wanted} hand holds {held.name}", advice)

    return Precondition("hand free", check, by_robot=True)


def require_free_hand(now: Moment) -> None:
    """Raise SkillError where every hand holds something."""
    held = [thing for hand in now.scene.hands if (thing := now.scene.in_hand(hand))]
    if len(held) == len(now.scene.hands):
        full = "both hands are full" if len(held) > 1 else "the hand is full"
        raise SkillError(full, _put_down(now, held[0]))


def not_too_heavy(object: str) -> Precondition:
    """Require that it weighs no more than a hand lifts, where its mass is known."""

    def check(now: Moment) -> None:
        thing = now.scene.object(now.arguments[object])
        if thing.mass is not None and thing.mass > LIFTS:
            raise SkillError(f"{thing.name} weighs {thing.mass:g} kg, and I lift up to {LIFTS:g} kg")

    return Precondition("not too heavy", check, lasting=True)


def within_reach(object: str) -> Precondition:
    """The robot has the thing, or stands where it is, and it lies in nothing that a hand holds."""

    def check(now: Moment) -> None:
        thing = now.scene.object(now.arguments[object])
        if thing.held_by:
            return
        place = now.scene.place_of(thing)
        if carrier := now.scene.carrier_in_hand(thing):
            raise SkillError(f"{thing.name} is in {carrier.name}, in the {carrier.held_by} hand",
                             _put_down(now, carrier))  # fmt: skip
        if not now.scene.drives:
            return _require_in_reach(now, thing)
        inside = f" in {thing.location}" if thing.location != place else ""
        _require_at(now, place, f"{thing.name} is{inside} at {place}")

    return Precondition("within reach", check, by_robot=True)


def at_place(location: str) -> Precondition:
    """The robot stands at the place."""

    def check(now: Moment) -> None:
        place = _place_meant(now, location)
        _require_at(now, place.name, f"the robot is not at {place.name}")

    return Precondition("at the place", check, by_robot=True)


def at_person() -> Precondition:
    """Require that somebody is there, and that the robot is with them."""

    def check(now: Moment) -> None:
        person = now.person
        if person is None:
            raise SkillError("there is nobody here", "place() it somewhere instead")
        if not now.scene.drives:
            return
        _require_at(now, person.name, "the person is out of reach")

    return Precondition("at the person", check, by_robot=True)


def person_ready(object: str) -> Precondition:
    """The person is the one who is known, looks at the robot, and has a free hand, as far as perception tells."""

    def check(now: Moment) -> None:
        person = now.person
        for key, (trouble, asked) in READY.items():
            if person is not None and person.state.get(key) is False:
                name, thing = person.state.get("name", "you"), spoken(now.arguments[object])
                raise SkillError(trouble.format(name=name), f"ask({asked.format(name=name, thing=thing)!r})")

    return Precondition("person ready", check)


READY = {
    "known": ("I do not recognise the person as {name}", "I have the {thing} for {name}. Is that you?"),
    "looking": ("the person is not looking at me", "Please look here: I have the {thing} for you. Will you take it?"),
    "hands_free": ("the person has no free hand", "Could you free a hand, please, and take the {thing}?"),
}
"""States of the person that keep from handing over where they are false: the trouble, and how help is asked for."""


def not_shut_in(object: str) -> Precondition:
    """The thing is not behind a closed door."""

    def check(now: Moment) -> None:
        thing = now.scene.object(now.arguments[object])
        if not thing.held_by:
            _require_open(now.scene, now.scene.place_of(thing))

    return Precondition("not shut in", check, by_robot=True)


def place_open(location: str) -> Precondition:
    """The place has no door, or it is open."""

    def check(now: Moment) -> None:
        _require_open(now.scene, _place_meant(now, location).name)

    return Precondition("place open", check, by_robot=True)


def takes_things(object: str, location: str) -> Precondition:
    """Things can be put at the place, or into or onto the object."""

    def check(now: Moment) -> None:
        thing, target = now.scene.object(now.arguments[object]), now.scene.target(now.arguments[location])
        if isinstance(target, Thing) and thing.name == target.name:
            raise SkillError(f"{thing.name} cannot be put into itself", "choose a location, or another object")
        if isinstance(target, Thing) and not target.holds:
            raise SkillError(f"nothing can be put into or onto {target.name}", "choose a location, or a bowl or plate")
        if isinstance(target, Location) and target.kind == "spot":
            raise SkillError(f"nothing can be put at {target.name}", "choose a location with a surface")

    return Precondition("takes things", check, lasting=True)


def has_room(object: str, location: str) -> Precondition:
    """The place or the object takes one thing more."""

    def check(now: Moment) -> None:
        thing, target = now.scene.object(now.arguments[object]), now.scene.target(now.arguments[location])
        if isinstance(target, Thing):
            inside = [other.name for other in now.scene.contents(target) if other.name != thing.name]
            if len(inside) >= target.holds:
                raise SkillError(f"{target.name} is full: it holds {', '.join(inside)}", f"grasp({inside[0]!r})")
        elif target.kind == "person":
            raise SkillError("things are handed to a person", f"handover({thing.name!r})")
        elif target.surface is None:
            raise SkillError(f"there is no room at {target.name}", "take something away first")

    return Precondition("room for it", check)


def has_door(container: str) -> Precondition:
    """Require something to open or close."""

    def check(now: Moment) -> None:
        place = now.scene.location(now.arguments[container])
        if place.handle is None:
            raise SkillError(f"{place.name} has no door", "it needs neither opening nor closing")

    return Precondition("has a door", check, lasting=True)


def unless_door_is(state: str, container: str, *conditions: Precondition) -> tuple[Precondition, ...]:
    """Return these conditions, each but where the door is in that state already: then nothing is to be done."""

    def unless(condition: Precondition) -> Precondition:
        def check(now: Moment) -> None:
            if now.scene.location(now.arguments[container]).door != state:
                condition.check(now)

        return replace(condition, check=check)

    return tuple(map(unless, conditions))


def _ignore(found: object) -> None:
    """Looking it up was the check."""


def _place_meant(now: Moment, location: str) -> Location:
    """The place that an argument names; of an object that holds others, the place where that is."""
    target = now.scene.target(now.arguments[location])
    if isinstance(target, Location):
        return target
    if target.held_by:
        raise SkillError(f"{target.name} is in the {target.held_by} hand", _put_down(now, target))
    return now.scene.location(now.scene.place_of(target))


def _put_down(now: Moment, held: Thing) -> str:
    """Return the call that puts down what is held: on the nearest surface with room for it."""
    open_ones = [place for place in now.scene.locations if place.kind == "surface" and place.door != "closed"]
    fitting = [place for place in open_ones if place.surface and (now.scene.drives or _is_in_reach(now, place))]
    if not fitting:
        return f"place() or handover() {held.name} first"
    base = now.state.base
    nearest = min(fitting, key=lambda place: place.distance(base.x, base.y))
    return f"place({held.name!r}, {nearest.name!r})"


def _require_at(now: Moment, place: str, problem: str) -> None:
    if not now.scene.drives:
        return _require_in_reach(now, now.scene.location(place))
    here = now.scene.location_at(now.state.base.x, now.state.base.y)
    if here is None or here.name != place:
        raise SkillError(problem, f"move_to({place!r})")


def _require_in_reach(now: Moment, target: Location | Thing) -> None:
    """Raises SkillError where a robot that cannot drive would have to; a place is where things are put."""
    if not _is_in_reach(now, target):
        name = spoken(target.name)
        asked = (
            f"Could you bring the {name} to me, please?" if isinstance(target, Thing) else "Could you do that, please?"
        )
        raise SkillError(
            f"{target.name} is out of my reach, and I cannot drive", f"ask({f'I cannot reach the {name}. {asked}'!r})"
        )


def _is_in_reach(now: Moment, target: Location | Thing) -> bool:
    """Return whether an arm gets there; a piece of floor, to which one drives, has nothing to be reached."""
    point = target.position if isinstance(target, Thing) else target.surface or target.handle
    return now.reaches(point) if point is not None else not isinstance(target, Location) or target.kind != "spot"


def _require_open(scene: Scene, place: str) -> None:
    if scene.location(place).door == "closed":
        raise SkillError(f"{place} is closed", f"open_door({place!r})")
