"""What the recognisers share that search for the likeliest text: how long one may become, and how sure one is."""

import math
from collections.abc import Sequence

from daemon.speech.spoken_words import content_words

TOKENS_PER_SECOND = 8
"""Nobody speaks faster; without a bound noise is decoded into endless text."""


def longest_text(seconds: float) -> int:
    """Return how many tokens so much sound may hold, of a vocabulary of tens of thousands."""
    return 4 + math.ceil(TOKENS_PER_SECOND * seconds)


def margin(text: str, found: Sequence[tuple[str, float]]) -> float:
    """Return how far `text` is ahead of those of `found` that differ from it in more than articles and plurals.

    `found` are texts with their logarithmic scores, the best first; below 0 where `text` is behind.
    """
    meaning = content_words(text)
    same = [score for other, score in found if content_words(other) == meaning]
    different = [score for other, score in found if content_words(other) != meaning]
    if not different:
        return math.inf
    return (same or [found[0][1]])[0] - different[0]
