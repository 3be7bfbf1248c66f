"""What a model's confidence says: how many of the statements of which it is so sure are the right ones.

Held-out worlds, each statement asked for behind the right ones before it, so that one slip counts once. Right is what
stands in the true transcript word for word; of two ways to do a thing only that one counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daemon.console.acting_statements import deeds_in
from daemon.console.history import InteractionHistory
from daemon.console.prompt import InteractPrompts
from daemon.console.statements import statements_in
from daemon.llm.llama import LlamaModel
from daemon.transcript import Step
from training.families import Asker
from training.judge import WAIT, first_statement
from training.prompts import TrainingPrompt, told_skills
from training.suites import SUITES, cases_of

THRESHOLDS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True)
class Guess:
    """One statement that was written, held against the true one."""

    confidence: float
    right: bool
    moves: bool
    """Whether it would move or change something."""
    broken: bool
    """Whether it is no Python statement."""


def guesses(model: LlamaModel, count: int) -> Iterator[Guess]:
    """All statements of the first `count` cases of each suite. The model must weigh what it writes."""
    prompts = InteractPrompts(told_skills(), model)
    for suite in SUITES:
        for prompt, asker in cases_of(suite, count):
            yield from _guesses(model, prompts, prompt, asker)


def _guesses(model: LlamaModel, prompts: InteractPrompts, prompt: TrainingPrompt, asker: Asker) -> Iterator[Guess]:
    examples = [text.removeprefix("# Example\n") for text in prompt.examples]
    history, scene = InteractionHistory(), asker.world.console().observe()
    for step in (*asker.console.steps, Step(WAIT)):
        if history.turns:
            text = model.complete(prompts.prompt(examples, history))
            right = first_statement(text) == step.statement
            yield Guess(model.confidence or 0.0, right, any(deeds_in(text)), not statements_in(text))
        if step.heard and step.called != "ask":
            history.begin_turn(scene)
        history.add(step)


def table(found: Sequence[Guess]) -> Iterator[dict[str, float | int | None]]:
    """A row for each threshold: how many were so sure, and how many of those right; the same of those that move."""
    for least in THRESHOLDS:
        sure = [guess for guess in found if guess.confidence >= least]
        moving = [guess for guess in sure if guess.moves]
        yield {
            "confidence": least,
            "share": _share(len(sure), len(found)),
            "right": _share(sum(guess.right for guess in sure), len(sure)),
            "share_of_moves": _share(len(moving), sum(guess.moves for guess in found)),
            "right_of_moves": _share(sum(guess.right for guess in moving), len(moving)),
            "wrong_moves": sum(not guess.right for guess in moving),
            "no_statement": sum(guess.broken for guess in sure),
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
