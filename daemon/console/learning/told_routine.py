"""The steps of a routine, complete: what a person said beside its name holds all its parts and numbers.

A small mind that writes them down leaves out a part now and then, or writes two for one; a routine is used for years.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile

from daemon.console.counts import counts_in
from daemon.names import ARTICLES, forms, mention
from daemon.phrasebook import phrasebook
from skills.scene import Scene


def as_told(name: str, steps: str, words: str, scene: Scene) -> str:
    """Return the steps that a mind wrote, where they tell all things and numbers that the words do, and no others.

    Else these words, from the first thing or number on, so far as they stand behind the routine's name or before it.
    The steps stay where the words do not tell the name, or where that part tells only some of their things.
    """
    found = mention(name, words)
    if found is None:
        return steps
    told = words[found.end() :]
    if not _things(told, scene):
        told = _to_the_last_name(words[: found.start()], scene)
    wanted, written = _things(told, scene), _things(steps, scene)
    numbers = Counter(counts_in(steps))
    other = (numbers - Counter(counts_in(words))) + (Counter(counts_in(told)) - numbers)
    is_complete = wanted <= written and not any(number > 1 for number in other)
    if not wanted or is_complete or not written & _things(words, scene) <= wanted:
        return steps
    return _from_the_first_part(told, scene)


def _things(text: str, scene: Scene) -> set[str]:
    return {thing.name for thing in scene.objects if any(_spans(text, (thing.name, *thing.aliases)))}


def _spans(text: str, called: Iterable[str]) -> Iterator[tuple[int, int]]:
    return (found.span() for way in called for form in forms(way) if (found := mention(form, text)))


def _to_the_last_name(text: str, scene: Scene) -> str:
    things = [(thing.name, *thing.aliases) for thing in scene.objects]
    places = [(place.name, *place.aliases) for place in scene.locations]
    return text[: max((end for called in (*things, *places) for _, end in _spans(text, called)), default=0)]


def _from_the_first_part(told: str, scene: Scene) -> str:
    """From the first thing on, with its number and article, and the deed before it."""
    first = min(start for thing in scene.objects for start, _ in _spans(told, (thing.name, *thing.aliases)))
    before = [*takewhile(_belongs_to_a_part, reversed(told[:first].split()))]
    return " ".join([*reversed(before), told[first:]]).strip(" .,;!")


def _belongs_to_a_part(word: str) -> bool:
    lower = word.lower()
    return lower in ARTICLES or lower in phrasebook()["turn"]["weighty"] or bool(counts_in(lower))
