"""How far two ways to read the same prompt agree in what they would write next. Pure arithmetic on logits."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from daemon.llm.ending import CONTINUATION
from daemon.llm.model import PROMPT_SIGN

SHARE = 0.98
"""At least this share of tokens must be the same; a small trained model spliced reached .987 to .993."""
DIVERGENCE = 0.05
"""Nats per token, at most; the same model had .006 to .018, and .28 to .39 when it saw no examples."""

Logits = NDArray[np.float32]


@dataclass(frozen=True)
class Agreement:
    """The result of a comparison."""

    tokens: int
    """How many were compared; all of them belong to statements."""
    share: float
    """For how many of them both ways have the same likeliest token, 0 to 1."""
    divergence: float
    """Mean Kullback-Leibler divergence in nats."""

    @property
    def passed(self) -> bool:
        return self.tokens > 0 and self.share >= SHARE and self.divergence <= DIVERGENCE

    def packed(self) -> NDArray[np.uint8]:
        """Return it as bytes, for a file."""
        return np.frombuffer(json.dumps(asdict(self)).encode(), np.uint8)

    @classmethod
    def unpacked(cls, content: NDArray[np.uint8]) -> "Agreement":
        return cls(**json.loads(content.tobytes()))


class Comparison:
    """Gathers pairs of logits, first of the way that is right by definition."""

    def __init__(self) -> None:
        self._same = 0
        self._divergences: list[float] = []

    def add(self, right: Sequence[Logits], other: Sequence[Logits]) -> None:
        """One pair for each token."""
        for one, two in zip(right, other, strict=True):
            self._same += int(one.argmax() == two.argmax())
            p, q = _log_softmax(one), _log_softmax(two)
            self._divergences.append(float(np.exp(p) @ (p - q)))

    def result(self) -> Agreement:
        count = len(self._divergences)
        return Agreement(count, self._same / max(count, 1), float(np.sum(self._divergences)) / max(count, 1))


def measured_tokens(pieces: Sequence[bytes]) -> list[int]:
    """Measure which tokens are followed by one that the model writes: those of statements, from `>>>` to the line's
    end.

    `pieces` are the texts of an example's tokens. All but the last where there are no statements.
    """
    text, starts = b"", []
    for piece in pieces:
        starts.append(len(text))
        text += piece
    written = _statement_spans(text)
    inside = [i for i in range(len(pieces) - 1) if any(a <= starts[i + 1] < b for a, b in written)]
    return inside or list(range(len(pieces) - 1))


def _statement_spans(text: bytes) -> list[tuple[int, int]]:
    """Begin and end of what follows the prompt sign, with the newline."""
    signs = (PROMPT_SIGN.encode(), CONTINUATION.encode())
    spans, at = [], 0
    for line in text.splitlines(keepends=True):
        if line.startswith(signs):
            spans.append((at + len(signs[0]), at + len(line)))
        at += len(line)
    return spans


def _log_softmax(logits: Logits) -> NDArray[np.float64]:
    shifted = logits.astype(np.float64) - logits.max()
    return shifted - np.log(np.exp(shifted).sum())
