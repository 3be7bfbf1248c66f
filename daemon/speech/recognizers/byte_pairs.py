"""Texts into the tokens of a recogniser, so that it can judge what another one heard.

Byte-pair encoding (Sennrich et al. 2016), for vocabularies whose numbers are the order in which pairs were joined.
"""

from collections.abc import Mapping, Sequence


def joined(pieces: Sequence[str], numbers: Mapping[str, int]) -> list[int]:
    """Return the numbers of the tokens that `pieces` of a text become, the earliest pair always joined first.

    Raises KeyError for a piece that is no token.

    >>> joined("hello", {"h": 0, "e": 1, "l": 2, "o": 3, "ll": 4, "he": 5})
    [5, 4, 3]
    """
    parts = list(pieces)
    while pairs := [
        (numbers[pair], at) for at in range(len(parts) - 1) if (pair := parts[at] + parts[at + 1]) in numbers
    ]:
        _, at = min(pairs)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return [numbers[part] for part in parts]
