"""Console transcripts: what stands after `>>>` and what came back. One notation for prompts, memory and models.

>>> wait_for_trigger()
{'type': 'dialog', 'text': "don't drop it"}
>>> for name in ['juice', 'cup']:
...     grasp(name)
'success'
'success'
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

WAIT = "wait_for_trigger()"
"""The statement that ends a turn: it returns what happens next."""
WORDS_BEGIN = "{'type': 'dialog', 'text':"
"""What it returns begins so, whatever was said."""
LISTENERS = ("wait_for_trigger", "ask")
"""The functions that return what a person said."""
MEANING = "# It means: "
"""Begins the line below an utterance that says it again with what was learned, for whoever acts on it."""
PARTS = "; "
"""Stands between the parts of a meaning that are done one after the other."""
SAYS_NOTHING = ("", "None", "'success'")
"""Results that tell nothing but that it worked."""
LEARNED = "# Learned"
"""Begins the comment on what was learned, above an example that shows it and a result in which it was applied."""
ELIDED = "# ..."
"""Stands for a result that is not shown any more."""
HELP = re.compile(r"Hint: (ask\((?!.Which).*\))$", re.MULTILINE)
"""What a skill asks a person for that it needs, and a yes settles: that the chair be moved, that it is they."""
ERROR_LINE = re.compile(r"^(\w+(Error|Exception|Interrupt)): ", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One statement and what the console answered."""

    statement: str
    """Python without the prompt signs; several lines for a block."""
    result: str = ""
    """The lines that followed, for example a repr or an error line; empty when nothing came back."""

    @property
    def heard(self) -> str | None:
        """Return what a person said in this step: the text that wait_for_trigger() or ask() returned; else None."""
        if self.called not in LISTENERS:
            return None
        match _value(self.result):
            case {"type": "dialog", "text": str(text)}:
                return text
            case str(text) if self.called == "ask":
                return text
        return None

    @property
    def speaker(self) -> str:
        """Return who spoke in this step; "" where nobody knows, or spoke."""
        match _value(self.result):
            case {"type": "dialog", "speaker": str(speaker)}:
                return speaker
        return ""

    @property
    def meaning(self) -> str | None:
        """Return what a person meant in this step, with what was learned; what they said where nothing was learned."""
        return self.reworded or self.heard

    @property
    def reworded(self) -> str | None:
        """Return what heed wrote below a person's words, in which `PARTS` divides; None where it left them alone."""
        lines = self.result.split("\n")
        return next((line.removeprefix(MEANING) for line in lines if line.startswith(MEANING)), None)

    @property
    def called(self) -> str | None:
        """The function's name, where the statement is one call of it, assigned to a name or not."""
        return _called(self.statement)

    @property
    def asks(self) -> bool:
        """Return whether the statement may ask a person something, anywhere in it: the answer decides what is next."""
        return "ask" in functions_in(self.statement)

    @property
    def says_nothing(self) -> bool:
        """Return whether the result tells no more than that it worked, and what was learned for it."""
        return all(line in SAYS_NOTHING or line.startswith(LEARNED) for line in self.result.split("\n"))

    @property
    def error(self) -> str | None:
        """The error line of a statement that failed, such as "RuntimeError: the fridge is closed"; else None."""
        last = self.result.rpartition("\n")[2]
        return last if ERROR_LINE.match(last) else None


def functions_in(statement: str) -> set[str]:
    """Return the functions that a statement calls, anywhere in it; "" for each that has no plain name."""
    calls = [node.func for tree in _parsed(statement) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {function.id if isinstance(function, ast.Name) else "" for function in calls}


def plain_call(statement: str) -> tuple[str, tuple[str, ...]]:
    """Return the function and the texts of a statement that calls one with nothing but texts; ("", ()) for others."""
    match _parsed(statement):
        case [ast.Expr(ast.Call(func=ast.Name(name), args=given, keywords=[]))]:
            texts = tuple(one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str))
            return (name, texts) if len(texts) == len(given) else ("", ())
    return "", ()


def help_in(error: str) -> str:
    """Return the statement that asks a person for the help which an error line speaks of; "" where it does not."""
    asked = HELP.search(error)
    return asked[1] if asked else ""


def parse_transcript(text: str) -> tuple[Step, ...]:
    """Read a transcript; blank lines around steps, and comments before the first one, are dropped.

    Raises ValueError, naming the line, for text before the first `>>> ` and for a prompt sign without a statement.
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
        elif line.strip() and not line.startswith("#"):
            raise ValueError(f"line {number}: a transcript begins with '>>> ', but here is {line!r}")
    return tuple(Step("\n".join(code).rstrip(), "\n".join(result).strip("\n")) for code, result in steps)


def render(steps: Iterable[Step]) -> str:
    """Write steps as a transcript, the inverse of parse_transcript(); ends with a newline.

    A line of a result that looks like a prompt is indented by a space, so that no output can pose as a statement.
    """
    lines: list[str] = []
    for step in steps:
        first, *more = step.statement.split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
        if step.result:
            lines += _result_lines(step)
    return "".join(f"{line}\n" for line in lines)


def render_answers(steps: Iterable[Step], before_words: str = "", after_words: str = "") -> str:
    """Write steps as a mind reads them that answers with several statements at once.

    An answer stands below one prompt sign, statement by statement; what came back is shown where it tells anything:
    words, values, errors. `before_words` and `after_words` stand around the last thing that a person said.
    """
    steps = list(steps)
    spoke = max((i for i, step in enumerate(steps) if step.called == "wait_for_trigger"), default=-1)
    text, answering = "", False
    for index, step in enumerate(steps):
        first, *more = step.statement.split("\n")
        text += before_words if index == spoke else ""
        text += first if answering and step.called != "wait_for_trigger" else f">>> {first}"
        text += "".join(f"\n{line}" for line in more) + "\n"
        answering = step.result in SAYS_NOTHING
        if not answering:
            text += "".join(f"{line}\n" for line in _result_lines(step))
        text += after_words if index == spoke else ""
    return text


def instructions_of(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return what people said in these steps, in order.

    Raises ValueError for a text that is broken, for example by an apostrophe that ends its string too soon.
    """
    said = []
    for step in steps:
        listened = step.called in LISTENERS and step.result.startswith(("{", "'", '"'))
        if listened and _value(step.result) is None:
            raise ValueError(f"what {step.statement} returned is not a Python value: {step.result}")
        if step.heard and step.heard.strip():
            said.append(step.heard)
    return tuple(said)


def literal(text: str) -> object:
    """Return the Python value that a result shows; None for anything that is no literal."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


_value = lru_cache(maxsize=4096)(literal)
"""The same for those who change nothing in it: a conversation is read again with each turn."""


def _statement_line(number: int, line: str) -> str:
    if not line.startswith(">>> ") or not line[4:].strip():
        raise ValueError(f"line {number}: after '>>>' come a space and a statement, but here is {line!r}")
    return line[4:]


def _continues(line: str) -> bool:
    return line == "..." or line.startswith("... ")


def _result_lines(step: Step) -> list[str]:
    return [f" {line}" if _looks_like_a_prompt(line) else line for line in step.result.split("\n")]


def _looks_like_a_prompt(line: str) -> bool:
    return line.startswith(">>>") or _continues(line)


def hearing(text: str) -> Step:
    """Return the step in which somebody says this."""
    return Step(WAIT, repr({"type": "dialog", "text": text}))


@lru_cache(maxsize=4096)
def _called(statement: str) -> str | None:
    match _parsed(statement):
        case [ast.Expr(value=ast.Call(func=ast.Name(id=name)))]:
            return name
        case [ast.Assign(value=ast.Call(func=ast.Name(id=name)))]:
            return name
    return None


def _parsed(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []
