"""A second reader beside a mind that was taught: how likely does it find what the mind wants to do?

Two networks that read the same words differently are seldom wrong in the same way, so that where both agree one may
act, and where they do not one had better ask. What they read is the same text, the mind's prompt.
(docs/decisions/second-reader.md)
"""

import ast
import logging
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from daemon.console.counts import counts_in
from daemon.console.goals.goal import Goal
from daemon.console.goals.sweeps import Sweep
from daemon.console.prompt_parts import LATER, SAID, UNDER_WAY, PromptParts, name_of, rule_of
from daemon.console.reminder_time import is_by_the_clock, names_a_time
from daemon.console.situation import SOMEBODY
from daemon.console.statements import statements_in
from daemon.llm.intents import INTENTS, TOLD, Asked, Deeds, Intents, Likelihood, Name
from daemon.llm.model import PROMPT_SIGN, ModelError
from daemon.memory.sentence_to_effect import routine_name
from daemon.names import as_name, mention, spoken
from daemon.transcript import WAIT

log = logging.getLogger(__name__)

TURNS = 2
"""So many turns before are read."""
DEEDS, DEEDS_LONG, DEED_LONG, FAILURE_LONG = 3, 120, 60, 90
"""Of a turn, and characters of them, of a statement that is no plain call, and of an error, at most."""
ON_THE_WAY = ("move_to(", "grasp(", "say(", "open_door(", "close_door(")
"""Tell nothing of what was wanted."""
ALWAYS, OWN, OTHER = 2.0, 1.39, 0.246
"""Weights of a logistic regression: what heed-brain did with words of 17 voices that neither was taught with. The first
is lower by 0.44: what would be 0.7 reads 0.6, and 0.78 reads 0.7, the limit in the file of heed-brain.
"""
SURE = 0.75
"""How likely a function must be for another answer to be looked for that has it."""
LEAST = 1e-6
"""Nobody is less sure than that."""
TALK = ("ask", "say")
NOTHING = frozenset(["say", "pass"])
"""Functions of answers to words that ask for nothing."""
REFUSED, REFUSES = frozenset(["refuse"]), 0.65
"""The function of words that ask for what heed says no to, and how likely it must be: of 99 such answers to held-out
voices 32 are found so, and 10 of 4,175 others are taken for one."""
ONLY_TALK = NOTHING | {"ask", "other"}
"""Those, a question back, and all functions that have no class of their own."""
ABOUT = {which: function for function, which in TOLD.items()}
"""The function of each tell() of what has no name here."""
KNOWN = frozenset().union(*INTENTS)
"""Functions that are told apart."""


class Reading(Protocol):
    """Reads what was asked for (daemon/llm/intents.py)."""

    def read(self, asked: Asked) -> Likelihood:
        """Return what it makes of that."""
        ...


class SecondReader:
    """Weighs answers."""

    def __init__(self, intents: Reading) -> None:
        self._intents = intents
        self._known = _Known("", NO_PARTS, None)

    @classmethod
    def opened(cls) -> "SecondReader | None":
        """One with the network that set-up makes; None where that cannot be loaded."""
        try:
            return cls(Intents())
        except ModelError as error:
            log.warning("nobody reads beside the model: %s", error)
            return None

    def together(self, prompt: str, answer: str, confidence: float) -> float:
        """Return how likely an answer is right, of which the mind is that sure: from 0 to 1."""
        likelihood = self.likelihood(prompt, answer)
        if likelihood is None:
            return confidence
        odds = ALWAYS + OWN * math.log(max(confidence, LEAST)) + OTHER * likelihood
        return 1 / (1 + math.exp(-odds))

    def asked_of(self, prompt: str, told: str = "") -> Sequence[str]:
        """Return of what somebody asks to be told, as tell() takes it; nothing where that is not sure.

        `told`: what the mind would tell; where that names a thing that is here, a fair chance is enough.
        """
        known = self._known_of(prompt)
        if known.likelihood is None or known.parts.begun:
            return []
        return known.likelihood.asked_of(fairly=any(mention(spoken(thing.name), told) for thing in known.parts.things))

    def moved(self, prompt: str) -> Sequence[str]:
        """Return the things that are to be moved; nothing where it cannot tell.

        It reads each thing by itself, so that where a number is told ("two cups") it cannot tell which.
        """
        known = self._known_of(prompt)
        if known.likelihood is None or known.parts.begun or _tells_how_many(known.parts):
            return []
        return known.likelihood.moved

    def asks_for_several(self, prompt: str) -> bool:
        """Return whether more than one deed is asked for."""
        known = self._known_of(prompt)
        return known.likelihood is not None and known.likelihood.asks_for_several

    def is_of(self, prompt: str, functions: frozenset[str]) -> bool:
        """Return whether it is sure that nothing but these functions is asked for."""
        known = self._known_of(prompt)
        return known.likelihood is not None and not known.parts.begun and known.likelihood.of_these(functions) >= SURE

    def refused(self, prompt: str) -> bool:
        """Return whether it is sure that it is asked for what heed says no to, by words that begin a turn."""
        known = self._known_of(prompt)
        goes_on = known.parts.begun or any(line.startswith(UNDER_WAY) for line in known.parts.after)
        return known.likelihood is not None and not goes_on and known.likelihood.of_these(REFUSED) >= REFUSES

    def asks(self, prompt: str) -> float | None:
        """Return how likely more than talk is asked for, from 0 to 1; None where it cannot tell."""
        known = self._known_of(prompt)
        return None if known.likelihood is None else 1 - known.likelihood.of_these(ONLY_TALK)

    def asked_for(self, prompt: str) -> str | None:
        """Return the one deed that is asked for, in words to compare; "" where surely none is; None where it is not
        sure. All that heed surely says no to is one.
        """
        if self.refused(prompt):
            return " ".join(REFUSED)
        if self.is_of(prompt, NOTHING) and not (self.names_time(prompt) or self._waits(prompt)):
            return ""
        known = self._known_of(prompt)
        deed = known.likelihood.deed if known.likelihood else None
        parts = (deed.functions, deed.moved, deed.named, deed.target) if deed else ()
        return "; ".join(" ".join(sorted(part)) for part in parts) or None

    def _waits(self, prompt: str) -> bool:
        """Return whether anything is kept for later, which words may be the sign for ("Anna is home")."""
        return any(line.startswith(LATER) for line in self._known_of(prompt).parts.after)

    def names_time(self, prompt: str, by_the_clock: bool = False) -> bool:
        """Return whether a request that was not begun names a time, or one `by_the_clock`."""
        parts = self._known_of(prompt).parts
        return not parts.begun and (is_by_the_clock if by_the_clock else names_a_time)(parts.words)

    def likelihood(self, prompt: str, answer: str) -> float | None:
        """Return the logarithm of the probability that an answer is what was asked for; None where it cannot tell."""
        known = self._known_of(prompt)
        return None if known.likelihood is None else known.likelihood(deeds_of(statements_in(answer), known.parts))

    def _known_of(self, prompt: str) -> "_Known":
        known = self._known
        if known.prompt != prompt:
            known = self._known = self._read(prompt)  # another thread may ask about another prompt meanwhile
        return known

    def _read(self, prompt: str) -> "_Known":
        try:
            parts = PromptParts.by(prompt)
            reads = bool(parts.places) and bool(parts.said)
            return _Known(prompt, parts, self._intents.read(asked(parts)) if reads else None)
        except (ValueError, SyntaxError, LookupError) as error:  # some result looks like a line of the situation
            log.warning("a prompt is none that can be read beside the model: %r", error)
            return _Known(prompt, NO_PARTS, None)


@dataclass(frozen=True)
class _Known:
    """A prompt that was read."""

    prompt: str
    parts: PromptParts
    likelihood: Likelihood | None
    """None where there is no situation in it."""


NO_PARTS = PromptParts([], [], "", [], [], [])


def asked(parts: PromptParts) -> Asked:
    """Return what a prompt tells, as the second reader reads it."""
    since = [line.removeprefix(f"{PROMPT_SIGN} ") for line in parts.after if line.startswith(f"{PROMPT_SIGN} ")]
    failed = [line[:FAILURE_LONG] for line in parts.after if "Error" in line[:30]]
    return Asked(
        parts.words,
        " / ".join(map(_turn, parts.turns[-TURNS:])),
        f"{' '.join(_plain(line) for line in since if WAIT not in line)} {' '.join(failed)}",
        parts.robot.removeprefix("# you are at "),
        list(_names(parts)),
        list(map(rule_of, parts.rules)),
    )


def _tells_how_many(parts: PromptParts) -> bool:
    """Return whether words, or a routine that they name, tell a number of things."""
    named = (rule for rule in map(rule_of, parts.rules) if (name := routine_name(rule)) and mention(name, parts.words))
    return any(number > 1 for text in (parts.words, *named) for number in counts_in(text))


def _names(parts: PromptParts) -> Iterator[Name]:
    for person in parts.people:
        if name_of(person) == parts.speaker:
            continue  # who speaks is SOMEBODY: the words are "bring me", whatever their name
        yield Name(name_of(person), name_of(person), "person")
    for place, inside in parts.places:
        yield Name(name_of(place), place, "place")
        yield from (Name(name_of(thing), thing, "thing") for thing in inside)


def _turn(turn: str) -> str:
    """What was said in a turn, and what was done."""
    lines = turn.split("\n")
    said = next((ast.literal_eval(line)["text"] for line in reversed(lines) if line.startswith(SAID)), "")
    did = [line.removeprefix(f"{PROMPT_SIGN} ") for line in lines if line.startswith(f"{PROMPT_SIGN} ")]
    did = [statement for statement in did if WAIT not in statement]
    wanted = [statement for statement in did if not statement.startswith(ON_THE_WAY)]
    told = wanted or [statement for statement in did if statement.partition("(")[0] in TALK]
    return f"{said.lower()} = {' '.join(map(_plain, told[:DEEDS]))[:DEEDS_LONG]}"


def _plain(statement: str) -> str:
    name, given, _ = _called(statement)
    return " ".join([name, *given]) if name else statement[:DEED_LONG]


def deeds_of(statements: Sequence[str], parts: PromptParts) -> Deeds:
    """Return what statements do in the situation that a prompt tells."""
    done = _Done(parts)
    for statement in statements:
        done.add(statement)
    done.end(statements)
    return Deeds(*map(frozenset, (done.functions, done.moved, done.named, done.target)))


class _Done:
    """What is done in a situation, statement by statement."""

    def __init__(self, parts: PromptParts) -> None:
        self.functions: set[str] = set()
        self.moved: set[str] = set()
        self.named: set[str] = set()
        self.target: set[str] = set()
        self._parts = parts
        self._people = {name_of(person) for person in parts.people}
        self._here = SOMEBODY
        """Where it drives to, when skills are called one by one."""

    def add(self, statement: str) -> None:
        """Do another one."""
        name, given, besides = _called(statement)
        if sweep := Sweep.of(statement):
            self._move("bring" if sweep.place in self._people else "put", self._swept(sweep), sweep.place)
            return
        if goal := Goal.of(statement):
            self._move(goal.name, {goal.thing}, goal.place)
            return
        match name, given:
            case "move_to", [place, *_]:
                self._here = place
            case "grasp", [thing, *_]:
                self._move("", {thing}, "")
            case "handover", [thing, *_]:
                self._move("bring", {thing}, self._here)
            case "place", [thing, place, *_]:
                self._move("put", {thing}, place)
            case "open_door" | "close_door", [place, *_]:
                self._move(name.removesuffix("_door"), set(), place)
            case "tell", [which] if which in ABOUT:
                self.functions.add(ABOUT[which])
            case "tell", [which]:
                self.functions.add(name)
                self.named.add(which)
            case "say" | "ask", _:
                pass
            case _ if name in KNOWN:
                self.functions.add(name)
                text = spoken(" ".join([*given, *besides])).lower()
                self.named |= {thing.name for thing in self._parts.things if mention(spoken(thing.name), text)}
            case _:
                self.functions.add("other")

    def end(self, statements: Sequence[str]) -> None:
        """Tell what an answer is that has done nothing else."""
        if self.functions:
            return
        first = statements[0] if statements else ""
        if first.startswith("move_to("):
            self._move("go", set(), self._here)
        else:
            self.functions.add(next((name for name in TALK if first.startswith(f"{name}(")), "other"))

    def _move(self, function: str, things: set[str], place: str) -> None:
        self.functions |= {function} - {""}
        self.moved |= things - {""}
        self.target |= {SOMEBODY if place and as_name(place) == self._parts.speaker else place} - {""}

    def _swept(self, sweep: Sweep) -> set[str]:
        things = list(self._parts.things)
        there = {thing.name for thing in things if thing.place == sweep.which}
        meant = there or {thing.name for thing in things if thing.is_of(sweep.which)}
        return meant - {*sweep.but, *(thing.name for thing in things if thing.place == sweep.place)}


def _called(statement: str) -> tuple[str, list[str], list[str]]:
    """The function that a statement calls, and what it is given by place and by name; "pass" for that, else ""."""
    try:
        node = ast.parse(statement).body[0]
    except (SyntaxError, IndexError, ValueError, RecursionError, MemoryError):
        return "", [], []
    match node:
        case ast.Pass():
            return "pass", [], []
        case ast.Expr(ast.Call(func=ast.Name(name), args=given, keywords=named)):
            return name, _constants(given), _constants([one.value for one in named])
    return "", [], []


def _constants(nodes: Sequence[ast.expr]) -> list[str]:
    return [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
