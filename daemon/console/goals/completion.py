"""What lessons make of an answer's goals: what comes along, what stays, and what does instead."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from daemon.console.goals.goal import Goal, written
from daemon.console.goals.surroundings import Seen
from daemon.console.goals.sweeps import Sweep
from daemon.names import joined, spoken
from daemon.transcript import plain_call


class Completion:
    """Reads one answer."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._instead: dict[str, str] = {}
        """What a lesson refuses or somebody likes less, and what else of its kind is taken in this answer, as people
        call them.
        """

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
        """Name one by one what is meant by all of them; what is nowhere is left to the skill that says so."""
        for statement in statements:
            if sweep := Sweep.of(statement):
                yield from self._swept(sweep)
            elif (goal := Goal.of(statement)) and goal.name in ("bring", "put"):
                yield self._allowed(self._liked(self._directed(goal))).statement
            else:
                yield self._told_so(statement)

    def _liked(self, goal: Goal) -> Goal:
        """Put what somebody likes best for another one of the kind that they asked for."""
        liked = self._seen.now.liked(goal.thing) if goal.name == "bring" else ""
        if liked in ("", goal.thing) or self._seen.is_with_somebody(liked):
            return goal
        return self._taking(liked, goal)

    def _taking(self, thing: str, goal: Goal) -> Goal:
        self._instead[spoken(goal.thing)] = spoken(thing)
        return replace(goal, thing=thing)

    def _allowed(self, goal: Goal) -> Goal:
        """Put something else of its kind for what a lesson refuses and nobody asked for by its name."""
        if not self._seen.is_refused(goal):
            return goal
        free = (other for other in self._seen.now.instead_of(goal.thing) if not self._seen.is_with_somebody(other))
        instead = next((other for other in free if not self._seen.is_refused(replace(goal, thing=other))), "")
        return self._taking(instead, goal) if instead else goal

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
        goals = [self._directed(Goal("put", thing, sweep.place)) for thing in sweep.things(self._seen.scene)]
        refused = [goal for goal in goals if self._seen.is_refused(goal)]
        stay = refused if len(refused) < len(goals) else []
        yield from (goal.statement for goal in goals if goal not in stay)
        if stay:
            yield written("say", f"I leave {joined([f'the {spoken(goal.thing)}' for goal in stay])}, as I was told.")
        if not goals and not sweep.is_so(self._seen.scene):
            yield written("grasp", sweep.which)

    def _directed(self, goal: Goal) -> Goal:
        """What is put with a person is brought to them, and what is brought to a place is put there.

        Both by the place's own name.
        """
        kind, place = self._seen.kind(goal.place), self._seen.name(goal.place)
        return replace(goal, name="bring" if kind == "person" else "put", place=place) if kind else goal

    def _left_out(self, brought: Sequence[Goal]) -> Iterator[str]:
        there = {goal.thing for goal in brought}
        for goal in brought if self._seen.scene.objects else ():
            for things in self._seen.now.comes_along(goal.thing):
                if not any(thing in there or self._seen.is_with_somebody(thing) for thing in things):
                    yield written("bring", things[0], goal.place)
