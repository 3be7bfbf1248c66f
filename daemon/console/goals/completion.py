"""What lessons make of an answer's goals: what comes along, what stays, and what does instead."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from daemon.console.goals.goal import Goal, written
from daemon.console.goals.surroundings import Seen
from daemon.console.goals.sweeps import Sweep
from daemon.console.goals.telling import Tell
from daemon.names import joined, spoken
from daemon.transcript import plain_call


class Completion:
    """Reads one answer."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._instead: dict[str, str] = {}
        """What a lesson refuses, and what else of its kind is taken in this answer, as people call them."""

    def of(self, statements: Iterable[str]) -> Iterator[str]:
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
                yield written("say", asked.answer(self._seen.scene))
            elif sweep := Sweep.of(statement):
                yield from self._swept(sweep)
            else:
                yield self._told_so(self._allowed(self._directed(statement)))

    def _allowed(self, statement: str) -> str:
        """Put something else of its kind for what a lesson refuses and nobody asked for by its name."""
        goal = Goal.of(statement)
        if goal is None or goal.name not in ("bring", "put") or not self._seen.is_refused(goal):
            return statement
        others = (replace(goal, thing=other) for other in self._seen.now.instead_of(goal.thing))
        instead = next((other for other in others if not self._seen.is_refused(other)), goal)
        self._instead[spoken(goal.thing)] = spoken(instead.thing)
        return instead.statement

    def _told_so(self, statement: str) -> str:
        """Name in what is said what was taken instead."""
        name, given = plain_call(statement)
        if name != "say" or not self._instead:
            return statement
        told = "".join(given)
        for refused, taken in self._instead.items():
            told = re.sub(rf"\b{re.escape(refused)}\b", taken, told, flags=re.IGNORECASE)
        return written("say", told)

    def _swept(self, sweep: Sweep) -> Iterator[str]:
        """Name each of them but what a lesson refuses: that stays, and is told, where there are others."""
        things = sweep.things(self._seen.scene)
        goals = {thing: self._directed(written("put", thing, sweep.place)) for thing in things}
        stay = [thing for thing, statement in goals.items() if self._is_refused(statement)]
        told = stay if len(stay) < len(things) else []
        yield from (statement for thing, statement in goals.items() if thing not in told)
        if told:
            yield written("say", f"I leave {joined([f'the {spoken(thing)}' for thing in told])}, as I was told.")
        if not things:
            yield written("grasp", sweep.which)

    def _is_refused(self, statement: str) -> bool:
        goal = Goal.of(statement)
        return goal is not None and self._seen.is_refused(goal)

    def _directed(self, statement: str) -> str:
        """What is put with a person is brought to them, and what is brought to a place is put there."""
        goal = Goal.of(statement)
        if goal is None or goal.name not in ("bring", "put") or not (kind := self._seen.kind(goal.place)):
            return statement
        return written("bring" if kind == "person" else "put", goal.thing, goal.place)

    def _left_out(self, brought: Sequence[Goal]) -> Iterator[str]:
        there = {goal.thing for goal in brought}
        for goal in brought if self._seen.scene.objects else ():
            for things in self._seen.now.comes_along(goal.thing):
                if not any(thing in there or self._seen.is_with_somebody(thing) for thing in things):
                    yield written("bring", things[0], goal.place)
