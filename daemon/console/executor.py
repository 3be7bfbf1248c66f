"""Runs the model's statements, one at a time, in a worker process that can do nothing but call what we offer.

The worker is pydantic-monty: a Python interpreter without files or network, with limits on time and memory. Each
call of an offered function suspends it, and the function runs here, in the daemon. A statement can be interrupted
from any thread. A worker that hangs or dies is replaced, and its names come back as they were before the statement.
"""

import ast
import builtins
import difflib
import logging
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pydantic_monty as monty

from daemon.console.statement_checks import refusal
from skills.skill import Cancelled

log = logging.getLogger(__name__)

RESULT_LIMIT = 2000
"""Characters of a result that the model sees: about 500 tokens."""
CALL_LIMIT = 1000
"""Offered calls in one statement; a tour of a house takes tens, so a thousand is a loop that went wrong."""
SLEEP_LIMIT = 60.0
"""Seconds of one sleep: longer, and a person would think that the robot hangs."""
QUESTION_LIMIT = 20
"""Questions to a person in one statement."""
ENDS = 3
"""So often a statement may catch the KeyboardInterrupt that should end it; then its worker is ended instead."""
QUOTES = "Hint: write text that has an apostrophe between double quotes. "
"""To a model that wrote say('I'm here')."""
MEMORY_LIMIT = 64 * 2**20
"""Bytes of heap in the worker."""


class ConversationOver(BaseException):
    """Raised by wait_for_trigger() when nobody will speak any more; leaves the executor unhandled."""


@dataclass(frozen=True)
class Outcome:
    """How a statement ended."""

    result: str
    """What the console prints: printed text, the value's repr, or one error line."""
    ok: bool


class Executor:
    """A console worker with a persistent namespace. Used by one thread; interrupt() may come from any."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], stubs: str, seconds: float) -> None:
        """Offer `functions`, described by `stubs` for the type check; `seconds` of computing end a statement."""
        self._functions = dict(functions)
        self._stubs = stubs
        self._seconds = seconds
        self._interrupt = threading.Event()
        self._reason = ""
        self._pool = monty.Monty(min_processes=1, max_processes=2)
        self._pool.__enter__()
        self._session = self._open()

    def run(self, statement: str) -> Outcome:
        """Check and run one statement. Any failure is an Outcome; only ConversationOver leaves here."""
        try:
            trouble = refusal(ast.parse(statement), self._functions)
            code = _as_interactive(statement)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            message = getattr(error, "msg", None) or str(error)
            hint = QUOTES if message.startswith("unterminated string") else ""
            return Outcome(f"SyntaxError: {message}. {hint}Nothing was done.", ok=False)
        if trouble:
            return Outcome(trouble, ok=False)
        before = self._session.dump()
        printed = monty.CollectString(max_bytes=10 * RESULT_LIMIT)
        try:
            value = self._drive(code, printed)
        except monty.MontyTypingError as error:
            return Outcome(_check_line(error.display(), self._functions), ok=False)
        except monty.MontySyntaxError as error:
            return Outcome(_one_line(error.display("type-msg")) + ". Nothing was done.", ok=False)
        except monty.MontyRuntimeError as error:
            if isinstance(error.exception(), TimeoutError | MemoryError):
                self._restore(before)
            self._interrupt.clear()
            return Outcome(_join(printed.output, _one_line(error.display("type-msg"))), ok=False)
        except _RunawayError as error:
            self._restore(before)
            self._interrupt.clear()
            return Outcome(_join(printed.output, f"KeyboardInterrupt: {error}"), ok=False)
        except monty.MontyCrashedError:
            log.exception("the console worker died and is replaced")
            self._restore(before)
            return Outcome("RuntimeError: the statement was too much for the console. Hint: use less", ok=False)
        return Outcome(_join(printed.output, _shown(value)), ok=True)

    def interrupt(self, reason: str) -> None:
        """End the running statement, else the next, at its first call, with KeyboardInterrupt and this reason."""
        self._reason = reason
        self._interrupt.set()

    @property
    def interrupted(self) -> bool:
        """Return whether an interrupt still waits for a call that it ends."""
        return self._interrupt.is_set()

    def forget_interrupt(self) -> None:
        """Forget an interrupt: what was to be interrupted is over, and what comes next is new."""
        self._interrupt.clear()

    def close(self) -> None:
        """End the worker."""
        self._session.__exit__(None, None, None)
        self._pool.__exit__(None, None, None)

    def _open(self) -> monty.MontySession:
        session = self._pool.checkout(
            script_name="console",
            limits={
                "max_turn_duration_secs": self._seconds,
                "max_memory": MEMORY_LIMIT,
                "max_suspensions": 2**31 - 1,
            },
            os_policy={"sleep": "call_host"},
            type_check=True,
            type_check_stubs=self._stubs,
            type_check_format="concise",
        )
        session.__enter__()
        return session

    def _restore(self, state: bytes) -> None:
        """Go on in a fresh worker with the names that there were before."""
        try:
            self._session.__exit__(None, None, None)
        except monty.MontyError:
            log.debug("closing a broken session", exc_info=True)
        self._session = self._open()
        self._session.load_session(state)

    def _drive(self, code: str, printed: monty.CollectString) -> Any:
        """Run code, answering its calls, until it is complete. What the type check only doubts is run all the same."""
        try:
            return self._drive_checked(code, printed, skip_check=False)
        except monty.MontyTypingError as error:
            if not _only_doubtful(error.display()):
                raise
            return self._drive_checked(code, printed, skip_check=True)

    def _drive_checked(self, code: str, printed: monty.CollectString, skip_check: bool) -> Any:
        snapshot = self._session.feed_start(code, print_callback=printed, skip_type_check=skip_check)
        calls: Counter[str] = Counter()
        ended = 0
        while not isinstance(snapshot, monty.MontyComplete):
            if isinstance(snapshot, monty.NameLookupSnapshot):
                snapshot = snapshot.resume()
                continue
            if not isinstance(snapshot, monty.FunctionSnapshot):
                raise RuntimeError(f"the console does not offer {type(snapshot).__name__}")
            if snapshot.function_name == "import_stubs":
                snapshot = snapshot.resume_not_handled()
                continue
            name = str(snapshot.function_name)
            calls[name] += 1
            reason = self._reason if self._interrupt.is_set() else _too_many(name, calls)
            ended += bool(reason)
            if ended > ENDS:
                raise _RunawayError(reason)
            snapshot = snapshot.resume(_raised(KeyboardInterrupt(reason)) if reason else self._answer(snapshot))
        return snapshot.output

    def _answer(self, call: monty.FunctionSnapshot) -> monty.ExternalResult:
        """Return what a suspended call gets: a return value or an exception, in the worker's form."""
        try:
            if call.is_os_function:
                return self._answer_system(call)
            function = self._functions.get(str(call.function_name))
            if function is None:
                return _raised(NameError(f"name {call.function_name!r} is not defined"))
            return {"return_value": function(*call.args, **call.kwargs)}
        except Exception as error:
            if self._interrupt.is_set():
                return _raised(KeyboardInterrupt(self._reason))
            return _raised(_builtin(error))

    def _answer_system(self, call: monty.FunctionSnapshot) -> monty.ExternalResult:
        if call.function_name != "time.sleep":
            return _raised(PermissionError(f"{call.function_name} is not available in this console"))
        seconds = float(call.args[0])
        if not 0 <= seconds <= SLEEP_LIMIT:
            return _raised(ValueError(f"sleep for 0 to {SLEEP_LIMIT:g} seconds, not {seconds:g}"))
        if self._interrupt.wait(seconds):
            return _raised(KeyboardInterrupt(self._reason))
        return {"return_value": None}


def split_statements(text: str) -> list[str]:
    """Cut source text into its top-level statements; raises SyntaxError."""
    lines = text.split("\n")
    tree = ast.parse(text)
    return ["\n".join(lines[_first_line(node) - 1 : node.end_lineno]) for node in _by_line(tree.body)]


def _by_line(nodes: list[ast.stmt]) -> list[ast.stmt]:
    """One node per group that shares a line ("a(); b()" stays together)."""
    kept: list[ast.stmt] = []
    for node in nodes:
        if not kept or _first_line(node) > (kept[-1].end_lineno or 0):
            kept.append(node)
        else:
            kept[-1].end_lineno = max(kept[-1].end_lineno or 0, node.end_lineno or 0)
    return kept


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


class _Shower(ast.NodeTransformer):
    """Prints the value of each expression statement inside a block, as Python's own prompt does."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant) or _is_call_of(node.value, "print"):
            return node
        shown = ast.parse("if (_ := None) is not None:\n    print(repr(_))").body[0]
        assert isinstance(shown, ast.If)
        shown.test.left.value = node.value  # type: ignore[attr-defined]
        return shown


def _is_call_of(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _as_interactive(statement: str) -> str:
    tree = ast.parse(statement)
    if len(tree.body) == 1 and not hasattr(tree.body[0], "body"):
        return statement
    last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    shown = [node if node is last else _Shower().visit(node) for node in tree.body]
    return ast.unparse(ast.fix_missing_locations(ast.Module(shown, type_ignores=[])))


def _builtin(error: Exception) -> BaseException:
    """The error as one that the worker knows: its own class if that is a builtin, else RuntimeError."""
    if isinstance(error, Cancelled):
        return KeyboardInterrupt(str(error))
    name = type(error).__name__
    if isinstance(error, RuntimeError) or getattr(builtins, name, None) is not type(error):
        if not isinstance(error, RuntimeError):
            log.exception("an offered function failed unexpectedly", exc_info=error)
            return RuntimeError(f"{name}: {error}")
        return RuntimeError(str(error))
    return error


def _raised(error: BaseException) -> monty.ExternalResult:
    return {"exception": error}


class _RunawayError(Exception):
    """The statement goes on although it was told to end."""


def _too_many(name: str, calls: Counter[str]) -> str:
    """Return why this call is one too many; empty when it is not."""
    if name == "ask" and calls[name] > QUESTION_LIMIT:
        return f"a statement may ask {QUESTION_LIMIT} questions at most"
    return f"a statement may make {CALL_LIMIT} calls at most" if calls.total() > CALL_LIMIT else ""


SLIP = 0.8
"""From this likeness on (difflib) an unknown name is a known one misspelt: mve_to is 0.92 like move_to."""
DOUBTFUL = ("None", "|", "Unknown", "object")
"""Words of type errors that may be fine at run time, such as `str | None` where `str` is wanted."""


def _only_doubtful(report: str) -> bool:
    return not any(_blocks(line) for line in report.splitlines())


def _blocks(line: str) -> bool:
    if "error[invalid-argument-type]" in line:
        return not any(word in line for word in DOUBTFUL)
    return bool(_BLOCKING.search(line))


_BLOCKING = re.compile(
    r"error\[(unresolved-reference|unresolved-import|unknown-argument|missing-argument|too-many-positional-arguments"
    r"|invalid-argument-type|invalid-syntax|parameter-already-assigned|call-non-callable)\]"
)


_KINDS = {
    "unresolved-reference": "NameError",
    "unresolved-import": "ModuleNotFoundError",
    "invalid-syntax": "SyntaxError",
}


def _check_line(report: str, offered: Iterable[str]) -> str:
    """The first finding of the type check as one error line; an unknown name with a known one that is much like it."""
    first = next(line for line in report.splitlines() if _blocks(line))
    code, text = re.search(r"error\[([\w-]+)\] (.*)", first).groups()  # type: ignore[union-attr]
    said = f"{_KINDS.get(code, 'TypeError')}: {text.strip().rstrip('.')}"
    unknown = re.search(r"`(\w+)`", text) if code == "unresolved-reference" else None
    near = difflib.get_close_matches(unknown[1], list(offered), n=1, cutoff=SLIP) if unknown else []
    return f"{said}; did you mean `{near[0]}`? Nothing was done." if near else f"{said}. Nothing was done."


def _one_line(text: str) -> str:
    return _shortened(" ".join(text.split()))


def _shown(value: object) -> str:
    """As a console shows it: nothing for None."""
    try:
        return "" if value is None else repr(value)
    except (ValueError, RecursionError) as error:  # a number of too many digits, a list within itself too deep
        return f"{type(error).__name__}: the result cannot be shown: {error}"


def _join(printed: str, last: str) -> str:
    """Return what was printed, and below it the value or the error, which stays whole however much was printed."""
    last = _shortened(last)
    shown = _shortened(printed.rstrip("\n"), RESULT_LIMIT - len(last))
    return "\n".join(part for part in (shown, last) if part)


def _shortened(text: str, limit: int = RESULT_LIMIT) -> str:
    limit = max(limit, 0)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text) - limit} more characters)"
