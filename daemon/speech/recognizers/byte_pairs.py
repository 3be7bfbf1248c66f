"""Texts into the tokens of a recogniser, so that it can judge what another one heard.

Byte-pair encoding (Sennrich et al. 2016), for vocabularies whose numbers are the order in which pairs were joined.
"""

from collections.abc import Callable, Sequence


def joined(pieces: Sequence[str], number: Callable[[str], int | None]) -> list[int]:
    """Return the numbers of the tokens that `pieces` of a text become, the earliest pair always joined first.

    `number(text)` is that of a token, None for what is none. Raises KeyError for a piece that is no token.

    >>> joined("hello", {"h": 0, "e": 1, "l": 2, "o": 3, "ll": 4, "he": 5}.get)
    [5, 4, 3]
    """
    parts = list(pieces)
    while pairs := [
        (joins, at) for at in range(len(parts) - 1) if (joins := number(parts[at] + parts[at + 1])) is not None
    ]:
        _, at = min(pairs)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return [_known(part, number) for part in parts]


def _known(part: str, number: Callable[[str], int | None]) -> int:
    if (known := number(part)) is None:
        raise KeyError(part)
    return known
