"""RAIDER's household robot: what it asks about each order, and the skills whose preconditions it goes by.

Of what heed's robot can do (pick, place, open, close, hand over), it asks what heed asks, and what heed's own skills
check (skills/preconditions.py), on the described world. Beside that it turns things on and off and slices, of which
heed has no skill, and perceives what blocks what.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bench.support.described_scene import moment_of
from daemon.console.raider.flow import Call
from daemon.console.raider.precondition_questions import (
    DONE_BY,
    QUESTIONS,
    Asking,
    Deed,
    Question,
    can_be,
    condition_holds,
    is_not_yet,
    is_shut_to_run,
    is_so,
    kept_from,
)
from daemon.console.raider.reasons import Because, Trouble
from daemon.console.raider.surroundings import Surroundings
from daemon.console.raider.tools import HOUSEHOLD, Tool, named
from daemon.lexicon.thing_knowledge import knowledge
from skills.needs import Needs, needs
from skills.preconditions import at_place, hand_free, in_hand
from skills.skill import load_skills

JUST_OUT_OF_REACH = 0.2
"""Metres beyond reach that a person can help with: driving would bring the robot no nearer."""
USES: Mapping[str, tuple[str, tuple[str, ...]]] = {**DONE_BY, "handover": ("handover", ("object",))}
"""Orders that end in a skill of heed's, and its arguments."""
WOULD_USE = {
    "put down": needs(in_hand("location")),
    "turnon": needs(hand_free(), at_place("location")),
    "turnoff": needs(hand_free(), at_place("location")),
    "slice": needs(at_place("location")),
}
"""Orders of which heed has no skill, and what one would need of what the order is about."""


@dataclass(frozen=True)
class Use:
    """The skill that does an order, as it is called for it."""

    needs: Needs
    arguments: Mapping[str, str]


def use_of(deed: Deed) -> Use:
    """Return what does an order; to put a thing down, no matter where, is none of heed's skills."""
    if deed.action in USES and not (deed.action == "place" and not deed.place):
        name, parameters = USES[deed.action]
        needed = load_skills()[name].needs
        assert isinstance(needed, Needs)
        return Use(needed, dict(zip(parameters, (deed.target, deed.place), strict=False)))
    return Use(WOULD_USE.get(deed.action, WOULD_USE["put down"]), {"location": deed.target})


def precondition_fails(
    around: Surroundings, action: str, condition: str, target: str, place: str, reach: float | None
) -> bool:
    """Tell whether a precondition of the skill that does an order speaks against it."""
    use = use_of(Deed(action, target, place))
    now = moment_of(around, use.arguments, reach)
    return any(Needs((one,)).refusal(now) for one in use.needs.conditions if one.name == condition)


TOOLS = HOUSEHOLD | named([Tool(precondition_fails)])
"""What the household robot asks with."""


def checked(condition: str) -> Question:
    """Ask whether the skill's own precondition of this name holds."""

    def question(deed: Deed) -> Asking:
        asked = (deed.action, condition, deed.target, deed.place, deed.reach)
        return (yield from TOLD[condition](deed)) if (yield Call("precondition_fails", asked)) else None

    return question


def _held_already(deed: Deed) -> Asking:
    yield from ()
    return Trouble.about(Because.HELD_ALREADY, thing=deed.target)


def _hands_full(deed: Deed) -> Asking:
    held = yield Call("robot_holding")
    return Trouble.about(Because.HANDS_FULL, thing=held[0])


def _not_held(deed: Deed) -> Asking:
    held = yield Call("robot_holding")
    if held and (yield Call("free_hands")) == 0:
        return Trouble.about(Because.HOLDS_OTHER, thing=deed.target, other=held[0])
    return Trouble.about(Because.NOT_HELD, thing=deed.target)


def _far(deed: Deed) -> Asking:
    reach = deed.reach if deed.reach is not None else (yield Call("reach"))
    distance = yield Call("dist_to_target", (deed.aim,))
    near = distance - reach <= JUST_OUT_OF_REACH + 1e-9
    because = Because.A_LITTLE_FAR if near else Because.FAR
    return Trouble.about(because, thing=deed.aim, metres=f"{distance:g}", reach=f"{reach:g}")


def _shut_in(deed: Deed) -> Asking:
    around_it = yield Call("check_obj_relationship", ("containing", deed.target))
    for container in around_it:
        if is_so((yield Call("get_obj_state", (container,))), "open", False):
            return (yield from _shut(container))
    return None


def _place_shut(deed: Deed) -> Asking:
    return (yield from _shut(deed.aim))


def _shut(name: str) -> Asking:
    """Tell whether it is locked: what is only closed can be opened."""
    locked = is_so((yield Call("get_obj_state", (name,))), "locked", True)
    return Trouble.about(Because.LOCKED if locked else Because.SHUT, thing=name)


TOLD: Mapping[str, Question] = {
    "not in hand yet": _held_already,
    "hand free": _hands_full,
    "in hand": _not_held,
    "within reach": _far,
    "at the place": _far,
    "not shut in": _shut_in,
    "place open": _place_shut,
}
"""Preconditions of skills, and how RAIDER's robot tells that one does not hold."""


def blade_for(name: str) -> str:
    """Return what a thing of this name is cut with."""
    known = knowledge()
    return next((blade for blade, members in known.blades.items() if known.is_any_of(members, name)), "knife")


def blade_is_held(deed: Deed) -> Asking:
    """A knife to slice with, or what cuts such a thing instead."""
    known = knowledge()
    blade = blade_for(deed.target)
    held = yield Call("robot_holding")
    if any(known.is_called(blade, name) for name in held):
        return None
    if held:
        return Trouble.about(Because.NO_BLADE_BUT, thing=deed.target, blade=blade, other=held[0])
    seen = [name for name in (yield Call("object_detection")) if known.is_called(blade, name)]
    if seen:
        return Trouble.about(Because.BLADE_SEEN, thing=deed.target, blade=blade, seen=seen[0])
    return Trouble.about(Because.NO_BLADE, thing=deed.target, blade=blade)


def is_safe_to_run(deed: Deed) -> Asking:
    """Ask whether anything is in or on it that must not be there."""
    for relation in ("inside", "on top of"):
        for thing in (yield Call("check_obj_relationship", (relation, deed.target))):
            if why := kept_from(thing, deed.target):
                return Trouble.about(Because.UNSAFE_TO_RUN, thing=thing, place=deed.target, why=why)
    return None


def nothing_blocks(deed: Deed) -> Asking:
    blocking = yield Call("check_obj_relationship", ("blocking", deed.aim))
    if not blocking:
        return None
    can_be_moved = "pickupable" in (yield Call("get_obj_properties", (blocking[0],)))
    because = Because.BLOCKED if can_be_moved else Because.BLOCKED_FOR_GOOD
    return Trouble.about(because, obstacle=blocking[0], thing=deed.aim)


def does_not_stand_open(deed: Deed) -> Asking:
    """A machine that stands open is not turned on."""
    if not is_shut_to_run(deed.target) or "openable" not in (yield Call("get_obj_properties", (deed.target,))):
        return None
    stands = is_so((yield Call("get_obj_state", (deed.target,))), "open", True)
    return Trouble.about(Because.STANDS_OPEN, thing=deed.target) if stands else None


def is_filled_to_run(deed: Deed) -> Asking:
    """Ask whether water is in it: what boils or sprays it is not turned on empty."""
    if not knowledge().is_kind("filled to run", deed.target):
        return None
    empty = is_so((yield Call("get_obj_state", (deed.target,))), "filled", False)
    return Trouble.about(Because.EMPTY, thing=deed.target) if empty else None


ONLY_HERE: Mapping[str, Sequence[Question]] = {
    "turnon": (
        condition_holds,
        can_be("toggleable", Because.CANNOT_TURN_ON),
        is_not_yet("on", True),
        is_safe_to_run,
        does_not_stand_open,
        is_filled_to_run,
    ),
    "turnoff": (condition_holds, can_be("toggleable", Because.CANNOT_TURN_ON), is_not_yet("on", False)),
    "slice": (condition_holds, can_be("sliceable", Because.CANNOT_SLICE), is_not_yet("sliced", True), blade_is_held),
}
"""What is asked about orders of which heed has no skill."""


@cache
def household_questions() -> dict[str, Sequence[Question]]:
    """Return all that is asked about each action: heed's questions, its skills' preconditions, and what blocks."""
    return {action: _asked_about(action) for action in (*USES, *ONLY_HERE)}


def _asked_about(action: str) -> Sequence[Question]:
    conditions = use_of(Deed(action, "", "anywhere")).needs.conditions
    own = [checked(condition.name) for condition in conditions if condition.name in TOLD]
    blocked = () if action == "handover" else (nothing_blocks,)
    return (*QUESTIONS.get(action, ONLY_HERE.get(action, ())), *own, *blocked)
