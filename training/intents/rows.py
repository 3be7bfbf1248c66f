"""What the second reader is taught with: samples of the brain, as it reads them, and what their answers do."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from daemon.console.goals.choice import Choice
from daemon.console.prompt_parts import PromptParts
from daemon.console.second_reader import asked, deeds_of
from daemon.console.statements import statements_in
from daemon.llm.intents import Encoded, Text, intent_of
from training.brain.samples import Sample

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
        statements = statements_in(sample.answer)
        if not parts.places or not parts.said or not statements or any(map(Choice.of, statements)):
            continue
        deeds, encoded = deeds_of(statements, parts), text.encode(asked(parts))
        if not encoded.spans or len(encoded.tokens) > LONGEST:
            continue
        intent = intent_of(deeds.functions)
        names = [name.name for name, _, _ in encoded.spans]
        yield Row(encoded, intent, [(name in deeds.moved, name in deeds.named, name in deeds.target) for name in names])
