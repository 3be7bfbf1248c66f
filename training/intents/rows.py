"""What the second reader is taught with: samples of the brain, as it reads them, and what their answers do."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from daemon.console.goals.choice import Choice
from daemon.console.prompt_parts import PromptParts
from daemon.console.second_reader import asked, deeds_of
from daemon.console.statements import statements_in
from daemon.llm.intents import REFUSE, Encoded, Text, intent_of
from training.brain.samples import Sample
from training.corpus.dialogues import read_voice, voices

SAYS, REFUSES = "say(", "refuse("
"""The second stands for the first in an answer that says no."""

LONGEST = 330
"""Tokens; longer ones are left out."""


@dataclass(frozen=True)
class Row:
    """One sample."""

    text: Encoded
    intent: int
    """Its place in INTENTS."""
    roles: Sequence[tuple[bool, bool, bool]]
    """Of each name in the text: whether it is moved, is spoken of, is where something goes."""


def rows_of(samples: Iterable[Sample], text: Text) -> Iterator[Row]:
    """Yield those with a situation, but for answers that depend on how things are: no one way is right of them.

    Their answers are goals, as training/brain/shortening.py tells them.
    """
    for sample in samples:
        parts = PromptParts.by(sample.prompt)
        refuses = sample.answer.startswith(REFUSES)
        statements = statements_in(sample.answer.replace(REFUSES, SAYS, 1) if refuses else sample.answer)
        if not parts.places or not parts.said or not statements or any(map(Choice.of, statements)):
            continue
        deeds, encoded = deeds_of(statements, parts), text.encode(asked(parts))
        if not encoded.spans or len(encoded.tokens) > LONGEST:
            continue
        intent = REFUSE if refuses else intent_of(deeds.functions)
        names = [name.name for name, _, _ in encoded.spans]
        yield Row(encoded, intent, [(name in deeds.moved, name in deeds.named, name in deeds.target) for name in names])


def refusals_told(samples: Iterable[Sample]) -> Iterator[Sample]:
    """Yield the same, but with REFUSES where the first words of a dialogue ask for what a robot says no to.

    So it tells who asks for that from who just talks: heed answers both with words alone.
    """
    for sample in samples:
        parts = PromptParts.by(sample.prompt)
        first = sample.dialogue.partition("~")[0] in _refusals() and not (parts.turns or parts.begun)
        if first and all(statement.startswith(SAYS) for statement in statements_in(sample.answer)):
            yield replace(sample, answer=sample.answer.replace(SAYS, REFUSES, 1))
        else:
            yield sample


@cache
def _refusals() -> frozenset[str]:
    return frozenset(one.id for file in voices() for one in read_voice(file) if one.kind == "refusal")
