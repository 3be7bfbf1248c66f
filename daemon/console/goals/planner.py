"""The way to each goal of an answer, from how things are just before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from daemon.console.goals.choice import Choice, taken
from daemon.console.goals.completion import Completion
from daemon.console.goals.goal import Goal, written
from daemon.console.goals.routine_parts import routine_asked_for
from daemon.console.goals.surroundings import Seen, Surroundings
from daemon.console.goals.sweeps import Sweep
from daemon.console.goals.telling import Tell
from daemon.transcript import help_in


class Planner:
    """Finds the way to goals."""

    def __init__(self, now: Surroundings) -> None:
        self._seen = Seen(now)
        self._opened: list[str] = []
        """Doors that were opened on the way, and are closed when a hand is free."""
        self._on_the_way = False
        """Whether the last statement belongs to a goal."""

    def help_for(self, error: str) -> str:
        """Return the statement that asks a person for what the last step of a goal needs; "" where nothing does."""
        return help_in(error) if self._on_the_way else ""

    def taken(self, statements: Iterable[str]) -> list[str]:
        """Return the statements, and for each `if seen(...)` among them those of the way that is taken now."""
        return list(taken(statements, self._seen))

    def comes_to(self, statement: str) -> list[str]:
        """Return what a statement does: without what lessons refuse, with what they bring along or put instead."""
        if Sweep.of(statement):
            return [statement]
        done = map(self._answered, Completion(self._seen).of([statement]))
        return [one for one in done if not self._is_refused(Goal.of(one))]

    def is_so(self, statement: str) -> bool:
        """Return whether a goal is reached already, as things are."""
        if sweep := Sweep.of(statement):
            return sweep.is_so(self._seen.scene)
        match Goal.of(statement):
            case Goal("bring" | "put", thing, place):
                return self._seen.is_at(thing, place)
            case Goal("take", thing):
                return self._seen.is_held(thing)
            case Goal("go", place=place):
                return self._seen.now.here == self._seen.name(place)
            case Goal("open" | "close" as deed, place=place):
                return self._seen.door(place) == {"open": "open", "close": "closed"}[deed]
        return False

    def routine(self, words: str, rules: Sequence[str]) -> list[str]:
        """Return what words ask for that name a routine of these rules, and nothing else."""
        return routine_asked_for(words, rules, self._seen.scene)

    def is_told(self, which: str, text: str) -> bool:
        """Return whether words tell of a thing, a place and the like what is so."""
        return Tell(which).is_in(text, self._seen)

    def planned(self, statements: Iterable[str]) -> Iterator[str]:
        """The console's own statements for those of an answer; each is asked for when the one before has worked."""
        self._opened = []
        yield from self._one_by_one(statements)

    def _one_by_one(self, statements: Iterable[str]) -> Iterator[str]:
        answer = _Ahead(Completion(self._seen).of(statements))
        for statement in answer:
            goal = Goal.of(statement)
            self._on_the_way = goal is not None
            match goal:
                case Goal("bring" | "put"):
                    yield from self._brought(goal, answer)
                case Goal("take", thing):
                    yield from self._forbidden({"grasp": {"object": thing}})
                    yield from self._fetched(thing)
                    yield from self._closed()
                case Goal("go", place=place):
                    yield from self._gone(place)
                case Goal("open" | "close" as deed, place=place):
                    yield from self._gone(place)
                    yield written(f"{deed}_door", place)
                case _ if choice := Choice.of(statement):
                    yield from self._one_by_one(choice.taken(self._seen))
                case _:
                    yield self._answered(statement)

    def _answered(self, statement: str) -> str:
        """Return what says what is to be told, as it is now; any other statement as it is."""
        asked = Tell.of(statement)
        return written("say", asked.answer(self._seen)) if asked else statement

    def _is_refused(self, goal: Goal | None) -> bool:
        return goal is not None and goal.name in ("bring", "put") and self._seen.is_refused(goal)

    def _brought(self, goal: Goal, answer: "_Ahead") -> Iterator[str]:
        """Fetch it, and on the way what else goes to the same place, as far as hands are free; then hand or put it."""
        release, target = goal.release
        yield from self._forbidden(goal.uses)
        carried = [] if self._seen.is_at(goal.thing, goal.place) else [goal.thing]
        for thing in carried:
            yield from self._fetched(thing)
        stand = self._seen.name(goal.place)
        second = self._next_to(answer.peek(), goal)
        if carried and second and self._has_a_hand_for(stand):
            next(answer)
            if not self._seen.lie_together(second, goal.thing):
                yield from self._closed(but=stand)
            yield from self._fetched(second)
            carried.append(second)
        yield from self._closed(but=stand)
        for thing in carried:
            yield from self._gone(stand)
            yield from self._open(stand)
            yield written(release, thing, *target.values())
        stays_open = stand in self._opened and self._next_to(answer.peek(), goal)
        yield from self._closed(but=stand if stays_open else "")

    def _forbidden(self, calls: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
        """Do first what a lesson refuses: it is told before anything moves."""
        for skill, given in calls.items():
            if self._seen.refuses(skill, given):
                yield written(skill, *given.values())

    def _next_to(self, statement: str, goal: Goal) -> str:
        """The thing that the statement wants where this goal's thing goes; "" for none, and for one that stays."""
        other = Goal.of(statement)
        if other is None or (other.name, other.place) != (goal.name, goal.place) or other.thing == goal.thing:
            return ""
        stays = self._seen.is_at(other.thing, other.place) or self._is_refused(other)
        comes = self._seen.place_of(other.thing) and not self._seen.is_too_heavy(other.thing)
        return other.thing if comes and not stays else ""

    def _has_a_hand_for(self, place: str) -> bool:
        """Return whether a hand is free, and another one where a door is to be opened."""
        return len(self._seen.scene.free_hands()) > (self._seen.door(place) == "closed")

    def _fetched(self, thing: str) -> Iterator[str]:
        """Go there and take it; what no hand lifts is refused before anything moves."""
        if self._seen.is_held(thing):
            return
        if (place := self._seen.place_of(thing)) and not self._seen.is_too_heavy(thing):
            yield from self._gone(place)
            yield from self._open(place)
        yield written("grasp", thing)

    def _gone(self, place: str) -> Iterator[str]:
        if self._seen.scene.drives and self._seen.now.here != self._seen.name(place):
            yield written("move_to", self._seen.name(place))

    def _open(self, place: str) -> Iterator[str]:
        if self._seen.door(place) == "closed":
            yield written("open_door", place)
            self._opened.append(place)

    def _closed(self, but: str = "") -> Iterator[str]:
        """Close what was opened, where the robot stands first; but for what the next thing goes into."""
        opened = [place for place in self._opened if place != but]
        for place in sorted(opened, key=lambda place: place != self._seen.now.here):
            if not self._seen.scene.free_hands():
                return
            self._opened.remove(place)
            yield from self._gone(place)
            yield written("close_door", place)


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
