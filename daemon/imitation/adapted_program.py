"""Adapts what was done in a case to other objects and places, as they are here and now."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from daemon.imitation.english.vocabulary import LOOKING, Names
from daemon.imitation.example_cases import ACTING, Case, first_argument, quotes
from daemon.lexicon.inflection import is_or_are
from daemon.names import spoken
from daemon.transcript import Step

HANDS = 2
"""A door needs a free one."""


@dataclass
class Plan:
    """Statements for a whole request, and where everything will be after them."""

    names: Names
    opened: frozenset[str]
    """Doors that were opened on the way, since they were found closed; they are closed again."""
    statements: list[str] = field(default_factory=list)
    where: dict[str, str] = field(default_factory=dict)
    here: str | None = None
    degrees: Mapping[str, str] = field(default_factory=dict)
    preposition: str = "in"
    """Whether things are said to be in or on an object."""
    left_open: list[str] = field(default_factory=list)
    """Doors that are closed once a hand is free again."""

    def __post_init__(self) -> None:
        self.where = self.where or self.names.locations

    def add(
        self, case: Case, objects: Sequence[str], places: Sequence[str], degrees: Mapping[str, str], said: str = ""
    ) -> None:
        """Do as in the case, once for each object or place where the case handles one.

        `degrees` are words to put in place of others: the right for the left; `said` is the request.
        """
        self.degrees = degrees
        self.preposition = "on" if re.search(r"\bon(?:to)?\b", said) else "in"
        for some_objects, some_places in _rounds(case, objects, places):
            self._add_round(case, some_objects, some_places)

    def _add_round(self, case: Case, objects: Sequence[str], places: Sequence[str]) -> None:
        new = dict(zip(case.objects, objects, strict=False)) | dict(zip(case.places, places, strict=False))
        new = self._counterparts(case) | self._where_they_are(case, new) | new
        if missing := self._missing(case, new):
            self.statements += [f"say({f'I do not see any {spoken(name)} here.'!r})" for name in missing]
            return
        if there := self._already_there(case, new):
            self.statements.append(there)
            return
        ways = _ways(case)
        for index, step in enumerate(case.steps):
            if step.called not in LOOKING and not step.error and index not in ways:
                statement = _by_degrees(substituted(step.statement, new), self.degrees)
                self._add_statement(self._said_as_in(statement, places))
        for place in self.left_open:
            self.statements += [f"move_to({place!r})", f"close_door({place!r})"]
            self.here = place
        self.left_open.clear()

    def _said_as_in(self, statement: str, places: Sequence[str]) -> str:
        """The apple is on the counter, but in the fridge; what lies in an object is said as the request has it."""
        behind_a_door = bool(places) and places[0] in self.opened
        if Step(statement).called != "say" or not places or not (behind_a_door or places[0] in self.names.locations):
            return statement
        name = re.escape(spoken(places[0]))
        preposition = "in" if behind_a_door else self.preposition
        return re.sub(rf"\b(?:on|at|in) the {name}\b", f"{preposition} the {spoken(places[0])}", statement)

    def _add_statement(self, statement: str) -> None:
        called, name = Step(statement).called, first_argument(statement)
        if called == "move_to":
            place = self._place_of(name)
            if place.endswith(" hand"):
                return
            statement = substituted(statement, {name: place}) if place != name else statement
            self.here = place
        elif called == "grasp" and not self._go_for(name):
            return
        self.statements.append(statement)
        if called == "grasp":
            at, self.where[name] = self.where.get(name, ""), "a hand"
            self._close_behind(at)
        elif called == "place":
            target = [*_strings(statement), ""][1]
            self._close_behind(target)
            self.where[name] = target
        elif called == "handover":
            self.where[name] = self.here or "person"

    def _go_for(self, name: str) -> bool:
        """Go to where an object is; False for one that is in a hand already."""
        at = self._place_of(name) if name in self.where else ""
        if at.endswith(" hand"):
            return False
        if at and at != self.here:
            self.statements.append(f"move_to({at!r})")
            self.here = at
        return True

    def _close_behind(self, place: str) -> None:
        """Close the door of a place, or of the place where an object is."""
        held = sum(at.endswith(" hand") for at in self.where.values())
        if (place := self._place_of(place)) in self.opened and held >= HANDS:
            self.left_open.append(place)
        elif place in self.opened:
            self.statements.append(f"close_door({place!r})")

    def _place_of(self, name: str) -> str:
        """Return the place itself, or where an object is, also one that lies in another."""
        objects = tuple((known, "", at) for known, at in self.where.items())
        return Names(objects).place_of(name)

    def _counterparts(self, case: Case) -> dict[str, str]:
        """Return what stands here for the case's things and places that nobody mentions: what is called the same."""
        gone_to = [first_argument(step.statement) for step in case.steps if step.called == "move_to"]
        elsewhere = [*case.names.locations, *case.names.places, *gone_to]
        found = ((name, self.names.counterpart(name)) for name in elsewhere if name not in case.objects)
        return {name: other for name, other in found if other and other != name}

    def _where_they_are(self, case: Case, new: Mapping[str, str]) -> dict[str, str]:
        """A place that a case goes to because its object is there stands for the place where the new object is."""
        places = {case.names.locations.get(name, ""): self.where.get(new.get(name, name), "") for name in case.objects}
        return {place: at for place, at in places.items() if place not in new and not at.endswith(" hand") and at}

    def _missing(self, case: Case, new: Mapping[str, str]) -> list[str]:
        """Return what the case handles or goes to, and is not here."""
        missing: list[str] = []
        ways = _ways(case)
        for name in case.names.locations:
            if _handles(case, name) and new.get(name, name) not in self.where:
                missing.append(new.get(name, name))
        for index, step in enumerate(case.steps):
            place = first_argument(step.statement) if step.called == "move_to" and index not in ways else ""
            target = self._place_of(new.get(place, place))
            if place and self.names.places and target not in self.names.places and not target.endswith(" hand"):
                missing.append(new.get(place, place))
        return list(dict.fromkeys(missing))

    def _already_there(self, case: Case, new: Mapping[str, str]) -> str | None:
        """Return what to say where the thing already is where the case would put it."""
        for step in case.steps:
            if step.called == "place" and not step.error:
                said = [new.get(value, value) for value in _strings(step.statement)]
                name, target, *_ = [*said, "", ""]
                if target and self.where.get(name) == target:
                    return f"say({f'The {spoken(name)} is already at the {spoken(target)}.'!r})"
        return None


def first_undone(program: Sequence[str], done: Sequence[Step]) -> str | None:
    """Return the statement after those that were made, in their order; None when all were. Detours are not counted."""
    position = 0
    for step in done:
        if not step.error and position < len(program) and _is_made(program[position], step):
            position += 1
    return program[position] if position < len(program) else None


def _is_made(statement: str, step: Step) -> bool:
    """Return whether a step did what the statement is for: a thing that should be put at a person was handed over."""
    planned = Step(statement).called
    instead = {planned, step.called} == {"place", "handover"}
    return step.statement == statement or (instead and first_argument(step.statement) == first_argument(statement))


def substituted(statement: str, new: Mapping[str, str]) -> str:
    """Return the statement with names replaced in its strings, as whole words; in speech as they are spoken."""
    if not new:
        return statement
    tree = ast.parse(statement)
    speech = Step(statement).called in ("say", "ask")
    called = {**new, **{spoken(name): spoken(other) for name, other in new.items()}} if speech else dict(new)
    pattern = re.compile("|".join(rf"\b{re.escape(n)}\b" for n in sorted(called, key=len, reverse=True)))
    return ast.unparse(_Rename(pattern, called, new, speech).visit(tree))


def _by_degrees(statement: str, degrees: Mapping[str, str]) -> str:
    """`way = 'left'` for another way: only a word that a statement is all about is changed."""
    match ast.parse(statement).body:
        case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(word)))] if word in degrees:
            return f"{name} = {degrees[word]!r}"
    return statement


class _Rename(ast.NodeTransformer):
    def __init__(
        self, pattern: re.Pattern[str], new: Mapping[str, str], exact: Mapping[str, str], speech: bool
    ) -> None:
        self._pattern = pattern
        self._new = new
        self._exact = exact
        self._speech = speech

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave calls inside of speech alone: what they are about is no speech: say('It is at ' +
        get_object_location('cup_0')).
        """
        before, spoken_here = self._speech, isinstance(node.func, ast.Name) and node.func.id in ("say", "ask")
        self._speech = before and spoken_here
        try:
            return self.generic_visit(node)
        finally:
            self._speech = before

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, str):
            return node
        value = self._pattern.sub(lambda match: self._word(match[0]), node.value)
        return ast.Constant(_agreeing(value) if self._speech else value)

    def _word(self, name: str) -> str:
        return spoken(self._new[name]) if self._speech else self._exact.get(name, name)


def _agreeing(sentence: str) -> str:
    """Return the verb after the number of its noun: "Here is the gloves" has another one now."""

    def agree(match: re.Match[str]) -> str:
        noun = (match["thing"] or match["subject"]).lower()
        if " and " in noun:
            return match[0]
        return re.sub(r"\b(?:is|are)\b", is_or_are(noun), match[0], count=1)

    return _NUMBERED.sub(agree, sentence)


_NUMBERED = re.compile(r"^Here (?:is|are) the (?P<thing>[\w ]+)(?=[.!])|^The (?P<subject>[\w ]+?) (?:is|are) (?=\w)")


def _rounds(case: Case, objects: Sequence[str], places: Sequence[str]) -> list[tuple[Sequence[str], Sequence[str]]]:
    if len(case.objects) == 1 and len(objects) > 1:
        paired = len(case.places) == 1 and len(places) == len(objects)
        return [((name,), places[i : i + 1] if paired else places) for i, name in enumerate(objects)]
    if not case.objects and len(case.places) == 1 and len(places) > 1:
        return [((), (place,)) for place in places]
    return [(objects[: len(case.objects)], places)]


def _ways(case: Case) -> frozenset[int]:
    """Return the steps that only lead to where an object is, by number: they follow the scene, not the case."""
    ways = set()
    for index, step in enumerate(case.steps):
        if step.called not in ("move_to", "open_door", "close_door"):
            continue
        place = first_argument(step.statement)
        before, after = case.steps[:index][::-1], case.steps[index + 1 :]
        for other in before if step.called == "close_door" else after:
            if other.called == "move_to":
                break
            name = first_argument(other.statement)
            if other.called == "grasp" and case.names.locations.get(name) == place:
                ways.add(index)
            if other.called == "place" and step.called != "move_to" and place in _strings(other.statement):
                ways.add(index)
    return frozenset(ways)


def _handles(case: Case, name: str) -> bool:
    return any(quotes(name, step.statement) for step in case.steps if step.called in ACTING)


def _strings(statement: str) -> list[str]:
    match ast.parse(statement).body:
        case [ast.Expr(value=ast.Call(args=args))]:
            return [arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return []
