"""Interaction examples: console transcripts, and the instructions in them (Baermann et al. 2024, sec. 3).

A transcript is statements and what came back, as a Python console shows them:

    >>> wait_for_trigger()
    {'type': 'dialog', 'text': 'bring me the milk'}
    >>> for name in ['milk']:
    ...     bring_object_to(name, 'person')
    'success'
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from daemon.memory.rules import EVERYWHERE, Scope

Origin = Literal["seed", "learned"]
"""Written by us and shipped, or taught by a person."""


@dataclass(frozen=True)
class Step:
    """One statement and what the console answered."""

    statement: str
    """Python without the prompt signs; several lines for a block."""
    result: str = ""
    """The lines that followed, for example a repr or an error line; empty when nothing came back."""


@dataclass(frozen=True)
class InteractionExample:
    """An entry of the memory M: a transcript that the model may be shown, and when it fits."""

    id: int
    transcript: str
    """As render() writes it; ends with a newline."""
    instructions: tuple[str, ...]
    """What was said to the robot in it; retrieval compares these with what is said now."""
    origin: Origin
    lesson_id: int | None = None
    """The lesson that it was learned in; None for a seed."""
    scope: Scope = EVERYWHERE
    """Where its lesson applies."""

    @property
    def steps(self) -> tuple[Step, ...]:
        return parse_transcript(self.transcript)


def parse_transcript(text: str) -> tuple[Step, ...]:
    """Read a transcript; blank lines around steps are dropped.

    Raises ValueError, naming the line, for text before the first `>>> ` and for a prompt sign without a
    statement.
    """
    steps: list[tuple[list[str], list[str]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if line.startswith(">>>"):
            steps.append(([_statement_line(number, line)], []))
        elif steps and not steps[-1][1] and _continues(line):
            steps[-1][0].append(line[4:])
        elif steps:
            steps[-1][1].append(line)
        elif line.strip():
            raise ValueError(f"line {number}: a transcript begins with '>>> ', but here is {line!r}")
    return tuple(Step("\n".join(code).rstrip(), "\n".join(result).strip("\n")) for code, result in steps)


def render(steps: Iterable[Step]) -> str:
    """Write steps as a transcript, the inverse of parse_transcript(); ends with a newline.

    A line of a result that looks like a prompt is indented by a space: no output can pose as a statement.
    """
    lines: list[str] = []
    for step in steps:
        first, *more = step.statement.split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
        if step.result:
            lines += [f" {line}" if _looks_like_a_prompt(line) else line for line in step.result.split("\n")]
    return "".join(f"{line}\n" for line in lines)


def instructions_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """What people said in these steps: the texts that wait_for_trigger() and ask() returned, in order.

    Raises ValueError for a returned text that is broken, for example by an apostrophe that ends it too soon.
    """
    return tuple(text for step in steps for text in _heard_in(step) if text.strip())


def _statement_line(number: int, line: str) -> str:
    if not line.startswith(">>> ") or not line[4:].strip():
        raise ValueError(f"line {number}: after '>>>' come a space and a statement, but here is {line!r}")
    return line[4:]


def _continues(line: str) -> bool:
    return line == "..." or line.startswith("... ")


def _looks_like_a_prompt(line: str) -> bool:
    return line.startswith(">>>") or _continues(line)


def _heard_in(step: Step) -> Iterator[str]:
    listener = _called_function(step.statement)
    if listener not in ("wait_for_trigger", "ask") or not step.result.startswith(("{", "'", '"')):
        return  # nothing was heard; an error line, for example
    try:
        value = ast.literal_eval(step.result)
    except (ValueError, SyntaxError) as error:
        raise ValueError(f"what {step.statement} returned is not a Python value: {step.result}") from error
    match value:
        case {"type": "dialog", "text": str(text)}:
            yield text
        case str(text) if listener == "ask":
            yield text


def _called_function(statement: str) -> str | None:
    """The name of the function when the statement is one call of it, assigned to a name or not."""
    try:
        body = ast.parse(statement).body
    except (SyntaxError, ValueError):
        return None
    match body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id=name)))]:
            return name
        case [ast.Assign(value=ast.Call(func=ast.Name(id=name)))]:
            return name
    return None
