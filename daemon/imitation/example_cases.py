"""What the examples in the prompt show: requests, and what was done about them."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from daemon.imitation.english.clause_forms import has_pronoun
from daemon.imitation.english.clauses import polite, split_clauses
from daemon.imitation.english.intents import intents
from daemon.imitation.english.vocabulary import LOOKING, Names
from daemon.imitation.english.what_is_asked import Request, read_request
from daemon.names import mention, spoken
from daemon.transcript import WAIT, Step, parse_transcript

ACTING = ("grasp", "place", "handover")
"""Skills whose first argument is the object that is handled."""


@dataclass(frozen=True)
class Case:
    """One turn of an example: a request, and what was done about it."""

    request: Request
    steps: tuple[Step, ...]
    names: Names
    objects: tuple[str, ...]
    """Those that the request mentions and that are handled, in the order in which they are mentioned."""
    places: tuple[str, ...]
    """Those that the request mentions and that are gone to."""
    adapted: tuple[bool, ...]
    """For each mention of the request whether it stands for such an object; "every block" may be found by code."""
    learned: bool

    @property
    def begins_in_hand(self) -> bool:
        """Return whether the robot held one of the objects already."""
        return any(self.names.locations.get(name, "").endswith(" hand") for name in self.objects)

    @property
    def for_somebody(self) -> bool:
        """Return whether something is handed to a person by name."""
        return bool(self.places) and any(step.called == "handover" for step in self.steps)

    @cached_property
    def asks_back(self) -> bool:
        """Return whether an order to do something is answered in words alone."""
        asked = intents(self.request.text, self.request.masked)
        return "put" in asked and not any(step.called not in (*LOOKING, "say", "ask") for step in self.steps)

    @cached_property
    def deeds(self) -> tuple[frozenset[str], ...]:
        """Return what each clause of its request asks for; several were done as one."""
        clauses = [read_request(clause, self.names) for clause in split_clauses(self.request.text, self.names)]
        return tuple(intents(clause.text, clause.masked) for clause in clauses)

    @property
    def looks(self) -> tuple[str, ...]:
        """The statements that look around before anything is done."""
        looks: list[str] = []
        for step in self.steps:
            if step.called not in LOOKING:
                break
            looks.append(step.statement)
        return tuple(looks)

    def uses(self, name: str) -> bool:
        """Return whether a statement has the name as a whole argument."""
        return any(quotes(name, step.statement) for step in self.steps)


@lru_cache(maxsize=512)
def cases_in(example: str) -> tuple[Case, ...]:
    """Return the turns of an example transcript as cases; a "# Learned" comment marks what a person taught."""
    learned = example.lstrip().startswith("# Learned") or "\n# Learned" in example
    return tuple(_cases(parse_transcript(example), learned))


def _cases(steps: Sequence[Step], learned: bool) -> Iterator[Case]:
    seen: list[Step] = []
    turn: list[Step] = []
    for step in [*steps, Step(WAIT)]:
        if step.called == "wait_for_trigger":
            if turn and turn[0].heard:
                yield _case(turn, Names.seen_in(seen), learned)
            turn = []
        turn.append(step)
        seen.append(step)


def _case(turn: Sequence[Step], names: Names, learned: bool) -> Case:
    steps = tuple(turn[1:])
    request = read_request(polite(turn[0].meaning or ""), names)
    handled = [first_argument(step.statement) for step in steps if step.called in ACTING]
    used = [name for step in steps if step.called not in LOOKING for name in quoted(step.statement)]
    told = [step.statement for step in steps if step.called == "say"]
    used += [name for name in names.locations if any(mention(spoken(name), sentence) for sentence in told)]
    objects: list[str] = []
    adapted: list[bool] = []
    for one in request.mentions:
        fitting = [name for name in one.fits if name in (handled or used)]
        adapted.append(bool(fitting))
        objects += [name for name in fitting if name not in objects]
    if not objects and handled and has_pronoun(request.text):
        objects = handled[:1]
    places = tuple(name for name in (*request.targets, *request.places) if name in used)
    return Case(request, steps, names, tuple(objects), places, tuple(adapted), learned)


def quotes(name: str, statement: str) -> bool:
    """Return whether a statement has the name as a whole argument."""
    return name in quoted(statement)


@lru_cache(maxsize=4096)
def quoted(statement: str) -> tuple[str, ...]:
    """Return the strings in a statement."""
    nodes = ast.walk(ast.parse(statement))
    return tuple(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


@lru_cache(maxsize=4096)
def first_argument(statement: str) -> str:
    """Return the first argument of a call, where that is a string; else ''."""
    match ast.parse(statement).body:
        case [ast.Expr(value=ast.Call(args=[ast.Constant(value=str(value)), *_]))]:
            return value
    return ""
