"""Where an answer might have gone another way: at each token, the next likeliest one, and how likely that was.

An answer that a person does not want is seldom wrong from its first token: up to some fork it is right, and there the
model had two words to choose from. Pure arithmetic on logits.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from daemon.llm.answer_confidence import Confidence
from daemon.llm.name_mask import NameMask


@dataclass(frozen=True)
class Fork:
    """A way that was not taken."""

    written: tuple[int, ...]
    """The tokens of the answer before it."""
    token: int
    """The one that would have come next."""
    likely: float
    """Its probability."""
    confidence: Confidence
    """How sure the model was up to there, this token included."""
    place: tuple[int, int]
    """Where it is in the answer, as Confidence tells places."""


class Forks:
    """Chooses the tokens of one answer, the likeliest each time, and notes the ways that it does not take."""

    def __init__(self, mask: NameMask | None, piece: Callable[[int], bytes]) -> None:
        """`mask` knows which names may be written, None for any; `piece` is the text of a token."""
        self._mask = mask
        self._piece = piece
        self._confidence = Confidence()
        self._written: list[int] = []
        self._found: list[Fork] = []

    def choose(self, logits: NDArray[np.float32]) -> int:
        """Return the likeliest token; it counts as written."""
        ranked = [] if self._confidence.talks else self._ranked(logits)
        token = int(logits.argmax()) if self._mask is None else self._mask.choose(logits)
        self._found += [self._fork(logits, other) for other in ranked if other != token][:1]
        self._confidence.weigh(logits, token, self._piece(token))
        self._written.append(token)
        return token

    @property
    def least(self) -> float:
        """Return how sure the model is of what it wrote, from 0 to 1."""
        return self._confidence.least

    def likeliest(self, count: int) -> list[Fork]:
        """Return so many of them, the likeliest first; none inside of words that are only said."""
        return sorted(self._found, key=lambda fork: -fork.likely)[:count]

    def sure_of_both(self, fork: Fork) -> float:
        """Return how sure the model is that it is the answer or what this fork leads to, where both are one thing."""
        return self._confidence.least_with(fork.place, fork.likely)

    def _ranked(self, logits: NDArray[np.float32]) -> list[int]:
        """The two tokens that are likeliest, of those that may be written."""
        return _two(logits) if self._mask is None else self._mask.fitting(logits, 2)

    def _fork(self, logits: NDArray[np.float32], token: int) -> Fork:
        confidence = self._confidence.copy()
        likely = confidence.weigh(logits, token, self._piece(token))
        return Fork(tuple(self._written), token, likely, confidence, self._confidence.place)


def _two(logits: NDArray[np.float32]) -> list[int]:
    return [int(token) for token in np.argpartition(-logits, 2)[:2]]
