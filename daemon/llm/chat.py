"""Where a console prompt goes in a chat model's template.

The base goes into the system turn, the transcript into the assistant's, as if the assistant had begun to
write it. Templates come with model files and are untrusted: they run in jinja2's sandbox, in the worker.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

_BASE = "@@heed-base@@"
_LAYOUTS: tuple[list[Mapping[str, str]], ...] = (
    [{"role": "system", "content": _BASE}],
    [{"role": "system", "content": _BASE}, {"role": "user", "content": "Go on with the console session."}],
    [{"role": "user", "content": _BASE}],
)
"""Tried in this order: some templates want a user's turn, some know no system turn."""


@dataclass(frozen=True)
class ChatFrame:
    """What the template writes around the base prompt; the transcript follows `after`."""

    before: str
    after: str


def chat_frame(template: str, *, start: str = "", end: str = "") -> ChatFrame | None:
    """Render a template as transformers would, with thinking switched off where it allows that.

    `start` and `end` are the texts of the model's first and last token. None when the template cannot be
    used: the prompt is then completed as plain text.
    """
    try:
        compiled = _environment().from_string(template)
    except (jinja2.TemplateError, RecursionError):
        return None
    for layout in _LAYOUTS:
        rendered = _render(compiled, layout, start, end)
        if rendered.count(_BASE) == 1:
            before, after = rendered.split(_BASE)
            return ChatFrame(before, _close_thought(after))
    return None


def _render(template: jinja2.Template, messages: list[Mapping[str, str]], start: str, end: str) -> str:
    try:
        return template.render(
            messages=messages,
            add_generation_prompt=True,
            enable_thinking=False,  # Qwen3, SmolLM3 and others
            thinking=False,  # DeepSeek, Granite
            bos_token=start,
            eos_token=end,
        )
    except Exception:  # a template is a program: it may fail in any way
        return ""


def _close_thought(after: str) -> str:
    """Some templates make the model begin with a thought, whatever one asks for: let it be an empty one."""
    open_thought = after.rstrip()
    return open_thought + "\n\n</think>\n\n" if open_thought.endswith("<think>") else after


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda value, **_: json.dumps(value, ensure_ascii=False)
    environment.globals["raise_exception"] = _refuse
    # With a real date, the prompt's beginning would be another one every day and nothing kept would fit.
    environment.globals["strftime_now"] = lambda _: "today"
    return environment


def _refuse(message: Any) -> NoReturn:
    raise jinja2.TemplateError(str(message))
