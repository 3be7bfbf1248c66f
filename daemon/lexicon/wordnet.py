"""What kind of thing a thing is, by WordNet: a sander is a power tool, spaghetti is pasta. Read from wordnet.txt.

WordNet 3.0, Copyright 2006 by Princeton University (LICENSE.wordnet); script/derive_kinds left out what is no thing.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple


class _Net(NamedTuple):
    above: Sequence[tuple[int, ...]]
    words: Sequence[tuple[str, ...]]
    meanings: Mapping[str, Sequence[int]]
    """Of each word, the most usual first."""
    uses: Mapping[int, str]
    """What things of a meaning are for, by its definition."""


@lru_cache(maxsize=4096)
def kinds_of(word: str, usually: bool = False) -> frozenset[str]:
    """The kinds that a thing of this name may be of, in the singular and in small letters; empty for no known word.

    `usually`: by its most usual meaning alone; a sack is a wine too.
    """
    net = _net()
    found: set[int] = set()
    above = list(net.meanings.get(word.lower(), ()))[: 1 if usually else None]
    while above:
        meaning = above.pop()
        if meaning not in found:
            found.add(meaning)
            above += net.above[meaning]
    return frozenset(name for meaning in found for name in net.words[meaning])


@lru_cache(maxsize=4096)
def uses_of(word: str) -> frozenset[str]:
    """The words in which its definition, else that of the next wider kind, says what a thing of this name is for."""
    net = _net()
    own = net.meanings.get(word.lower(), ())
    wider = (above for meaning in own for above in net.above[meaning])
    told = [net.uses[meaning] for meaning in own if meaning in net.uses] or [net.uses.get(kind, "") for kind in wider]
    return frozenset(word for use in told for word in use.split())


@cache
def _net() -> _Net:
    above: list[tuple[int, ...]] = []
    words: list[tuple[str, ...]] = []
    ranked: dict[str, list[tuple[int, int]]] = {}
    uses: dict[int, str] = {}
    for number, (higher, said, use) in enumerate(_lines()):
        if use:
            uses[number] = use
        above.append(tuple(map(int, higher.split())))
        names = [word.partition("#") for word in said.split(",") if word]
        words.append(tuple(name for name, _, _ in names))
        for name, _, rank in names:
            ranked.setdefault(name, []).append((int(rank or 1), number))
    return _Net(above, words, {name: [number for _, number in sorted(pairs)] for name, pairs in ranked.items()}, uses)


def _lines() -> Iterator[tuple[str, str, str]]:
    for line in files("daemon.lexicon").joinpath("wordnet.txt").read_text(encoding="utf-8").splitlines():
        _, higher, said, use, *_ = [*line.split("|"), ""]
        yield higher, said, use
