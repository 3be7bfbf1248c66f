"""What a statement may move or change, seen before it runs."""

import ast
import builtins
from collections.abc import Collection, Iterator

from daemon.console.builtins import TALK
from daemon.console.goals.choice import SEEN
from daemon.console.goals.goal import Goal
from daemon.console.goals.sweeps import Sweep
from daemon.console.goals.telling import Tell
from daemon.console.statements import statements_in
from daemon.names import spoken
from skills.skill import SKILLS

LATER = ("remember_later", ("when", "request"))
"""Told as when, and what is to be done in a person's own words: "do this at four: bring me the tea"."""
UNASKED = {"undo_lesson", "exec", "eval"}
"""Of the talk and of Python, what changes something and asks nobody first."""


def deeds_in(reply: str, harmless: Collection[str] = ()) -> Iterator[str]:
    """Yield what the statements of a reply may move or change, in words; nothing where they only look and talk.

    Whatever is called and not known to be harmless may move something; so may a function that is only mentioned.
    `harmless` are functions that shall count as such.
    """
    known = _harmless() | frozenset(harmless)
    for statement in statements_in(reply):
        if goal := Goal.of(statement) or Sweep.of(statement):
            yield goal.told
            continue
        if Tell.of(statement):
            continue
        try:
            nodes = list(ast.walk(ast.parse(statement)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # it cannot run either
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in known:
                yield _in_words(node.func.id, node)
            elif isinstance(node, ast.Call) and not isinstance(node.func, ast.Name | ast.Attribute):
                yield "do what I wrote"
            elif isinstance(node, ast.Name) and node not in called and node.id in SKILLS and _is_read(node, known):
                yield node.id.replace("_", " ")


def _is_read(name: ast.Name, known: frozenset[str]) -> bool:
    return isinstance(name.ctx, ast.Load) and name.id not in known


def _harmless() -> frozenset[str]:
    free = {SEEN[0], *dir(builtins), *(function.name for function in TALK)} - UNASKED
    looking = {skill.name for skill in SKILLS.values() if skill.read_only and not skill.confirm}
    return frozenset((free | looking) - (SKILLS.keys() - looking))


def _in_words(name: str, call: ast.Call) -> str:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    values = [spoken(str(one.value) if isinstance(one, ast.Constant) else ast.unparse(one)) for one in given]
    named = [*LATER[1][: len(call.args)], *(str(keyword.arg) for keyword in call.keywords)]
    if name == LATER[0] and sorted(named) == sorted(LATER[1]):
        told = dict(zip(named, values, strict=True))
        return f"do this {told['when']}: {told['request']}"
    return " ".join([name.replace("_", " "), *values])
