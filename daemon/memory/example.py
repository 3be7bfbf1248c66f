"""Interaction examples: the entries of the memory M (Baermann et al. 2024, sec. 3.3)."""

from dataclasses import dataclass
from typing import Literal

from daemon.transcript import Step, parse_transcript

Origin = Literal["seed", "learned"]
"""Written by us and shipped, or taught by a person."""


@dataclass(frozen=True)
class InteractionExample:
    """An entry of the memory M: a transcript that the model may be shown, and when it fits."""

    id: int
    transcript: str
    """As render() writes it; ends with a newline."""
    instructions: tuple[str, ...]
    """What was said to the robot in it; retrieval compares these with what is said now."""
    origin: Origin
    lesson_id: int | None = None
    """The lesson that it was learned in; None for a seed."""

    @property
    def steps(self) -> tuple[Step, ...]:
        return parse_transcript(self.transcript)
