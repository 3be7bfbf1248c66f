"""From what a model wrote to the statements that it means. Nothing is run here."""

import ast
import keyword
import re

from daemon.console.executor import split_statements

FENCE = re.compile(r"^[ \t]*```.*$", re.MULTILINE)
REPLY_CHARACTERS = 8000
"""Of a reply, at most; a statement has some hundred."""
REPLY_LINES = 80
REPLY_STATEMENTS = 60
"""More than a turn may have, so that one who writes that many is told of."""
PROMPT_SIGNS = re.compile(r"^\s*(?:(?:>>>|\.\.\.) ?)+")
THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
TOLD = re.compile(r"(say|ask|remember)\((['\"])(.+)\2\)")
"""A call with one text."""
APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
"""One between two letters ends no text: Mia's."""
GOES_ON = re.compile(r"\\|['\"]\s*[,;)+]")
"""In a text: it is escaped, or is more than one."""
PROSE = re.compile(r"[\w .,:;!?'’\"-]*")
"""Letters and marks of sentences, and nothing that calls or assigns."""


def statements_in(reply: str) -> list[str]:
    """The statements of a reply, in order; what the model predicts as their output is left out.

    Copes with code fences, doubled prompt signs, an unfinished last statement, thoughts, and text around the code.
    A broken line is not skipped: what follows may depend on it. A reply without any statement gives an empty list.
    """
    return _without_predicted_output(_all_statements(reply))[:REPLY_STATEMENTS]


def goes_on_behind_a_prediction(reply: str) -> bool:
    """Return whether a model predicted a result and wrote on: it has more to do when it has seen the real one."""
    found = _all_statements(reply)
    return len(_without_predicted_output(found)) < len(found) - 1


def _all_statements(reply: str) -> list[str]:
    for part in FENCE.split(THOUGHT.sub("", reply[:REPLY_CHARACTERS])):
        written = part.strip("\n").split("\n")[:REPLY_LINES]
        while written:
            if found := _statements_at_the_top(_bare_lines(written)):
                return found
            if not _is_prose(written.pop(0)):
                break
    return []


def _statements_at_the_top(lines: list[str]) -> list[str]:
    """The statements of as many lines as are Python."""
    for end in range(len(lines), 0, -1):
        try:
            return split_statements("\n".join(lines[:end]))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return []


def _bare_lines(written: list[str]) -> list[str]:
    """Lines without prompt signs, up to the second prompt, the first one dedented."""
    lines: list[str] = []
    for line in written:
        if lines and line.lstrip().startswith(">>>"):
            break
        bare = PROMPT_SIGNS.sub("", line)
        if not lines:
            bare = bare.lstrip()
        if lines or bare:
            lines.append(_quoted(bare))
    return lines


def _quoted(line: str) -> str:
    """The line; one that tells a text with its own quotation mark in it ("say('I can't.')") quoted as it was meant."""
    if _is_python(line.strip()):
        return line
    indent = line[: len(line) - len(line.lstrip())]
    told = TOLD.fullmatch(line.strip())
    if told and told[2] in told[3] and not GOES_ON.search(told[3]):
        return f"{indent}{told[1]}({told[3]!r})"
    escaped = APOSTROPHE.sub(r"\\'", line)
    return escaped if _is_python(escaped.strip()) else line


def _is_python(line: str) -> bool:
    try:
        ast.parse(line)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _is_prose(line: str) -> bool:
    """Return whether a line is a sentence, and no broken code."""
    words = line.split()
    return not words or (PROSE.fullmatch(line) is not None and not keyword.iskeyword(words[0].rstrip(":")))


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
