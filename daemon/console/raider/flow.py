"""Ground, ask, answer, issue: an answerer calls tools until it can say what speaks against an order, if anything.

The flow manager of RAIDER: it carries out the calls, warns of four mistakes, and ends in time. Who answers, a language
model or the scene itself, it does not know; what can be asked and which issues there are, it is given.
"""

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from daemon.console.raider.reasons import Trouble
from daemon.console.raider.surroundings import Surroundings
from daemon.console.raider.tools import ToolError, Tools

SECONDS = 20.0
"""After which an answerer that is not done is stopped."""
RESULT_LIMIT = 2000
"""Characters of one tool's result."""
CALL = "call_tool"


class Final(StrEnum):
    """What speaks against an order."""

    AMBIGUITY = "ambiguity"
    UNFEASIBILITY = "unfeasibility"
    NONE = "none"


class Warning_(StrEnum):
    """What the flow manager says to an answerer that errs."""

    MADE_UP_ANSWER = "You gave a final response together with tool calls. Read the results first, then respond."
    MADE_UP_TOOL = "There is no tool {name}. Use only these: {tools}."
    FAILED_CALL = "The call of {name} failed: {error}."
    NEITHER = (
        'Call a tool: call_tool{{"tool": ..., "args": [...]}}, or give a final response: {{"final_response": ...}}.'
    )


@dataclass(frozen=True)
class Call:
    """A question to the surroundings."""

    tool: str
    args: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return CALL + json.dumps({"tool": self.tool, "args": list(self.args)})


@dataclass(frozen=True)
class Message:
    """A line of the conversation between answerer and flow manager."""

    role: str
    """order, answerer, tool or warning."""
    text: str


@dataclass(frozen=True)
class Finding:
    """What came of it."""

    final: Final | None
    """None where no answer came in time."""
    explanation: str
    """In a person's words."""
    grounded: tuple[str, ...]
    """The things that are meant; of an ambiguity, all that may be."""
    messages: tuple[Message, ...]
    warnings: tuple[str, ...]
    """The names of the warnings that were given."""
    seconds: float
    order: str = ""
    """The order as it was understood, in plain words; "" for the words that were said."""
    troubles: tuple[Trouble, ...] = ()
    """What the explanation tells of, as values; () where it is in an answerer's own words."""


class NoAnswerError(RuntimeError):
    """The answerer cannot answer at all."""


class Answerer(Protocol):
    """Thinks about one order."""

    def reply(self, messages: Sequence[Message]) -> str:
        """Return the next calls or the final response, after all that was said so far. Raises NoAnswerError."""
        ...


def examine(
    order: str,
    around: Surroundings,
    tools: Tools,
    answerer: Answerer,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Finding:
    """Let the answerer find out what speaks against an order; end in time, or where it cannot answer.

    What ends its thinking, a cancelled model for one, goes through.
    """
    began = clock()
    messages = [Message("order", order)]
    warned: list[str] = []
    final: dict[str, Any] | None = None
    while final is None and clock() - began < seconds:
        try:
            text = answerer.reply(messages)
        except NoAnswerError:
            break
        messages.append(Message("answerer", text))
        calls, response = read_reply(text)
        found: list[Message] = []
        for call in calls:
            found.append(_answer(call, around, tools, warned))
        if response is not None and calls:
            found.append(_warn(Warning_.MADE_UP_ANSWER, warned))
        elif response is not None:
            final = response
        elif not calls:
            found.append(_warn(Warning_.NEITHER, warned))
        messages += found
    grounded = (final or {}).get("grounded") or ()
    return Finding(
        Final(final["final_response"]) if final else None,
        str(final.get("explanation", "")) if final else "I could not find out in time whether that works.",
        tuple(map(str, grounded)) if isinstance(grounded, list | tuple) else (str(grounded),),
        tuple(messages),
        tuple(warned),
        clock() - began,
        str((final or {}).get("order", "")),
        tuple(Trouble.from_json(told) for told in (final or {}).get("troubles", ())),
    )


def read_reply(text: str) -> tuple[list[Call], dict[str, Any] | None]:
    """The tool calls and the final response in a reply; None where there is no valid one."""
    calls: list[Call] = []
    response = None
    decoder = json.JSONDecoder()
    position = 0
    while match := _OPENING.search(text, position):
        try:
            value, position = decoder.raw_decode(text, match.end() - 1)
        except ValueError:
            position = match.end()
            continue
        if match[1]:
            arguments = value.get("args", [])
            calls.append(
                Call(str(value.get("tool", "")), tuple(arguments) if isinstance(arguments, list) else (arguments,))
            )
        elif value.get("final_response") in set(Final):
            response = value
    return calls, response


def final_response(
    final: Final, explanation: str, grounded: Sequence[str], order: str = "", troubles: Sequence[Trouble] = ()
) -> str:
    """Write a final response as an answerer does, with the order as it understood it."""
    said = {"final_response": final, "explanation": explanation, "grounded": list(grounded)}
    told = [trouble.to_json() for trouble in troubles]
    return json.dumps(said | ({"order": order} if order else {}) | ({"troubles": told} if told else {}))


_OPENING = re.compile(r"(call_tool\s*)?\{")


def _answer(call: Call, around: Surroundings, tools: Tools, warned: list[str]) -> Message:
    tool = tools.get(call.tool)
    if tool is None:
        return _warn(Warning_.MADE_UP_TOOL, warned, name=call.tool, tools=", ".join(tools))
    try:
        return Message("tool", json.dumps(tool.function(around, *call.args))[:RESULT_LIMIT])
    except (ToolError, TypeError, AttributeError) as error:
        return _warn(Warning_.FAILED_CALL, warned, name=call.tool, error=error)


def _warn(warning: Warning_, warned: list[str], **words: Any) -> Message:
    warned.append(warning.name.lower())
    return Message("warning", warning.value.format(**words))
