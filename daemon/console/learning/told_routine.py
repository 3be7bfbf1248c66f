"""The steps of a routine, complete: what a person said beside its name holds all its parts and numbers.

A small mind that writes them down leaves out a part now and then, or writes two for one; a routine is used for years.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import takewhile

from daemon.console.counts import counts_in
from daemon.console.named_things import named_in
from daemon.names import ARTICLES, mention
from daemon.phrasebook import any_of, phrasebook, plain
from skills.scene import Scene

_ENDS = re.compile(r"[.!?](?:\s|$)")


def as_told(name: str, steps: str, words: str, scene: Scene) -> str:
    """Return the steps that a mind wrote, where they tell the same things and numbers as the words; else these words.

    They count so far as they stand behind the routine's name in its sentence, or before it. The steps stay where that
    part tells only some of their things, or says that something is not so.
    """
    found = mention(name, words)
    if found is None:
        return steps
    told = _ENDS.split(words[found.end() :])[0]
    if not _parts(told, scene):
        told = _to_the_last_name(_ENDS.split(words[: found.start()])[-1], scene)
    wanted, written = _parts(told, scene), _parts(steps, scene)
    elsewhere = _names(written) & _names(_parts(words, scene)) - _names(wanted)
    if not wanted or wanted == written or elsewhere or _is_otherwise(told):
        return steps
    return _from_the_first_part(told, scene)


def _parts(text: str, scene: Scene) -> Counter[tuple[tuple[str, ...], int | None]]:
    """The things that a text names, each with its number."""
    return Counter((one.names, one.number) for one in named_in(text, scene) if one.things)


def _names(parts: Iterable[tuple[tuple[str, ...], int | None]]) -> set[tuple[str, ...]]:
    return {names for names, _ in parts}


def _is_otherwise(text: str) -> bool:
    return any_of(phrasebook()["routine"]["otherwise"]).search(plain(text)) is not None


def _to_the_last_name(text: str, scene: Scene) -> str:
    return text[: max((one.end for one in named_in(text, scene)), default=0)]


def _from_the_first_part(told: str, scene: Scene) -> str:
    """From the first thing or place on, with its number and article, and the deed before it."""
    first = next(one.begin for one in named_in(told, scene))
    before = [*takewhile(_belongs_to_a_part, reversed(told[:first].split()))]
    return " ".join([*reversed(before), told[first:]]).strip(" .,;!")


def _belongs_to_a_part(word: str) -> bool:
    lower = word.lower()
    return lower in ARTICLES or lower in phrasebook()["turn"]["weighty"] or bool(counts_in(lower))
