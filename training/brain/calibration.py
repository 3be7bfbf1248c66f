"""From which confidence on the brain may act unasked: what it did where it was less sure, on voices it never heard."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
WRONG = 0.04
"""Share of the dialogues in which something may come that nobody wanted."""


@dataclass(frozen=True)
class Acted:
    """A dialogue in which something was done, or none."""

    confidence: float
    """Of the least sure answer that did something; 1 where nothing was done."""
    right: bool
    wrong_deed: bool


def table(found: Sequence[Acted]) -> Iterator[dict[str, float]]:
    """A row for each threshold: in how many of all dialogues it would ask, and what comes where it does not."""
    for least in THRESHOLDS:
        unasked = [one for one in found if one.confidence >= least]
        yield {
            "confidence": least,
            "asks": round(1 - len(unasked) / len(found), 3),
            "right": round(sum(one.right for one in unasked) / len(found), 3),
            "wrong_deeds": round(sum(one.wrong_deed for one in unasked) / len(found), 3),
        }


def least_confidence(found: Sequence[Acted]) -> float:
    """The lowest threshold of the table that keeps wrong deeds rare; the highest where none does."""
    rare = (row["confidence"] for row in table(found) if row["wrong_deeds"] <= WRONG)
    return next(rare, THRESHOLDS[-1])
