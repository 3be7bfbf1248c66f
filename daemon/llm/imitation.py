"""A brain without weights: takes the most similar example and adapts it, object by object, to what was said and seen.

A case-based policy behind the same interface as a language model: deterministic, instant, able to learn, and honest
where it has not learned something. It reads nothing but the prompt, as a model does, and is the yardstick that any
model must beat.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from daemon.llm.model import PROMPT_SIGN, Embedder, Prompt
from daemon.names import called, forms, mention
from daemon.transcript import Step, parse_transcript

WAIT = "wait_for_trigger()"
FAMILIAR = 0.45
"""Least similarity of a request to a known one before heed admits that it has not learned that."""
LEARNED_BONUS = 0.10
"""What a person taught wins over what was shipped when both fit about as well."""
CUE_WEIGHT = 0.25
"""How much the presence of teaching words counts, which sentence embeddings mostly ignore."""
TOO_FEW_OBJECTS = 0.2
"""A case about two objects says little about a request for one."""
CUES = re.compile(
    r"\b(next time|always|from now on|never|remember|learn|without me (having )?to ask|in future|in the future)\b",
    re.IGNORECASE,
)
PRONOUN = re.compile(r"\b(it|that|this|them|those|these)\b", re.IGNORECASE)
DEFINITE = re.compile(r"\b(the|that|this|which)\s+$", re.IGNORECASE)
HINT = re.compile(r"Hint: (\w+\([^()]*\))")
PARTS = "; "
"""Stands between the parts of a meaning that are done one after the other."""
LOOKING = ("list_objects", "list_locations")


@dataclass(frozen=True)
class Names:
    """What the transcript has shown so far: objects with category and location, and places."""

    objects: dict[str, tuple[str, str]] = field(default_factory=dict)
    """name -> (category, location)"""
    places: frozenset[str] = frozenset()

    @classmethod
    def seen_in(cls, steps: Iterable[Step]) -> "Names":
        """Read from the results of list_objects() and list_locations(); later ones win."""
        objects: dict[str, tuple[str, str]] = {}
        places: set[str] = set()
        for step in steps:
            value = _literal(step.result) if step.called in LOOKING else None
            if step.called == "list_objects" and isinstance(value, list):
                objects = {name: (category, location) for name, category, location in value}
            if step.called == "list_locations" and isinstance(value, list):
                places |= set(map(str, value))
        places |= {location for _, location in objects.values() if not location.endswith(" hand")}
        return cls(objects, frozenset(places))


@dataclass(frozen=True)
class Request:
    """What was said, with the names that it mentions."""

    text: str
    objects: tuple[str, ...]
    """In the order in which they are mentioned."""
    places: tuple[str, ...]
    masked: str
    """The text with each name replaced by "object" or "place", so that two requests compare by their intent."""
    choices: tuple[str, ...] = ()
    """Objects among which the person must choose first, such as the three that "the drink" may mean."""


@dataclass(frozen=True)
class Case:
    """One turn of an example: a request, and what was done about it."""

    request: Request
    steps: tuple[Step, ...]
    names: Names
    learned: bool


class Imitation:
    """A LanguageModel that imitates the examples in the prompt."""

    name = "imitation"
    context_tokens = 100_000

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._similarity = lru_cache(maxsize=4096)(self._embedded_similarity)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """The next statement; never fails."""
        steps = parse_transcript(prompt.history.rstrip().removesuffix(PROMPT_SIGN))
        start = max((i for i, step in enumerate(steps) if step.called == "wait_for_trigger"), default=None)
        if start is None or steps[start].heard is None:
            return f" {WAIT}\n"
        cases = [case for example in prompt.examples for case in cases_in(example)]
        return f" {self._next(steps[:start], steps[start:], cases)}\n"

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Nothing to prepare: an answer takes milliseconds."""

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def cancel(self) -> None:
        """Nothing to cancel: an answer takes milliseconds."""

    def close(self) -> None:
        """Nothing to free."""

    def _next(self, past: Sequence[Step], turn: Sequence[Step], cases: Sequence[Case]) -> str:
        done = turn[1:]
        if recovery := _recover(done):
            return recovery
        names = Names.seen_in([*past, *turn])
        if not names.objects and not any(step.called == "list_objects" for step in done):
            return "list_objects()"  # a request is only understood by one who knows what it may be about
        said = " ".join(step.meaning for step in turn if step.meaning)
        program: list[str] = []
        for part in said.split(PARTS):
            request = read_request(part, names, past)
            case = self._nearest(request, cases)
            if case is None:
                return _once("say('I have not learned how to do that yet.')", done)
            if (look := _first_look(case, done)) is not None:
                return look
            if request.choices and not any(step.called == "ask" for step in done):
                return f"ask({'Which one do you mean: ' + _either(request.choices) + '?'!r})"
            if len(request.objects) < len(case.request.objects):
                return _once(f"say({_unknown(request, names)!r})", done)
            program += _program(case, request, names, done)
        return _first_undone(program, done)

    def _nearest(self, request: Request, cases: Sequence[Case]) -> Case | None:
        scored = [(self._score(request, case), index) for index, case in enumerate(cases)]
        best, index = max(scored, default=(0.0, -1))
        return cases[index] if best >= FAMILIAR else None

    def _score(self, request: Request, case: Case) -> float:
        teaching, taught = bool(CUES.search(request.text)), bool(CUES.search(case.request.text))
        fits = bool(request.places) == bool(case.request.places)
        return (
            max(
                self._similarity(request.masked, case.request.masked),
                self._similarity(request.text, case.request.text),
            )
            + (CUE_WEIGHT if teaching and taught else -CUE_WEIGHT if teaching != taught else 0.0)
            - (0.0 if fits else 0.05)
            - (TOO_FEW_OBJECTS if len(request.objects) < len(case.request.objects) else 0.0)
            + (LEARNED_BONUS if case.learned else 0.0)
        )

    def _embedded_similarity(self, one: str, other: str) -> float:
        first, second = self._embedder.embed([one, other])
        return float(first @ second)


def cases_in(example: str) -> Iterator[Case]:
    """The turns of an example transcript as cases; a "# Learned" comment marks what a person taught."""
    learned = example.lstrip().startswith("# Learned") or "\n# Learned" in example
    turn: list[Step] = []
    for step in [*parse_transcript(example), Step(WAIT)]:
        if step.called == "wait_for_trigger":
            if turn and turn[0].heard:
                names = Names.seen_in(turn)
                yield Case(read_request(turn[0].meaning or "", names, ()), tuple(turn[1:]), names, learned)
            turn = []
        turn.append(step)


def read_request(text: str, names: Names, past: Sequence[Step]) -> Request:
    """Find the objects and places that a sentence mentions, "it" and categories included."""
    masked = text
    choices: tuple[str, ...] = ()
    found: list[tuple[int, str]] = []
    for phrase, members in _ways_to_name(names):
        match = mention(phrase, masked)
        if match is None or masked[: match.start()].endswith("to "):  # "a cup to drink" mentions no drink
            continue
        if not any(name in members for _, name in found):
            found.append((match.start(), members[0]))
            if len(members) > 1 and DEFINITE.search(masked[: match.start()]):
                choices = members
        masked = _mask(masked, match, "object")
    places: list[tuple[bool, int, str]] = []
    for phrase, name in _ways_to_place(names):
        if (match := mention(phrase, masked)) is not None and name not in [place for *_, place in places]:
            places.append((masked[: match.start()].endswith(("from ", "from the ")), match.start(), name))
            masked = _mask(masked, match, "place")
    objects = [name for _, name in sorted(found)]
    if not objects and PRONOUN.search(text) and (last := _last_handled(past)):
        objects = [last]
    return Request(
        text,
        tuple(objects),
        tuple(name for *_, name in sorted(places)),  # where things come from is mentioned last
        " ".join(masked.lower().split()),
        choices,
    )


def _ways_to_name(names: Names) -> list[tuple[str, tuple[str, ...]]]:
    """(phrase, the objects that it may mean), the most exact phrases first, categories last."""
    members: dict[tuple[int, str], list[str]] = {}
    for name, (category, _) in names.objects.items():
        exact, *shorter = forms(name)
        for rank, phrase in [(0, exact), *((1, form) for form in shorter), (2, category)]:
            if phrase:
                members.setdefault((rank, phrase), []).append(name)
    ranked = sorted(members, key=lambda key: (key[0], -len(key[1])))
    return [(key[1], tuple(members[key])) for key in ranked]


def _ways_to_place(names: Names) -> list[tuple[str, str]]:
    """(phrase, place), the most exact phrases first."""
    ways = [(form, name) for name in sorted(names.places) for form in forms(name)]
    return sorted(ways, key=lambda way: -len(way[0]))


def _recover(done: Sequence[Step]) -> str | None:
    """After an error: follow its hint, else give up honestly; None when the last statement did not fail."""
    if not done or done[-1].error is None:
        return None
    error = done[-1].error
    if error.startswith("KeyboardInterrupt"):
        return WAIT
    hint = HINT.search(error)
    if hint and Counter(step.statement for step in done)[hint[1]] < 2 and done[-1].statement != hint[1]:
        return hint[1]
    reason = re.sub(r"^\w+: |\.? Hint: .*$", "", error)
    return f"say({f'I could not do that: {reason}.'!r})"


def _first_look(case: Case, done: Sequence[Step]) -> str | None:
    """The first statement that looks around, as the case does before it acts, and that was not made yet."""
    made = {step.called for step in done}
    for step in case.steps:
        if step.called not in LOOKING:
            return None
        if step.called not in made:
            return step.statement
    return None


def _program(case: Case, request: Request, names: Names, done: Sequence[Step]) -> list[str]:
    """The case's statements, adapted; once for each mentioned object where the case handles one."""
    wanted = len(case.request.objects)
    if wanted == 1 and len(request.objects) > 1:
        rounds: list[tuple[str, ...]] = [(name,) for name in request.objects]
    else:
        rounds = [request.objects[:wanted]]
    program: list[str] = []
    for objects in rounds:
        program += _adapt(case, objects, request.places, names, done)
    return program


def _adapt(case: Case, objects: Sequence[str], places: Sequence[str], names: Names, done: Sequence[Step]) -> list[str]:
    """The case's statements for other objects and places; the ways to where things are follow the scene."""
    new = dict(zip(case.request.objects, objects, strict=False)) | dict(zip(case.request.places, places, strict=False))
    new = _counterparts(case, names) | new
    missing = [name for name in case.names.objects if _used(name, case) and new.get(name, name) not in names.objects]
    fetched_from = _fetch_ways(case)
    program: list[str] = []
    here = None
    opened = {step.statement for step in done if not step.error}
    for index, step in enumerate(case.steps):
        if step.called in LOOKING or step.error or any(_quotes(name, step.statement) for name in missing):
            continue
        if index in fetched_from:
            if step.called == "close_door":
                door = names.objects.get(new.get(fetched_from[index], fetched_from[index]), ("", ""))[1]
                program += [f"close_door({door!r})"] if f"open_door({door!r})" in opened else []
            continue
        statement = _substitute(step.statement, new)
        if step.called == "grasp":
            name = _first_argument(statement)
            at = names.objects.get(name, ("", ""))[1]
            if at.endswith(" hand"):
                continue
            if at and at != here:
                program.append(f"move_to({at!r})")
                here = at
        elif step.called == "move_to":
            here = _first_argument(statement)
        program.append(statement)
    return program + [f"say({f'I do not see any {name}.'!r})" for name in missing]


def _counterparts(case: Case, names: Names) -> dict[str, str]:
    """What stands here for the case's things and places that nobody mentions: the one that is called the same."""
    here = [*names.objects, *sorted(names.places)]
    others = [name for name in [*case.names.objects, *case.names.places] if name not in here]
    found = ((name, next((other for other in here if called(other, name)), None)) for name in others)
    return {name: other for name, other in found if other}


def _fetch_ways(case: Case) -> dict[int, str]:
    """Steps that only lead to where an object is (drive there, open, close) -> the object fetched there."""
    ways: dict[int, str] = {}
    for index, step in enumerate(case.steps):
        if step.called not in ("move_to", "open_door", "close_door"):
            continue
        place = _first_argument(step.statement)
        nearby = case.steps[index + 1 :] if step.called != "close_door" else case.steps[:index][::-1]
        for other in nearby:
            if other.called == "move_to":
                break
            if other.called == "grasp":
                name = _first_argument(other.statement)
                if case.names.objects.get(name, ("", ""))[1] == place:
                    ways[index] = name
                break
    return ways


def _first_undone(program: Sequence[str], done: Sequence[Step]) -> str:
    """The first statement of the program that was not made successfully yet, else wait."""
    if done and done[-1].statement == program_end(done):
        return WAIT
    made = Counter(step.statement for step in done if not step.error)
    for statement in program:
        if made[statement]:
            made[statement] -= 1
        else:
            return statement
    return WAIT


def program_end(done: Sequence[Step]) -> str | None:
    """The statement that admits defeat, after which only waiting is left; None if nothing was given up."""
    for step, after in pairwise(done):
        if step.error and after.statement.startswith(("say('I could not", 'say("I could not')):
            return after.statement
    return None


def _once(statement: str, done: Sequence[Step]) -> str:
    return WAIT if any(step.statement == statement for step in done) else statement


def _substitute(statement: str, new: dict[str, str]) -> str:
    """The statement with names replaced inside its strings; names are whole words there."""
    if not new:
        return statement
    pattern = re.compile("|".join(rf"\b{re.escape(n)}\b" for n in sorted(new, key=len, reverse=True)))

    class Rename(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            if isinstance(node.value, str):
                return ast.Constant(pattern.sub(lambda match: new[match[0]], node.value))
            return node

    return ast.unparse(Rename().visit(ast.parse(statement)))


def _used(name: str, case: Case) -> bool:
    return any(_quotes(name, step.statement) for step in case.steps if step.called in ("grasp", "place", "handover"))


def _quotes(name: str, statement: str) -> bool:
    """Whether a statement has the name as a whole argument."""
    return any(isinstance(node, ast.Constant) and node.value == name for node in ast.walk(ast.parse(statement)))


def _first_argument(statement: str) -> str:
    match ast.parse(statement).body:
        case [ast.Expr(value=ast.Call(args=[ast.Constant(value=str(value)), *_]))]:
            return value
    return ""


def _last_handled(past: Sequence[Step]) -> str | None:
    for step in reversed(past):
        if step.called in ("grasp", "place", "handover") and not step.error:
            return _first_argument(step.statement) or None
    return None


def _mask(text: str, match: re.Match[str], word: str) -> str:
    """The same length of text is not kept, but the order of names is: spaces fill what the name had more."""
    return text[: match.start()] + word.ljust(match.end() - match.start()) + text[match.end() :]


def _unknown(request: Request, names: Names) -> str:
    if not names.objects:
        return "I do not see anything here that I could take."
    return "I do not know which object you mean. I see " + _either(list(names.objects), "and") + "."


def _either(options: Sequence[str], word: str = "or") -> str:
    listed = [f"the {option}" for option in options]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {word} {listed[-1]}"


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
