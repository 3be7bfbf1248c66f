"""From what a model wrote to the statements that it means. Pure text; nothing is run here."""

import ast
import re

from daemon.console.executor import split_statements

FENCE = re.compile(r"^\s*```\w*\s*$")
REPLY_CHARACTERS = 8000
"""Of a reply, at most; a statement has some hundred."""
REPLY_LINES = 80
REPLY_STATEMENTS = 20
"""... run before the model is asked again."""
PROMPT_SIGNS = re.compile(r"^\s*(>>>|\.\.\.) ?")


def statements_in(reply: str) -> list[str]:
    """The statements of a reply, in order; what the model predicts as their output is left out.

    Copes with code fences, doubled prompt signs, an unfinished last statement, and text after the code.
    A reply without any statement gives an empty list.
    """
    lines = _bare_lines(reply[:REPLY_CHARACTERS])[:REPLY_LINES]
    while lines:
        try:
            found = split_statements("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            lines.pop()
            continue
        return _without_predicted_output(found)[:REPLY_STATEMENTS]
    return []


def _bare_lines(reply: str) -> list[str]:
    """Lines without fences and prompt signs, up to the second prompt, dedented by what the first line has."""
    lines: list[str] = []
    for line in reply.strip("\n").split("\n"):
        if FENCE.match(line):
            if lines:
                break
            continue
        bare = PROMPT_SIGNS.sub("", line)
        if not lines:
            bare = bare.lstrip()
        elif line.lstrip().startswith(">>>") and lines:
            break
        if lines or bare.strip():
            lines.append(bare)
    return lines


def _without_predicted_output(statements: list[str]) -> list[str]:
    """Up to the first statement that only states a value: no one types 'success' at a prompt."""
    for index, statement in enumerate(statements):
        if index and _only_states_a_value(statement):
            return statements[:index]
    return statements


def _only_states_a_value(statement: str) -> bool:
    try:
        ast.literal_eval(statement)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True
