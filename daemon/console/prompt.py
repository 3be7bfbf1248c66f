"""Builds the console prompt: rules of the house, API text, retrieved examples, and the live history."""

from collections.abc import Iterable, Sequence
from importlib.resources import files

from daemon.llm.model import PROMPT_SIGN, LanguageModel, Prompt
from skills.skill import Skill, api_text

NEW_TASK = "# A new conversation begins.\n"
CHARACTERS_PER_TOKEN = 3
"""A cautious guess for console text, used to keep the history within the model's context."""


def role_text(role: str) -> str:
    """The fixed text of a role, from daemon/console/prompts/."""
    return files("daemon.console").joinpath("prompts", f"{role}.txt").read_text(encoding="utf-8")


def base_prompt(skills: Iterable[Skill]) -> str:
    """What does not change while the robot runs."""
    return f"{role_text('interact')}{api_text(skills)}\n"


def interact_prompt(base: str, examples: Sequence[str], history: str) -> Prompt:
    """The prompt for the next statement; `examples` are transcripts, the nearest last."""
    parts = tuple(f"# Example\n{example.rstrip()}\n\n" for example in examples)
    return Prompt(base, parts, f"{NEW_TASK}{history}{PROMPT_SIGN}")


def history_budget(model: LanguageModel, base: str, examples: Sequence[str]) -> int:
    """Characters that the history may have, so that prompt and answer fit the model's context."""
    taken = len(base) + sum(map(len, examples))
    return max(1000, model.context_tokens * CHARACTERS_PER_TOKEN - taken)
