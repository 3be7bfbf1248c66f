"""Answers told in short: what is to be done with which thing, without the way there (daemon/console/goals/), many
things by what they have in common, what is where and what was learned by what tells it.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from daemon.console.goals.goal import Goal
from daemon.console.prompt_parts import Known, rule_of
from daemon.console.situation import SOMEBODY
from daemon.names import forms, mention
from daemon.transcript import ERROR_LINE, plain_call
from training.brain.told import Told, is_told_at, words_in

MOVES = ("move_to", "grasp", "place", "handover", "open_door", "close_door")
_ASKS_ALL = re.compile(
    r"\b(what|which|any|all|list|everything)\b.*\b(learn\w*|taught|teach|rules?|lessons?|remember)\b"
)
LISTED = "say(list_lessons())"
_FORBIDDEN, _TOUCH = re.compile(r"forbid\(('\w+')\)"), re.compile(r"\btouch|\bhands off\b|\bleave .{3,40} alone\b")
"""Who wants something left alone does not want it put elsewhere either."""


class NotShort(ValueError):
    """An answer that cannot be told in short."""


def short(answer: str, prompt: str) -> str:
    """The answer with goals instead of drives, doors and grasps; as it is where it cannot be told so."""
    told = Told.by(prompt)
    if _lists_all(answer, told):
        return LISTED
    if asked := _asked_where(answer, told):
        return f"tell({asked!r})"
    if (found := _FORBIDDEN.fullmatch(answer)) and _TOUCH.search(told.words):
        return f"forbid({found[1]}, touch=True)"
    try:
        goals = list(_Shortening(answer.split("\n"), _State.told(told)).goals())
    except NotShort:
        return answer
    return "\n".join(_swept(goals, told))


def _swept(goals: Sequence[str], told: Told) -> list[str]:
    """The same with `put_all()` for all things of a place or a kind that somebody spoke of, one by one until now."""
    made = [goal for statement in goals if (goal := Goal.of(statement)) and goal.name in MOVING]
    if len({goal.thing for goal in made}) < len(made):
        return list(goals)  # something moves on
    groups = {place: {goal.thing for goal in made if goal.place == place} for place in {goal.place for goal in made}}
    sweeps = {place: _sweep(moved, place, told, len(groups) > 1) for place, moved in groups.items()}
    swept: list[str] = []
    for statement in goals:
        goal = Goal.of(statement)
        whole = sweeps.get(goal.place, "") if goal is not None and goal.name in MOVING else ""
        if not whole or whole not in swept:
            swept.append(whole or statement)
    return swept


def _sweep(moved: Set[str], target: str, told: Told, among_others: bool) -> str:
    """The statement for all of these things; "" where nobody spoke of them as a whole.

    `among_others`: somebody wants more than that, so that a place must be named.
    """
    most = LEFT_OUT if _EXCEPTS.search(told.words) else 0
    sets = _sets(told, target, among_others) if len(moved) >= MANY else ()
    fitting = [(len(those - moved), which, those - moved) for which, those in sets if moved <= those]
    fitting = [fit for fit in fitting if fit[0] <= most]
    if not fitting:
        return ""
    _, which, but = min(fitting, key=lambda fit: fit[0])
    return f"put_all({', '.join(map(repr, (which, target, *sorted(but))))})"


def _sets(told: Told, target: str, named_only: bool) -> Iterator[tuple[str, set[str]]]:
    """Yield the places and kinds that somebody may have spoken of as a whole, with their things."""
    said, known = told.words, [thing for thing in told.things if thing.place != target]
    for place in dict.fromkeys(thing.place for thing in known):
        named = any(mention(form, said) for form in forms(place))
        if (_EVERYTHING.search(said) and not named_only) or (named and _ALL.search(said)):
            yield place, {thing.name for thing in known if thing.place == place}
    for word in dict.fromkeys(re.findall(r"[a-z]+", said)):
        if _ALL.search(said) or word.endswith("s"):
            yield word, {thing.name for thing in known if thing.is_of(word)}


MOVING = ("bring", "put")
MANY = 2
"""Things from which on they are a set."""
LEFT_OUT = 2
"""Things that may stay, at most."""
_ALL = re.compile(r"\b(all|every|everything|whole|lot|rest|each|clear|empty|both|any)\b")
_EVERYTHING = re.compile(r"\b(everything|the lot|the rest|clear|empty|it all|all of (it|that|them))\b")
_EXCEPTS = re.compile(r"\b(but|except|not|apart|bar|without|leave|minus|only|other than|stays?|keep|save)\b|n't")


def _asked_where(answer: str, told: Told) -> str:
    """The thing of which an answer only tells where it is, or the place of which it tells what is there; else ""."""
    text, said = _only_says(answer), told.words
    if (
        not text
        or told.begun
        or not _ASKS_WHERE.search(said)
        or said.startswith("if ")
        or len(text.split()) > PLAIN
        or _TELLS_MORE.search(text)
    ):
        return ""
    known = list(told.things)
    places = {thing.place for thing in known if is_told_at(thing, text)}
    if len(places) != 1:
        return ""
    there = {thing.name for thing in known if thing.place in places}
    in_answer, in_question = _named_in(_without(places, text), known), _named_in(said, known)
    if _ASKS_WHAT.search(said):
        return next(iter(places)) if in_answer == there else ""
    named = in_answer or in_question
    return next(iter(named)) if len(named) == 1 and named <= there else ""


def _without(places: Iterable[str], text: str) -> str:
    """The text without the names of these places: a thing in the glue cupboard need be no glue."""
    for form in sorted((form for place in places for form in forms(place)), key=len, reverse=True):
        if found := mention(form, text):
            text = text[: found.start()] + text[found.end() :]
    return text


def _only_says(answer: str) -> str:
    """The text of an answer that is nothing but one sentence to say; "" for others."""
    name, given = plain_call(answer)
    return given[0] if name == "say" and len(given) == 1 else ""


def _named_in(text: str, known: Sequence[Known]) -> set[str]:
    """The things that a text names, each by the most words that it has of its name; those of fewer words are others."""
    named = {thing.name: words for thing in known if (words := words_in(thing, text))}
    longest = [
        name
        for name, words in named.items()
        if not any(words in others and words != others for others in named.values())
    ]
    return set(longest) if len({named[name] for name in longest}) == len(longest) else set()


PLAIN = 12
"""Words of an answer that only tells a place, at most."""
_ASKS_WHERE = re.compile(
    r"\bwhere\b|\bwho\b|\bwho's\b|\bwhat\b|\bwhat's\b|\bwhich\b|\bseen\b|\bfind\b|\bany\b|\banything\b"
    r"|\b(?:is|are)\b.*\b(?:in|on|at|there|here|still|with)\b"
)
_ASKS_WHAT = re.compile(r"\b(what|what's|anything|which)\b(?!.*\bwhere\b)")
_TELLS_MORE = re.compile(
    r"(?<!^)\b(no|not|too|can|cannot|but|will|would|shall|could|did|do|was|were|until|rule|when|because|if|so|one|i)\b|n't|\?",
    re.IGNORECASE,
)


def _lists_all(answer: str, told: Told) -> bool:
    """Return whether an answer tells each learned rule to somebody who asks for them, or that there is none."""
    if "\n" in answer or not answer.startswith("say(") or not _ASKS_ALL.search(told.words):
        return False
    rules, answered = [_telling(rule_of(line)) for line in told.rules], _telling(answer)
    return all(len(rule & answered) * 2 >= len(rule) for rule in rules) and (
        bool(rules) or bool(answered & {"nothing", "anything", "none", "no"})
    )


def _telling(text: str) -> set[str]:
    """The words of a text, without those that most rules have."""
    return set(re.findall(r"[a-z]+", text.lower())) - _IN_MOST_RULES


_IN_MOST_RULES = frozenset(["i", "you", "the", "when", "ask", "for", "also", "even", "it", "bring"])


@dataclass
class _Call:
    """A statement, and its arguments where it moves something."""

    statement: str
    name: str = ""
    arguments: Sequence[str] = ()

    @classmethod
    def of(cls, statement: str) -> "_Call":
        """Raises NotShort for a movement with a speed or a hand."""
        try:
            node = ast.parse(statement, mode="eval").body
        except SyntaxError:
            return cls(statement)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in MOVES:
            return cls(statement)
        arguments = [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
        if node.keywords or not arguments or len(arguments) < len(node.args):
            raise NotShort(statement)
        return cls(statement, node.func.id, arguments)


@dataclass
class _State:
    """What matters for the way to a goal."""

    here: str = ""
    held: list[str] = field(default_factory=list)
    where: dict[str, str] = field(default_factory=dict)

    @classmethod
    def told(cls, told: Told) -> "_State":
        """From the situation in a prompt, and what was done in its last turn since."""
        here, held = told.stands
        state = cls(here, held, {thing.name: thing.place for thing in told.things})
        done = [line.removeprefix(">>> ") for line in told.after]
        for line, after in pairwise([*done, ""]):
            if line.startswith(MOVES) and not ERROR_LINE.match(after):
                state.follow(_Call.of(line))
        return state

    def follow(self, call: _Call) -> None:
        """Do it in mind."""
        match call.name:
            case "move_to":
                self.here = call.arguments[0]
            case "grasp":
                self.held.append(call.arguments[0])
                self.where.pop(call.arguments[0], None)
            case "place" | "handover":
                thing = call.arguments[0]
                self.held = [held for held in self.held if held != thing]
                self.where[thing] = call.arguments[1] if call.name == "place" else self.here


class _Shortening:
    """One answer."""

    def __init__(self, statements: Sequence[str], state: _State) -> None:
        self._calls = [_Call.of(statement) for statement in statements]
        self._state = state
        self._on_the_way: set[str] = set()
        """Doors that are opened for what is done behind them, and closed again."""
        self._late: list[str] = []
        """Doors that are to be closed once the hands are free."""

    def goals(self) -> Iterator[str]:
        """Raises NotShort where something is taken and kept."""
        released = {call.arguments[0] for call in self._calls if call.name in ("handover", "place")}
        if any(call.name == "grasp" and call.arguments[0] not in released for call in self._calls):
            raise NotShort
        for number, call in enumerate(self._calls):
            following = self._calls[number + 1 :]
            yield from self._goal(call, following)
            self._state.follow(call)
            if call.name in ("handover", "place") and not self._state.held:
                yield from (f"close({door!r})" for door in self._late)
                self._late = []

    def _goal(self, call: _Call, following: Sequence[_Call]) -> Iterator[str]:
        moves_on = bool(following and following[0].name)
        match call.name:
            case "":
                yield call.statement
            case "move_to" if not moves_on:
                yield f"go({call.arguments[0]!r})"
            case "open_door":
                yield from self._opened(call.arguments[0], following)
            case "close_door" if call.arguments[0] not in self._on_the_way:
                if self._state.held and moves_on:
                    self._late.append(call.arguments[0])
                else:
                    yield f"close({call.arguments[0]!r})"
            case "handover":
                whom = f", {self._state.here!r}" if self._state.here != SOMEBODY else ""
                yield f"bring({call.arguments[0]!r}{whom})"
            case "place":
                yield f"put({call.arguments[0]!r}, {call.arguments[1]!r})"

    def _opened(self, door: str, following: Sequence[_Call]) -> Iterator[str]:
        closed = any(call.name == "close_door" and call.arguments[0] == door for call in following)
        if closed and self._is_used(door, following):
            self._on_the_way.add(door)
        else:
            yield f"open({door!r})"

    def _is_used(self, door: str, following: Sequence[_Call]) -> bool:
        """Return whether something is taken from behind the door, or put there, before it is closed."""
        for call in following:
            if call.name == "close_door" and call.arguments[0] == door:
                return False
            if call.name == "grasp" and self._state.where.get(call.arguments[0]) == door:
                return True
            if call.name == "place" and call.arguments[1] == door:
                return True
        return False
