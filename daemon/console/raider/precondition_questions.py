"""Which questions each order raises beyond what the skill that does it checks by itself (skills/preconditions.py), and
which answers are trouble. One table, and a few lines for each question.

A question is a generator: it yields calls of tools, is sent their results, and returns a Trouble or None. The first
stage asks it directly, the second in the flow.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from daemon.console.raider.flow import Call
from daemon.console.raider.reasons import Because, Trouble
from daemon.console.raider.surroundings import Surroundings
from daemon.console.raider.tools import Tools
from daemon.lexicon.harm import Known, Move, harm_of
from daemon.lexicon.thing_knowledge import knowledge, without_number

Demand = tuple[str, bool]
"""A state that a thing must have: ("dirty", False)."""
Asking = Generator[Call, Any, Trouble | None]

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


def can_be(what: str, otherwise: Because) -> Question:
    """Ask whether the thing has a property."""

    def question(deed: Deed) -> Asking:
        name = deed.place if what == "receptacle" else deed.target
        if not name or what in (yield Call("get_obj_properties", (name,))):
            return None
        if otherwise is Because.CANNOT_PICK and knowledge().is_any_of(knowledge().heavy, name):
            return Trouble.about(Because.TOO_HEAVY, thing=name)
        return Trouble.about(otherwise, thing=name)

    return question


def is_sensible(deed: Deed) -> Asking:
    """Ask whether the thing may go to the place at all."""
    yield from ()
    why = kept_from(deed.target, deed.place) if deed.place else ""
    return Trouble.about(Because.UNSAFE, thing=deed.target, place=deed.place, why=why) if why else None


def is_shut_to_run(name: str) -> bool:
    """Return whether it is a machine whose door is shut while it runs."""
    return any(knowledge().is_kind(sort, name) for sort in (*SWITCHED_OFF_TO_OPEN, SHUT_TO_RUN))


def kept_from(thing: str, place: str) -> str:
    """Return why a thing must not go to a place: somebody could be hurt, or it is ruined there; "" where nothing is
    known.
    """
    return harm_of(Move([Known((thing,))], Known((place,)))) or knowledge().forbids(thing, place)


def nothing_on_top(deed: Deed) -> Asking:
    """Ask what lies on the thing: that keeps it from being picked, unless it is carried along as on a plate; not in a
    stack.
    """
    above = yield Call("check_obj_relationship", ("on top of", deed.target))
    if knowledge().is_any_of(knowledge().carriers, deed.target):
        above = [name for name in above if without_number(name) == without_number(deed.target)]
    return Trouble.about(Because.COVERED, obstacle=above[0], thing=deed.target) if above else None


def has_room(deed: Deed) -> Asking:
    if not knowledge().is_any_of(knowledge().single, deed.aim):
        return None
    for relation in ("inside", "on top of"):
        there = [name for name in (yield Call("check_obj_relationship", (relation, deed.aim))) if name != deed.target]
        if there:
            return Trouble.about(Because.OCCUPIED, obstacle=there[0], thing=deed.aim, held=deed.target)
    return None


def is_not_locked(deed: Deed) -> Asking:
    state = yield Call("get_obj_state", (deed.target,))
    locked = is_so(state, "locked", True) and is_so(state, "open", True) is not True
    return Trouble.about(Because.LOCKED, thing=deed.target) if locked else None


def is_not_yet(key: str, value: bool) -> Question:
    """Ask whether there is anything left to do."""

    def question(deed: Deed) -> Asking:
        state = yield Call("get_obj_state", (deed.target,))
        done = is_so(state, key, value)
        return Trouble.about(Because.ALREADY, thing=deed.target, state=state_word(key, value)) if done else None

    return question


def does_not_run(deed: Deed) -> Asking:
    """A machine that runs is not opened."""
    if not is_shut_to_run(deed.aim):
        return None
    running = is_so((yield Call("get_obj_state", (deed.aim,))), "on", True)
    return Trouble.about(Because.RUNNING, thing=deed.aim) if running else None


def condition_holds(deed: Deed) -> Asking:
    name = deed.place if deed.place and knowledge().is_called(deed.condition_of, deed.place) else deed.target
    for key, value in deed.condition:
        state = yield Call("get_obj_state", (name,))
        if key == "filled" and is_so(state, key, value) is None:
            inside = yield Call("check_obj_relationship", ("inside", name))
            if inside and not value:
                return Trouble.about(Because.CONTAINS, thing=name, obstacle=inside[0])
            state = {"filled": bool(inside)}
        if is_so(state, key, value) is False:
            return not_so(name, key, value)
    return None


QUESTIONS: dict[str, Sequence[Question]] = {
    "pick": (condition_holds, can_be("pickupable", Because.CANNOT_PICK), nothing_on_top),
    "place": (
        can_be("receptacle", Because.CANNOT_HOLD),
        is_sensible,
        does_not_run,
        has_room,
        condition_holds,
    ),
    "open": (
        condition_holds,
        can_be("openable", Because.CANNOT_OPEN),
        is_not_yet("open", True),
        is_not_locked,
        does_not_run,
    ),
    "close": (condition_holds, can_be("openable", Because.CANNOT_OPEN), is_not_yet("open", False)),
}
"""Of each order that ends in a skill: what is asked beyond the skill's own preconditions."""
DONE_BY = {
    "pick": ("grasp", ("object",)),
    "place": ("place", ("object", "location")),
    "open": ("open_door", ("container",)),
    "close": ("close_door", ("container",)),
}
"""The skill by which an order is done in the end, and its arguments."""
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


def answered(asking: Generator[Call, Any, list[Trouble]], around: Surroundings, tools: Tools) -> list[Trouble]:
    """Ask the questions directly, with no flow between."""
    try:
        call = next(asking)
        while True:
            call = asking.send(tools[call.tool].function(around, *call.args))
    except StopIteration as done:
        found: list[Trouble] = done.value
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
    return Trouble.about(Because.NOT_SO, thing=name, state=state_word(key, not value), wanted=state_word(key, value))


def state_word(key: str, value: bool) -> str:
    """A state in one word."""
    words = _STATE_WORDS.get(key, (key, f"not {key}"))
    return words[0] if value else words[1]


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
