"""Builds the console prompt: rules of the house, API text, retrieved examples, and the live history."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from importlib.resources import files

from daemon.console.history import InteractionHistory
from daemon.console.names_in_scope import name_scope
from daemon.llm.model import PROMPT_SIGN, LanguageModel, ModelError, Prompt
from skills.skill import Skill, api_text

NEW_TASK = "# A new conversation begins.\n"
ANSWER_TOKENS = 256
"""Kept free for the answer; a statement has 10 to 40."""
COUNTED = 1000
"""Texts of which the number of tokens is kept: examples, and the turns of a long day."""
LEAST_ROOM = 500
"""Tokens beside the base prompt that a conversation needs at least: an example and a few turns."""
EXAMPLE_SHARE = 0.6
"""Of the room beside the base prompt, at most, for examples; the rest is the history's."""


def role_text(role: str) -> str:
    """The fixed text of a role, from daemon/console/prompts/."""
    return files("daemon.console").joinpath("prompts", f"{role}.txt").read_text(encoding="utf-8")


def base_prompt(skills: Iterable[Skill]) -> str:
    """What does not change while the robot runs."""
    return f"{role_text('interact')}{api_text(skills)}\n"


def example_part(transcript: str) -> str:
    """A transcript as it stands in prompts."""
    return f"# Example\n{transcript.rstrip()}\n\n"


class InteractPrompts:
    """Prompts for one model, fitted to its context: the farthest examples and the oldest turns are left out first."""

    def __init__(self, base: str, model: LanguageModel) -> None:
        self.base = base
        self._count = lru_cache(COUNTED)(model.count_tokens)
        self._count_anew = model.count_tokens
        """For what is never counted again."""
        self._context_tokens = model.context_tokens
        self._room = model.context_tokens - ANSWER_TOKENS - model.count_tokens(base)

    def require_room(self) -> None:
        """Raises ModelError where what the robot can do leaves no room for what people say."""
        if self._room < LEAST_ROOM:
            raise ModelError(
                f"its context of {self._context_tokens} tokens is too small, heed needs "
                f"{self._context_tokens - self._room + LEAST_ROOM}; take a model with a longer one, or raise "
                "context_tokens in config.toml where that is what limits it"
            )

    def prompt(
        self,
        examples: Sequence[str],
        history: InteractionHistory,
        end: str = PROMPT_SIGN,
        memory: Sequence[str] = (),
    ) -> Prompt:
        """The prompt for the next statement; `examples` are transcripts, the nearest last, and `end` closes it.

        Which examples are kept depends on them alone, so that within a turn the prompt only grows. `memory` are a few
        lines on what is under way, before the history. Only where what people just said, and what came back, is longer
        than their room, examples give way to it.
        """
        parts = [example_part(example) for example in examples]
        kept, room = self._fitting(parts)
        if end != PROMPT_SIGN:
            room -= self._count(end)
        noted = "".join(f"# {line}\n" for line in memory)
        room -= self._count(f"{NEW_TASK}{noted}")
        text = history.text(max(0, room), self._count)
        over = self._count_anew(text) - room
        while over > 0 and kept:  # what was asked for counts more than how others were answered
            over -= self._count(kept[0])
            kept = kept[1:]
        scope = partial(name_scope, history)

        def whole() -> Prompt:
            return Prompt(self.base, tuple(parts), f"{NEW_TASK}{noted}{history.text()}{end}", scope)

        return Prompt(self.base, kept, f"{NEW_TASK}{noted}{text}{end}", scope, whole)

    def _fitting(self, parts: Sequence[str]) -> tuple[tuple[str, ...], int]:
        """The nearest examples that fit, and the tokens that are left for the history."""
        kept = fitting(parts, self._count, int(EXAMPLE_SHARE * self._room))
        return kept, self._room - sum(map(self._count, kept))


def fitting(parts: Sequence[str], count: Callable[[str], int], room: int) -> tuple[str, ...]:
    """The last parts that have at most `room` tokens together."""
    kept: list[str] = []
    for part in reversed(parts):
        room -= count(part)
        if room < 0:
            break
        kept.insert(0, part)
    return tuple(kept)
