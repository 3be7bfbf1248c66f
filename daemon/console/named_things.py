"""What a text names of the things and places that are here, one after the other."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from daemon.console.counts import counts_in
from daemon.names import NUMBER, SEPARATORS, forms, mention
from skills.scene import Location, Scene, Thing


@dataclass(frozen=True)
class Named:
    """A phrase that names a place, or things."""

    begin: int
    """Of its number, where it has one, else of the name."""
    start: int
    """Of the name."""
    end: int
    things: tuple[Thing, ...] = ()
    places: tuple[Location, ...] = ()
    number: int | None = None
    """So many of the things; None for all."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the things."""
        return tuple(thing.name for thing in self.things)

    @property
    def are_alike(self) -> bool:
        """Return whether any of the things will do, as of cups with numbers."""
        return len({tuple(_without_numbers(name)) for name in self.names}) <= 1


def named_in(text: str, scene: Scene) -> Iterator[Named]:
    """Yield what a text names, in its order; of names at one place the longest.

    A number counts for the next thing.
    """
    at = 0
    while spans := [*_spans(text, at, scene)]:
        start, end = min(((start, end) for start, end, _, _ in spans), key=lambda span: (span[0], -span[1]))
        here = [(one, form) for first, last, one, form in spans if (first, last) == (start, end)]
        numbers = [word for word in re.finditer(r"\w+", text[at:start]) if counts_in(word[0])]
        begin = at + numbers[-1].start() if numbers else start
        if places := tuple(one for one, _ in here if isinstance(one, Location)):
            yield Named(begin, start, end, places=places)
        else:
            things = sorted((one for one, _ in here if isinstance(one, Thing)), key=lambda thing: thing.name)
            is_plural = end - start > max(len(form) for _, form in here)
            number = counts_in(numbers[-1][0])[0] if numbers else None if is_plural else 1
            yield Named(begin, start, end, tuple(things), number=number)
        at = end


def _without_numbers(name: str) -> list[str]:
    return [word for word in SEPARATORS.split(name) if not NUMBER.fullmatch(word)]


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
