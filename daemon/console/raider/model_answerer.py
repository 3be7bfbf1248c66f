"""Answers by a language model: the same flow, with a prompt that lists the tools; and plans by one."""

import re
from collections.abc import Sequence

from daemon.console.prompt import role_text
from daemon.console.raider.flow import CALL, Final, Message, NoAnswerError
from daemon.console.raider.surroundings import Surroundings
from daemon.console.raider.tools import Tools
from daemon.llm.model import LanguageModel, ModelCancelled, ModelError, Prompt

ANSWER_TOKENS = 300
"""Of one reply: some calls, or a final response with two sentences."""
LABELS = {"order": "ORDER", "answerer": "YOU", "tool": "RESULT", "warning": "WARNING"}


class ModelAnswerer:
    """An Answerer that asks a language model."""

    def __init__(
        self, model: LanguageModel, tools: Tools, seen: str = "", grounding: bool = True, asking: bool = True
    ) -> None:
        """`seen` describes everything instead of tools; without `grounding` or `asking` that step is not asked for."""
        self._model = model
        steps = role_text("raider").split("\n\n")
        kept = [step for step in steps if (grounding or not step.startswith("GROUND"))
                and (asking or not step.startswith(("ASK", "ANSWER")))]  # fmt: skip
        listed = "".join(f"{tool.signature}: {tool.summary}\n" for tool in tools.values())
        self._base = "\n\n".join(kept).replace("{tools}", listed or "none; answer from this:\n" + seen)

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


def describe(around: Surroundings, tools: Tools) -> str:
    """Return everything that the tools would tell, as text (for the ablation)."""
    holding = ", ".join(around.holding) or "nothing"
    lines = [f"The robot holds {holding} and reaches {around.reach} m."]
    for item in around.items:
        properties = ", ".join(sorted(item.properties)) or "none"
        relations = ", ".join(f"{relation} {other}" for relation, other in item.relations) or "none"
        lines.append(
            f"{item.name}: {item.distance} m away; properties {properties}; state {dict(item.state)}; {relations}"
        )
    return "\n".join(lines)


_STEP = re.compile(rf"(?:\w+\s*=\s*)?(?!{CALL})\w+\((?:[^()\"']|\"[^\"]*\"|'[^']*')*\)")
