"""Answers by a language model: the same flow, with a prompt that lists the tools; and plans by one."""

import re
from collections.abc import Sequence

from daemon.console.prompt import role_text
from daemon.console.raider.flow import CALL, Final, Message, NoAnswerError
from daemon.console.raider.tools import Tools
from daemon.llm.model import LanguageModel, ModelCancelled, ModelError, Prompt

ANSWER_TOKENS = 300
"""Of one reply: some calls, or a final response with two sentences."""
LABELS = {"order": "ORDER", "answerer": "YOU", "tool": "RESULT", "warning": "WARNING"}


def instructions(tools: Tools) -> str:
    """Return the paper's four steps, and the tools to take them with."""
    listed = "".join(f"{tool.signature}: {tool.summary}\n" for tool in tools.values())
    return role_text("raider").replace("{tools}", listed)


class ModelAnswerer:
    """An Answerer that asks a language model."""

    def __init__(self, model: LanguageModel, instructions: str) -> None:
        """`instructions` stand above the conversation; those of a model that asks by tools are instructions()."""
        self._model = model
        self._base = instructions

    def reply(self, messages: Sequence[Message]) -> str:
        lines = "".join(f"{LABELS[message.role]}: {message.text.strip()}\n" for message in messages)
        prompt = Prompt(self._base, (), f"{lines}{LABELS['answerer']}:")
        try:
            return self._model.complete(
                prompt, stop=("RESULT:", "ORDER:", "WARNING:"), max_tokens=ANSWER_TOKENS
            ).strip()
        except ModelCancelled:
            raise
        except ModelError as error:
            raise NoAnswerError(str(error)) from error


def plan_by_model(
    model: LanguageModel, order: str, final: Final, explanation: str, holding: Sequence[str]
) -> list[str]:
    """Steps by a language model that sees the explanation, and nothing of the scene."""
    asked = (
        f"ORDER: {order}\nISSUE: {final}\nEXPLANATION: {explanation}\nHOLDING: {', '.join(holding) or 'nothing'}\nPLAN:"
    )
    prompt = Prompt(role_text("raider_recovery"), (), asked)
    try:
        reply = model.complete(prompt, stop=("\n",), max_tokens=ANSWER_TOKENS)
    except ModelCancelled:
        raise
    except ModelError:
        return [f"say({explanation!r})"]
    return [match[0].strip() for match in _STEP.finditer(reply)] or [f"say({explanation!r})"]


_STEP = re.compile(rf"(?:\w+\s*=\s*)?(?!{CALL})\w+\((?:[^()\"']|\"[^\"]*\"|'[^']*')*\)")
