"""What a routine's steps come to, where they are nothing but things, numbers of them, and where they go.

A routine is kept in a person's words, and its name means them each time. A small mind forgets a part of these, or takes
three cups for two; what code finds in the names that are here it does not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daemon.console.counts import counts_in
from daemon.console.goals.goal import written
from daemon.console.situation import SOMEBODY
from daemon.memory.effects import Routine
from daemon.memory.sentence_to_effect import read_effect
from daemon.names import NUMBER, SEPARATORS, forms, mention
from daemon.phrasebook import phrasebook
from skills.scene import Location, Scene, Thing


def routine_asked_for(words: str, rules: Sequence[str], scene: Scene) -> list[str]:
    """Return the goals of the routine that words name, if one of these rules tells it and they name nothing else, and
    what to say then.

    Nothing where its steps have more in them than things and places: an exception, a door, one of two oils.
    """
    for rule in rules:
        effect = read_effect(rule)
        if not isinstance(effect, Routine) or not (found := mention(effect.name, words)):
            continue
        besides = f"{words[: found.start()]} , {words[found.end() :]}"
        if not counts_in(besides) and not _is_otherwise(besides) and not any(_named(besides, scene)):
            plain = not _is_otherwise(effect.content) and not _has_any(effect.content, "further")
            goals = _goals([*_named(effect.content, scene)]) if plain else []
            return [*goals, written("say", f"That is the {effect.name}.")] if goals else []
    return []


def _goals(named: list["_Named"]) -> list[str]:
    """Return the goals of what steps name; nothing where that is not plain."""
    begins_with = named.pop(0).place if named and named[0].place else None
    goals, waiting, taken = list[str](), list[Thing](), set[str]()
    for one in named:
        if one.place:
            if not waiting:
                return []
            if all(thing.location == one.place.name for thing in waiting):
                continue  # that is where they are taken from
            goals += _brought(waiting, one.place)
            waiting = []
            continue
        free = [thing for thing in one.things if thing.name not in taken]
        if len(one.things) == 1 and not free:
            continue  # it is named twice
        if not free or one.are_of_several_kinds or one.number > len(free):
            return []
        waiting += free[: one.number or len(free)]
        taken |= {thing.name for thing in waiting}
    return goals + _brought(waiting, begins_with)


def _brought(things: Sequence[Thing], place: Location | None) -> list[str]:
    if place is None or place.kind == "person":
        return [written("bring", thing.name, place.name if place else SOMEBODY) for thing in things]
    return [written("put", thing.name, place.name) for thing in things]


def _is_otherwise(text: str) -> bool:
    """Return whether words say that something is not so, or stays."""
    return _has_any(text, "otherwise")


def _has_any(text: str, words: str) -> bool:
    return any(mention(word, text) for word in phrasebook()["routine"][words])


@dataclass(frozen=True)
class _Named:
    """A place, or things that one phrase names, in a text."""

    things: tuple[Thing, ...] = ()
    place: Location | None = None
    number: int = 0
    """So many of them; 0 for all."""

    @property
    def are_of_several_kinds(self) -> bool:
        """Return whether they are not each like the others, as cups with numbers are."""
        return len({tuple(_without_numbers(thing.name)) for thing in self.things}) > 1


def _without_numbers(name: str) -> list[str]:
    return [word for word in SEPARATORS.split(name) if not NUMBER.fullmatch(word)]


def _named(text: str, scene: Scene) -> Iterator[_Named]:
    """What a text names, in its order; of names at one place the longest."""
    at = 0
    while spans := [*_spans(text, at, scene)]:
        start, end = min(((start, end) for start, end, _, _ in spans), key=lambda span: (span[0], -span[1]))
        here = [(one, form) for first, last, one, form in spans if (first, last) == (start, end)]
        places = [one for one, _ in here if isinstance(one, Location)]
        things = sorted((one for one, _ in here if isinstance(one, Thing)), key=lambda thing: thing.name)
        if places:
            yield _Named(place=places[0])
        else:
            plural = end - start > max(len(form) for _, form in here)
            counts = counts_in(text[at:start])
            yield _Named(tuple(things), number=counts[-1] if counts else 0 if plural else 1)
        at = end


def _spans(text: str, at: int, scene: Scene) -> Iterator[tuple[int, int, Thing | Location, str]]:
    """Where each thing and place is first named behind a point, and as what."""
    named: list[tuple[Thing | Location, tuple[str, ...]]] = [
        *((thing, (thing.name, *thing.aliases)) for thing in scene.objects),
        *((place, (place.name, *place.aliases)) for place in scene.locations),
    ]
    for one, ways in named:
        for form in (form for way in ways for form in forms(way)):
            if found := mention(form, text[at:]):
                yield at + found.start(), at + found.end(), one, form
