"""Goals in an answer: `bring('milk')` stands for the drives, doors and grasps that it takes from how things are now.

    bring(thing, person='person')   put(thing, place)   take(thing)   go(place)   open(place)   close(place)
    put_all(which, place or person, but ...)        sweeps.py
    tell(thing, place, person, kind or state)       telling.py

A small mind that was taught so writes what is to be done, and not the way there. Each goal is turned into the
console's own statements, one by one, from what is seen just before: lessons, limits, errors and stops hold for them as
for all others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from daemon.console.situation import SOMEBODY
from daemon.console.sweeps import SWEEP, Sweep
from daemon.console.telling import TELL, Tell
from daemon.names import forms, joined, spoken
from daemon.transcript import help_in, plain_call
from skills.preconditions import LIFTS
from skills.scene import Scene
from skills.skill import SkillError

ARGUMENTS = {
    "bring": ("object", "location"),
    "put": ("object", "location"),
    "take": ("object",),
    "go": ("location",),
    "open": ("container",),
    "close": ("container",),
}
"""Of each goal, and what they name, as the parameters of skills do."""

SAID = {
    "put": "take {thing} to {place}",
    "take": "take {thing}",
    "go": "go to {place}",
    "open": "open {place}",
    "close": "close {place}",
}
"""How each is told to a person, of whom it is asked whether to do it."""
TAKES = {SWEEP[0]: "what it is, where to, and what stays", TELL[0]: "a thing, a place, a kind or a state"}
"""What those take that name more than things and places."""


def goal_arguments() -> Iterator[tuple[str, int, str]]:
    """Goal, position and what is named there, as skills.skill.arguments() tells it of skills."""
    for name, named in (*ARGUMENTS.items(), SWEEP, TELL):
        for position, kind in enumerate(named):
            yield name, position, kind


def takes(name: str) -> str:
    """Return what a goal of this name takes, in words; "" where there is none."""
    parts = ("a thing" if part == "object" else "a place" for part in ARGUMENTS.get(name, ()))
    return TAKES.get(name, " and ".join(parts))


def is_goal(statement: str) -> bool:
    """Return whether a statement is a goal, with all that it takes."""
    return bool(Goal.of(statement) or Sweep.of(statement) or Tell.of(statement))


class Surroundings(Protocol):
    """What is seen now."""

    @property
    def scene(self) -> Scene:
        """The scene as it is now. Raises RuntimeError where nothing can be seen."""
        ...

    @property
    def here(self) -> str:
        """Return where the robot stands; "" between places."""
        ...

    def forbids(self, skill: str, given: Mapping[str, str]) -> bool:
        """Return whether a lesson would refuse this call of a skill, wherever the robot stands."""
        ...

    def comes_along(self, thing: str) -> Sequence[Sequence[str]]:
        """Return what lessons bring along with a thing that somebody asked for: for each, what would do, best first."""
        ...

    def instead_of(self, thing: str) -> Sequence[str]:
        """Return what else is of the kind that somebody asked for; nothing where they asked for this very thing."""
        ...


@dataclass(frozen=True)
class Goal:
    """What is to be so."""

    name: str
    thing: str = ""
    place: str = ""

    @classmethod
    def of(cls, statement: str) -> "Goal | None":
        """The goal that a statement writes; None for any other statement."""
        name, given = plain_call(statement)
        if name not in ARGUMENTS:
            return None
        known, named = ARGUMENTS[name], list(given)
        if name == "bring" and len(named) == 1:
            named.append(SOMEBODY)
        if len(named) != len(known):
            return None
        parts = {"thing" if kind == "object" else "place": name for kind, name in zip(known, named, strict=True)}
        return cls(name, **parts)

    @property
    def told(self) -> str:
        """Return it in words: "bring you the cup"."""
        thing, place = f"the {forms(self.thing)[0]}", f"the {spoken(self.place)}"
        if self.name == "bring":
            return f"bring you {thing}" if self.place == SOMEBODY else f"bring {thing} to {spoken(self.place).title()}"
        return SAID[self.name].format(thing=thing, place=place)


class Planner:
    """Finds the way to goals."""

    def __init__(self, now: Surroundings) -> None:
        self._now = now
        self._opened: list[str] = []
        """Doors that were opened on the way, and are closed when a hand is free."""
        self._on_the_way = False
        """Whether the last statement belongs to a goal."""
        self._instead: dict[str, str] = {}
        """What a lesson refuses, and what else of its kind is taken in this answer, as people call them."""

    def help_for(self, error: str) -> str:
        """Return the statement that asks a person for what the last step of a goal needs; "" where nothing does."""
        return help_in(error) if self._on_the_way else ""

    def planned(self, statements: Iterable[str]) -> Iterator[str]:
        """The console's own statements for those of an answer; each is asked for when the one before has worked."""
        self._opened, self._instead = [], {}
        written = _Ahead(self._completed(statements))
        for statement in written:
            goal = Goal.of(statement)
            self._on_the_way = goal is not None
            match goal:
                case Goal("bring" | "put"):
                    yield from self._brought(goal, written)
                case Goal("take", thing):
                    yield from self._forbidden({"grasp": {"object": thing}})
                    yield from self._fetched(thing)
                    yield from self._closed()
                case Goal("go", place=place):
                    yield from self._gone(place)
                case Goal("open" | "close" as deed, place=place):
                    yield from self._gone(place)
                    yield _call(f"{deed}_door", place)
                case _:
                    yield statement

    def _completed(self, statements: Iterable[str]) -> Iterator[str]:
        """An answer, with what lessons bring along and it leaves out, behind what it brings."""
        brought: list[Goal] = []
        for statement in self._listed(statements):
            goal = Goal.of(statement)
            if goal and goal.name == "bring":
                brought.append(goal)
            elif goal is None:
                yield from self._left_out(brought)
                brought = []
            yield statement
        yield from self._left_out(brought)

    def _listed(self, statements: Iterable[str]) -> Iterator[str]:
        """Name one by one what is meant by all of them, and say what is to be told; what is nowhere is left to the
        skill that says so.
        """
        for statement in statements:
            if asked := Tell.of(statement):
                yield _call("say", asked.answer(self._scene))
            elif sweep := Sweep.of(statement):
                yield from self._swept(sweep)
            else:
                yield self._told_so(self._allowed(self._directed(statement)))

    def _allowed(self, statement: str) -> str:
        """Put something else of its kind for what a lesson refuses and nobody asked for by its name."""
        goal = Goal.of(statement)
        if goal is None or goal.name not in ("bring", "put") or not self._is_refused(goal):
            return statement
        others = (replace(goal, thing=other) for other in self._now.instead_of(goal.thing))
        instead = next((other for other in others if not self._is_refused(other)), goal)
        self._instead[spoken(goal.thing)] = spoken(instead.thing)
        return _call(instead.name, instead.thing, instead.place)

    def _told_so(self, statement: str) -> str:
        """Name in what is said what was taken instead."""
        name, given = plain_call(statement)
        if name != "say" or not self._instead:
            return statement
        told = "".join(given)
        for refused, taken in self._instead.items():
            told = re.sub(rf"\b{re.escape(refused)}\b", taken, told, flags=re.IGNORECASE)
        return _call("say", told)

    def _swept(self, sweep: Sweep) -> Iterator[str]:
        """Name each of them but what a lesson refuses: that stays, and is told, where there are others."""
        things = sweep.things(self._scene)
        goals = {thing: self._directed(_call("put", thing, sweep.place)) for thing in things}
        stay = [thing for thing, statement in goals.items() if (goal := Goal.of(statement)) and self._is_refused(goal)]
        told = stay if len(stay) < len(things) else []
        yield from (statement for thing, statement in goals.items() if thing not in told)
        if told:
            yield _call("say", f"I leave {joined([f'the {spoken(thing)}' for thing in told])}, as I was told.")
        if not things:
            yield _call("grasp", sweep.which)

    def _directed(self, statement: str) -> str:
        """What is put with a person is brought to them, and what is brought to a place is put there."""
        goal = Goal.of(statement)
        if goal is None or goal.name not in ("bring", "put") or not (kind := self._kind(goal.place)):
            return statement
        return _call("bring" if kind == "person" else "put", goal.thing, goal.place)

    def _left_out(self, brought: Sequence[Goal]) -> Iterator[str]:
        there = {goal.thing for goal in brought}
        for goal in brought if self._scene.objects else ():
            for things in self._now.comes_along(goal.thing):
                if not any(thing in there or self._is_with_somebody(thing) for thing in things):
                    yield _call("bring", things[0], goal.place)

    def _brought(self, goal: Goal, written: "_Ahead") -> Iterator[str]:
        """Fetch it, and on the way what else goes to the same place, as far as hands are free; then hand or put it."""
        release, target = _release(goal)
        yield from self._forbidden(_uses(goal))
        carried = [] if self._is_at(goal.thing, goal.place) else [goal.thing]
        for thing in carried:
            yield from self._fetched(thing)
        along = written.peek()
        if carried and along and (second := self._fits(along, goal)):
            next(written)
            if not self._lie_together(second, goal.thing):
                yield from self._closed()
            yield from self._fetched(second)
            carried.append(second)
        yield from self._closed()
        for thing in carried:
            stand = self._name(goal.place)
            yield from self._gone(stand)
            yield from self._open(stand)
            yield _call(release, thing, *target.values())
        yield from self._closed()

    def _forbidden(self, calls: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
        """Do first what a lesson refuses: it is told before anything moves."""
        for skill, given in calls.items():
            if self._scene.objects and self._now.forbids(skill, given):
                yield _call(skill, *given.values())

    def _is_refused(self, goal: Goal) -> bool:
        return bool(self._scene.objects) and any(
            self._now.forbids(skill, given) for skill, given in _uses(goal).items()
        )

    def _fits(self, statement: str, goal: Goal) -> str:
        """The thing of a goal that can be reached on the same way; "" for none."""
        other = Goal.of(statement)
        if other is None or (other.name, other.place) != (goal.name, goal.place) or other.thing == goal.thing:
            return ""
        free = len(self._scene.free_hands())
        needs_hand = self._door(goal.place) == "closed"
        return other.thing if free > needs_hand and not self._is_at(other.thing, other.place) else ""

    def _fetched(self, thing: str) -> Iterator[str]:
        """Go there and take it; what no hand lifts is refused before anything moves."""
        if self._is_held(thing):
            return
        if (place := self._place_of(thing)) and not self._is_too_heavy(thing):
            yield from self._gone(place)
            yield from self._open(place)
        yield _call("grasp", thing)

    def _gone(self, place: str) -> Iterator[str]:
        if self._scene.drives and self._now.here != self._name(place):
            yield _call("move_to", self._name(place))

    def _open(self, place: str) -> Iterator[str]:
        if self._door(place) == "closed":
            yield _call("open_door", place)
            self._opened.append(place)

    def _closed(self) -> Iterator[str]:
        """Close what was opened, where the robot stands first."""
        for place in sorted(self._opened, key=lambda place: place != self._now.here):
            if not self._scene.free_hands():
                return
            self._opened.remove(place)
            yield from self._gone(place)
            yield _call("close_door", place)

    # --- what is seen; what is not there is left to the skills, which say so ---

    @property
    def _scene(self) -> Scene:
        try:
            return self._now.scene
        except RuntimeError:
            return Scene((), ())

    def _is_held(self, thing: str) -> bool:
        try:
            return self._scene.object(thing).held_by is not None
        except SkillError:
            return False

    def _is_too_heavy(self, thing: str) -> bool:
        try:
            return (self._scene.object(thing).mass or 0.0) > LIFTS
        except SkillError:
            return False

    def _place_of(self, thing: str) -> str:
        scene = self._scene
        try:
            place = scene.place_of(scene.object(thing))
        except SkillError:
            return ""
        return place if any(known.name == place for known in scene.locations) else ""

    def _is_with_somebody(self, thing: str) -> bool:
        place = self._place_of(thing)
        return any(known.name == place and known.kind == "person" for known in self._scene.locations)

    def _is_at(self, thing: str, place: str) -> bool:
        return self._place_of(thing) == place

    def _lie_together(self, one: str, other: str) -> bool:
        """Return whether the one lies where the robot has just taken the other."""
        return self._place_of(one) == self._now.here and self._is_held(other)

    def _door(self, place: str) -> str | None:
        try:
            return self._scene.location(place).door
        except SkillError:
            return None

    def _kind(self, place: str) -> str:
        try:
            return self._scene.location(place).kind
        except SkillError:
            return ""

    def _name(self, place: str) -> str:
        """A place's own name; of a bowl and the like, that of the place where it is."""
        try:
            return self._scene.location(place).name
        except SkillError:
            return self._place_of(place) or place


class _Ahead(Iterator[str]):
    """Statements, of which the next can be seen before it is taken."""

    def __init__(self, statements: Iterator[str]) -> None:
        self._statements = statements
        self._seen: list[str] = []

    def __next__(self) -> str:
        return self._seen.pop() if self._seen else next(self._statements)

    def peek(self) -> str:
        """The next one; "" at the end. Waits for it where it is still being written."""
        if not self._seen:
            self._seen = [statement for statement in [next(self._statements, "")] if statement]
        return self._seen[0] if self._seen else ""


def _release(goal: Goal) -> tuple[str, Mapping[str, str]]:
    """Return the skill by which a thing that is carried comes to be where it shall, and where that is."""
    return ("handover", {}) if goal.name == "bring" else ("place", {"location": goal.place})


def _uses(goal: Goal) -> Mapping[str, Mapping[str, str]]:
    """Return what is done with the thing itself, as a lesson may refuse it."""
    release, target = _release(goal)
    return {"grasp": {"object": goal.thing}, release: {"object": goal.thing, **target}}


def _call(name: str, *arguments: str) -> str:
    return f"{name}({', '.join(map(repr, arguments))})"
