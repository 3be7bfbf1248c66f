"""How sure a language model is of what it writes: the probability that it gave to its least likely token.

The least, and not the mean: a statement is as good as its worst word, and most of its tokens are brackets and quotes
of which any model is sure. What a mask ruled out counts, so that a token which the model did not want is an unlikely
one. In an answer that does something only that counts: how it is put into words is free. Pure arithmetic on logits.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

TALK = (b"say(", b"ask(", b"pass", b">>>")
"""What lines begin with that do nothing."""


class Confidence:
    """Is shown the tokens of one completion, one after the other."""

    def __init__(self, lines: Iterable[tuple[bytes, Sequence[float]]] = ((b"", ()),)) -> None:
        """`lines` of an answer that was begun already."""
        self._lines = [(text, [*likely]) for text, likely in lines]
        """The text of each line, and how likely each of its tokens was."""

    @property
    def least(self) -> float:
        """Return the least, from 0 to 1; 1 where nothing was written."""
        lines = [(text.strip(), likely) for text, likely in self._lines]
        acting = [likely for text, likely in lines if text and not text.startswith(TALK)]
        return min((one for likely in acting or [each for _, each in lines] for one in likely), default=1.0)

    @property
    def place(self) -> tuple[int, int]:
        """Return the line of the next token, and how many tokens are in it."""
        return len(self._lines) - 1, len(self._lines[-1][1])

    def least_with(self, place: tuple[int, int], more: float) -> float:
        """Return what the least would be, were the token at a place likelier by so much."""
        other, (line, number) = self.copy(), place
        other._lines[line][1][number] += more
        return other.least

    @property
    def talks(self) -> bool:
        """Return whether the line that is being written does nothing."""
        return self._lines[-1][0].strip().startswith(TALK)

    def copy(self) -> "Confidence":
        """Return one that knows as much."""
        return Confidence(self._lines)

    def weigh(self, logits: NDArray[np.float32], token: int, piece: bytes) -> float:
        """A token was taken where these were the logits; `piece` is what it writes. Returns how likely it was."""
        best = float(logits.max())
        others = float(np.exp(logits - best).sum())
        likely = math.exp(float(logits[token]) - best) / others
        first, *more = piece.split(b"\n")
        text, before = self._lines[-1]
        self._lines[-1] = (text + first, [*before, likely])
        self._lines += [(part, [likely] if part else []) for part in more]
        return likely
