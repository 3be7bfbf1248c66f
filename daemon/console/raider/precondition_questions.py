"""Which questions each action raises, and which answers are trouble. One table, and a few lines for each question.

A question is a generator: it yields calls of tools, is sent their results, and returns a Trouble or None. The first
stage asks it directly, the second in the flow.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from daemon.console.raider.flow import Call
from daemon.console.raider.reasons import Because, Trouble
from daemon.lexicon.harm import Known, Move, harm_of
from daemon.lexicon.thing_knowledge import knowledge, spoken_name, without_number

Demand = tuple[str, bool]
"""A state that a thing must have: ("dirty", False)."""
Asking = Generator[Call, Any, Trouble | None]

JUST_OUT_OF_REACH = 0.2
"""Metres beyond reach that a person can help with: driving would bring the robot no nearer."""
SWITCHED_OFF_TO_OPEN = ("radiation", "heat", "water")
"""Sorts of places whose door stays shut while they run."""
SHUT_TO_RUN = "shut to run"
"""Those among other machines, as things.txt calls them."""


@dataclass(frozen=True)
class Deed:
    """An action on things that are known by name."""

    action: str
    target: str
    place: str = ""
    condition: tuple[Demand, ...] = ()
    condition_of: str = ""
    reach: float | None = None

    @property
    def aim(self) -> str:
        """Return what the hand goes to."""
        return self.place if self.action == "place" and self.place else self.target


Question = Callable[[Deed], Asking]


def is_not_held(deed: Deed) -> Asking:
    held = yield Call("robot_holding")
    return _trouble(Because.HELD_ALREADY, thing=deed.target) if deed.target in held else None


def hand_is_free(deed: Deed) -> Asking:
    if (yield Call("free_hands")) > 0:
        return None
    held = yield Call("robot_holding")
    return _trouble(Because.HANDS_FULL, thing=held[0]) if held else None


def is_held(deed: Deed) -> Asking:
    held = yield Call("robot_holding")
    if deed.target in held:
        return None
    if held and (yield Call("free_hands")) == 0:
        return _trouble(Because.HOLDS_OTHER, thing=deed.target, other=held[0])
    return _trouble(Because.NOT_HELD, thing=deed.target)


def blade_is_held(deed: Deed) -> Asking:
    """A knife to slice with, or what cuts such a thing instead."""
    known = knowledge()
    blade = known.blade_for(deed.target)
    held = yield Call("robot_holding")
    if any(known.is_called(blade, name) for name in held):
        return None
    if held:
        return _trouble(Because.NO_BLADE_BUT, thing=deed.target, blade=blade, other=held[0])
    seen = [name for name in (yield Call("object_detection")) if known.is_called(blade, name)]
    if seen:
        return _trouble(Because.BLADE_SEEN, thing=deed.target, blade=blade, seen=seen[0])
    return _trouble(Because.NO_BLADE, thing=deed.target, blade=blade)


def can_be(what: str, otherwise: Because) -> Question:
    """Ask whether the thing has a property."""

    def question(deed: Deed) -> Asking:
        name = deed.place if what == "receptacle" else deed.target
        if not name or what in (yield Call("get_obj_properties", (name,))):
            return None
        if otherwise is Because.CANNOT_PICK and knowledge().is_any_of(knowledge().heavy, name):
            return _trouble(Because.TOO_HEAVY, thing=name)
        return _trouble(otherwise, thing=name)

    return question


def is_sensible(deed: Deed) -> Asking:
    """Ask whether the thing may go to the place at all."""
    yield from ()
    why = _kept_from(deed.target, deed.place) if deed.place else ""
    return _trouble(Because.UNSAFE, thing=deed.target, place=deed.place, why=why) if why else None


def is_safe_to_run(deed: Deed) -> Asking:
    """Ask whether anything is in or on it that must not be there."""
    for relation in ("inside", "on top of"):
        for thing in (yield Call("check_obj_relationship", (relation, deed.target))):
            if why := _kept_from(thing, deed.target):
                return _trouble(Because.UNSAFE_TO_RUN, thing=thing, place=deed.target, why=why)
    return None


def _kept_from(thing: str, place: str) -> str:
    """Return why a thing must not go to a place: somebody could be hurt, or it is ruined there; "" where nothing is
    known.
    """
    return harm_of(Move([Known((thing,))], Known((place,)))) or knowledge().forbids(thing, place)


def is_in_reach(deed: Deed) -> Asking:
    reach = deed.reach if deed.reach is not None else (yield Call("reach"))
    distance = yield Call("dist_to_target", (deed.aim,))
    if distance <= reach:
        return None
    near = distance - reach <= JUST_OUT_OF_REACH + 1e-9
    because = Because.A_LITTLE_FAR if near else Because.FAR
    return _trouble(because, thing=deed.aim, metres=f"{distance:g}", reach=f"{reach:g}")


def nothing_blocks(deed: Deed) -> Asking:
    blocking = yield Call("check_obj_relationship", ("blocking", deed.aim))
    if not blocking:
        return None
    can_be_moved = "pickupable" in (yield Call("get_obj_properties", (blocking[0],)))
    because = Because.BLOCKED if can_be_moved else Because.BLOCKED_FOR_GOOD
    return _trouble(because, obstacle=blocking[0], thing=deed.aim)


def nothing_on_top(deed: Deed) -> Asking:
    """Ask what lies on the thing: that keeps it from being picked, unless it is carried along as on a plate; not in a
    stack.
    """
    above = yield Call("check_obj_relationship", ("on top of", deed.target))
    if knowledge().is_any_of(knowledge().carriers, deed.target):
        above = [name for name in above if without_number(name) == without_number(deed.target)]
    return _trouble(Because.COVERED, obstacle=above[0], thing=deed.target) if above else None


def has_room(deed: Deed) -> Asking:
    if not knowledge().is_any_of(knowledge().single, deed.aim):
        return None
    for relation in ("inside", "on top of"):
        there = [name for name in (yield Call("check_obj_relationship", (relation, deed.aim))) if name != deed.target]
        if there:
            return _trouble(Because.OCCUPIED, obstacle=there[0], thing=deed.aim, held=deed.target)
    return None


def container_is_open(deed: Deed) -> Asking:
    """Ask whether it is behind a closed door: it is not taken then."""
    for container in (yield Call("check_obj_relationship", ("containing", deed.target))):
        if "openable" in (yield Call("get_obj_properties", (container,))) and is_so(
            (yield Call("get_obj_state", (container,))), "open", False
        ):
            return (yield from _shut(container))
    return None


def place_is_open(deed: Deed) -> Asking:
    if "openable" not in (yield Call("get_obj_properties", (deed.aim,))):
        return None
    shut = is_so((yield Call("get_obj_state", (deed.aim,))), "open", False)
    return (yield from _shut(deed.aim)) if shut else None


def is_not_locked(deed: Deed) -> Asking:
    state = yield Call("get_obj_state", (deed.target,))
    locked = is_so(state, "locked", True) and is_so(state, "open", True) is not True
    return _trouble(Because.LOCKED, thing=deed.target) if locked else None


def _shut(name: str) -> Asking:
    """Ask whether it is locked: what is only closed can be opened."""
    locked = is_so((yield Call("get_obj_state", (name,))), "locked", True)
    return _trouble(Because.LOCKED if locked else Because.SHUT, thing=name)


def is_not_yet(key: str, value: bool) -> Question:
    """Ask whether there is anything left to do."""

    def question(deed: Deed) -> Asking:
        state = yield Call("get_obj_state", (deed.target,))
        done = is_so(state, key, value)
        return _trouble(Because.ALREADY, thing=deed.target, state=state_word(key, value)) if done else None

    return question


def does_not_run(deed: Deed) -> Asking:
    """A machine that runs is not opened."""
    known = knowledge()
    if not any(known.is_kind(sort, deed.aim) for sort in (*SWITCHED_OFF_TO_OPEN, SHUT_TO_RUN)):
        return None
    running = is_so((yield Call("get_obj_state", (deed.aim,))), "on", True)
    return _trouble(Because.RUNNING, thing=deed.aim) if running else None


def does_not_stand_open(deed: Deed) -> Asking:
    """A machine that stands open is not turned on."""
    known = knowledge()
    if not any(known.is_kind(sort, deed.target) for sort in (*SWITCHED_OFF_TO_OPEN, SHUT_TO_RUN)):
        return None
    if "openable" not in (yield Call("get_obj_properties", (deed.target,))):
        return None
    stands = is_so((yield Call("get_obj_state", (deed.target,))), "open", True)
    return _trouble(Because.STANDS_OPEN, thing=deed.target) if stands else None


def is_filled_to_run(deed: Deed) -> Asking:
    """Ask whether water is in it: what boils or sprays it is not turned on empty."""
    if not knowledge().is_kind("filled to run", deed.target):
        return None
    empty = is_so((yield Call("get_obj_state", (deed.target,))), "filled", False)
    return _trouble(Because.EMPTY, thing=deed.target) if empty else None


def condition_holds(deed: Deed) -> Asking:
    name = deed.place if deed.place and knowledge().is_called(deed.condition_of, deed.place) else deed.target
    for key, value in deed.condition:
        state = yield Call("get_obj_state", (name,))
        if key == "filled" and is_so(state, key, value) is None:
            inside = yield Call("check_obj_relationship", ("inside", name))
            if inside and not value:
                return _trouble(Because.CONTAINS, thing=name, obstacle=inside[0])
            state = {"filled": bool(inside)}
        if is_so(state, key, value) is False:
            return not_so(name, key, value)
    return None


_AT_HAND = (is_in_reach, nothing_blocks)
QUESTIONS: dict[str, Sequence[Question]] = {
    "pick": (
        condition_holds,
        is_not_held,
        can_be("pickupable", Because.CANNOT_PICK),
        hand_is_free,
        container_is_open,
        *_AT_HAND,
        nothing_on_top,
    ),
    "place": (
        can_be("receptacle", Because.CANNOT_HOLD),
        is_sensible,
        is_held,
        does_not_run,
        place_is_open,
        *_AT_HAND,
        has_room,
        condition_holds,
    ),
    "open": (
        condition_holds,
        can_be("openable", Because.CANNOT_OPEN),
        is_not_yet("open", True),
        is_not_locked,
        does_not_run,
        hand_is_free,
        *_AT_HAND,
    ),
    "close": (
        condition_holds,
        can_be("openable", Because.CANNOT_OPEN),
        is_not_yet("open", False),
        hand_is_free,
        *_AT_HAND,
    ),
    "turnon": (
        condition_holds,
        can_be("toggleable", Because.CANNOT_TURN_ON),
        is_not_yet("on", True),
        is_safe_to_run,
        does_not_stand_open,
        is_filled_to_run,
        hand_is_free,
        *_AT_HAND,
    ),
    "turnoff": (
        condition_holds,
        can_be("toggleable", Because.CANNOT_TURN_ON),
        is_not_yet("on", False),
        hand_is_free,
        *_AT_HAND,
    ),
    "slice": (
        condition_holds,
        can_be("sliceable", Because.CANNOT_SLICE),
        is_not_yet("sliced", True),
        blade_is_held,
        *_AT_HAND,
    ),
    "handover": (is_held,),
}
"""For a robot among things: household orders."""
FATAL = "IU5"
"""The issue after which nothing else matters: it can never work."""


def ask_all(deed: Deed, questions: Sequence[Question]) -> Generator[Call, Any, list[Trouble]]:
    """Ask every question; what can never work ends it."""
    found: list[Trouble] = []
    for question in questions:
        trouble = yield from question(deed)
        if trouble is not None and trouble.issue == FATAL:
            return [trouble]
        if trouble is not None:
            found.append(trouble)
            if trouble.because in (Because.ALREADY, Because.HELD_ALREADY, Because.NOT_SO, Because.CONTAINS):
                return found
    return found


def is_so(state: dict[str, Any], key: str, value: bool) -> bool | None:
    """Return whether a state is as demanded; None where it does not tell."""
    for known, sign in ((key, True), (state_word(key, False), False)):
        if known in state and isinstance(state[known], bool):
            return bool(state[known]) == (value is sign)
    words = {str(word).lower() for word in state.values() if isinstance(word, str)}
    if state_word(key, value) in words:
        return True
    if state_word(key, not value) in words:
        return False
    like = knowledge().is_like(key, words)
    return None if like is None else like == value


def not_so(name: str, key: str, value: bool) -> Trouble:
    """The thing is not as it was demanded."""
    return _trouble(Because.NOT_SO, thing=name, state=state_word(key, not value), wanted=state_word(key, value))


def state_word(key: str, value: bool) -> str:
    """A state in one word."""
    words = _STATE_WORDS.get(key, (key, f"not {key}"))
    return words[0] if value else words[1]


def _trouble(because: Because, **slots: str) -> Trouble:
    return Trouble(because, {name: _said(name, text) for name, text in slots.items()})


def _said(slot: str, text: str) -> str:
    return text if slot in ("metres", "reach", "state", "wanted", "why", "person") else spoken_name(text)


_STATE_WORDS = {
    "open": ("open", "closed"),
    "on": ("on", "off"),
    "sliced": ("sliced", "whole"),
    "dirty": ("dirty", "clean"),
    "filled": ("filled", "empty"),
    "broken": ("broken", "intact"),
    "locked": ("locked", "unlocked"),
    "wet": ("wet", "dry"),
}
