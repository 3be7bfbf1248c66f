"""A promise for later that somebody changes with their next words: "make that seven" is read with what it changes.

A small mind was taught requests that change within one breath ("at six, no, at seven, bring me the tea").
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from daemon.console.acting_statements import LATER
from daemon.console.in_parts import Answer
from daemon.console.other_answers import has_any
from daemon.console.prompt_parts import SAID, TURN, PromptParts
from daemon.llm.model import PROMPT_SIGN, Other, Prompt

_WAITS = re.compile(r"# later (\d+): ")
"""Begins the line that tells what waits."""


def promised_anew(prompt: Prompt, answer: Answer) -> Other | None:
    """Return what the last words come to, read as one with those before them; what these promised is forgotten then.

    None where these promised nothing that waits, and where both come to no other promise.
    """
    waiting = promise_before(prompt)
    if not waiting:
        return None
    parts, lines = PromptParts.by(prompt.history), prompt.history.split("\n")
    said = max(number for number, line in enumerate(lines) if line.startswith(SAID))
    before = next(ast.literal_eval(line)["text"] for line in parts.turns[-1].split("\n") if line.startswith(SAID))
    now = ast.literal_eval(lines[said])
    situation = [line for line in lines[len(parts.before) : said] if line != waiting]
    heard = repr({**now, "text": f"{before} {now['text']}"})
    read = "\n".join(parts.before).rpartition(TURN)[0] + "\n".join([*situation, heard, *lines[said + 1 :]])
    text, confidence = answer(replace(prompt, history=read))
    if not has_any({LATER[0]}, text) or _is_of(text, waiting):
        return None
    (number,) = _WAITS.findall(waiting)
    return Other(f"{text.rstrip()}\nforget_later('{number}')\n", confidence, confidence)


def promise_before(prompt: Prompt) -> str:
    """Return the line that tells what the turn before promised, and waits; "" for none, and once something was done."""
    parts = PromptParts.by(prompt.history)
    turn = "".join(parts.turns[-1:])
    waiting = [line for line in prompt.history.split("\n") if _WAITS.match(line)]
    made = bool(waiting) and turn.count(SAID) == 1 and _is_of(turn, waiting[-1])
    return waiting[-1] if made and parts.places and not parts.begun else ""


def _is_of(text: str, waiting: str) -> bool:
    """Return whether statements promise what a line tells that waits: then, and that."""
    when_and_what = tuple(_WAITS.sub("", waiting).split(": ", 1))
    return any(when_and_what == promise for line in text.split("\n") for promise in _promises(line))


def _promises(line: str) -> Iterator[tuple[str, ...]]:
    """When, and what, of each promise of a statement; nothing of any other line."""
    try:
        nodes = list(ast.walk(ast.parse(line.removeprefix(f"{PROMPT_SIGN} ").strip())))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == LATER[0]:
            yield tuple(one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str))
