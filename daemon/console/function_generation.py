"""Function generation: what a statement calls and nobody has written is written then (Liang et al. 2023, sec. III).

The definition becomes a step of the history before the statement, so that a person can correct it and a lesson can keep
it: it is written down nowhere else. A definition may call functions that do not exist either; the loop bounds how deep.
"""

import ast
import re
from collections.abc import Sequence

from daemon.console.prompt import role_text
from daemon.llm.model import LanguageModel, ModelError, Prompt
from daemon.transcript import parse_transcript

TOKENS = 256
"""For a definition; those of Code as Policies have 30 to 120."""
_UNDEFINED = re.compile(r"^NameError: Name `(\w+)` used when not defined\. ")


def missing_function(statement: str, result: str) -> str | None:
    """The name of a function that the statement calls and that does not exist, by what the console answered."""
    match = _UNDEFINED.match(result)
    if match is None:
        return None
    calls = (node for node in ast.walk(ast.parse(statement)) if isinstance(node, ast.Call))
    return match[1] if any(isinstance(call.func, ast.Name) and call.func.id == match[1] for call in calls) else None


def function_prompt(name: str, statement: str) -> str:
    """Return what asks a model, after the console's history, for the definition of a function that a statement
    calls.
    """
    return f"{role_text('generate_function')}# Now, before `{_first_line(statement)}`:\n{_head(name)}"


def define_function(name: str, prompt: Prompt, model: LanguageModel) -> str | None:
    """The definition that a model writes; None where it writes none. `prompt` ends as function_prompt() does.

    An example in the prompt that defines it, because that was learned, is taken at its word.
    """
    if learned := _defined_in(name, prompt.examples):
        return learned
    try:
        reply = model.complete(prompt, stop=("\n>>>", "\n#", "\ndef "), max_tokens=TOKENS)
    except ModelError:
        return None
    return _definition(name, _head(name) + reply.removeprefix(_head(name)))


def _defined_in(name: str, examples: Sequence[str]) -> str | None:
    for example in reversed(examples):
        for step in parse_transcript(example):
            if definition := _definition(name, step.statement):
                return definition
    return None


def _definition(name: str, source: str) -> str | None:
    """The one function of this name with which a source begins; the model may go on with other things."""
    lines = [line for line in source.split("\n") if not line.startswith("```")]
    while lines:
        try:
            body = ast.parse("\n".join(lines)).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            lines.pop()
            continue
        first = body[0] if body else None
        return ast.unparse(first) if isinstance(first, ast.FunctionDef) and first.name == name else None
    return None


def _head(name: str) -> str:
    return f"def {name}("


def _first_line(statement: str) -> str:
    return statement.split("\n", 1)[0]
