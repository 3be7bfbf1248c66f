"""Counts what is in the corpus: so that nobody has to guess what it lacks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from daemon.llm.model import Embedder
from daemon.transcript import Step
from training.corpus.dialogues import Dialogue

ALIKE = 0.92
"""Cosine of two utterances' embeddings from which on they count as the same thing said again."""
SHOWN = 12
"""Of openings and functions, at most."""


@dataclass(frozen=True)
class Stats:
    """Counts of some dialogues."""

    voices: int
    worlds: int
    dialogues: int
    turns: int
    """How often somebody speaks."""
    kinds: dict[str, int]
    functions: dict[str, int]
    """Called by the mind, the most frequent first."""
    openings: dict[str, int]
    """First two words of utterances."""
    words_median: float
    words_longest: int
    with_rules: float
    """Share of the dialogues in which something was learned before."""
    alike: float
    """Share of the utterances of which another dialogue has nearly the same."""

    @property
    def rows(self) -> list[tuple[str, Any]]:
        """Name and value, for people."""
        return [(name.replace("_", " "), value) for name, value in self.__dict__.items()]


def stats_of(dialogues: Sequence[Dialogue], embedder: Embedder) -> Stats:
    """Count."""
    said = [(dialogue.id, turn.say) for dialogue in dialogues for turn in dialogue.turns if turn.say]
    lengths = [len(text.split()) for _, text in said] or [0]
    calls = Counter(
        Step(statement).called or "other"
        for dialogue in dialogues
        for answer in dialogue.answers
        for statement in answer.split("\n")
    )
    return Stats(
        voices=len({dialogue.voice for dialogue in dialogues}),
        worlds=len({(dialogue.voice, _places(dialogue)) for dialogue in dialogues}),
        dialogues=len(dialogues),
        turns=len(said),
        kinds=dict(Counter(dialogue.kind for dialogue in dialogues).most_common()),
        functions=dict(calls.most_common(SHOWN)),
        openings=dict(Counter(" ".join(text.lower().split()[:2]) for _, text in said).most_common(SHOWN)),
        words_median=median(lengths),
        words_longest=max(lengths),
        with_rules=sum(bool(dialogue.learned) for dialogue in dialogues) / max(1, len(dialogues)),
        alike=_alike(said, embedder),
    )


def _places(dialogue: Dialogue) -> tuple[str, ...]:
    return tuple(place if isinstance(place, str) else place["name"] for place in dialogue.world["locations"])


def _alike(said: Sequence[tuple[str, str]], embedder: Embedder) -> float:
    """Answers of one or two words ("yes", "the red one") are alike by nature, and left out."""
    long = [(id, text) for id, text in said if len(text.split()) > 2]
    if not long:
        return 0.0
    vectors = embedder.embed([text for _, text in long])
    ids = np.array([id for id, _ in long])
    near = 0
    for row, vector in enumerate(vectors):
        others = (vectors @ vector >= ALIKE) & (ids != ids[row])
        near += bool(others.any())
    return near / len(long)
