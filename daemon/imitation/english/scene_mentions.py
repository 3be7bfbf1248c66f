"""What is seen and who speaks; and what a sentence mentions of it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from daemon.console.learning.scope import looks_of
from daemon.memory.effects import HIGH_PLACE
from daemon.memory.rules import EVERYWHERE, Scope
from daemon.names import called, forms, mention, spoken
from skills.scene import Location, Scene, Thing

HIGH = 1.3
"""Metres above the floor from which on people want something to stand on."""
BESIDE = re.compile(
    r"\b(under|underneath|below|beneath|behind|beside|next to|in front of|near|inside)\s+(the\s+)?$", re.IGNORECASE
)


@dataclass(frozen=True)
class Situation:
    """What is seen, and who speaks."""

    scene: Scene
    person: str = ""

    def scopes(self, text: str) -> Iterator[Scope]:
        """Yield a Scope for each thing that a sentence is about."""
        for thing in mentioned_things(text, self.scene):
            for form in (*forms(thing.name), *thing.aliases):
                for look in ("", *looks_of(thing)):
                    yield Scope(object_class=thing.category, object=form, person=self.person, look=look)
        for match, place in mentioned_places(text, self.scene):
            if BESIDE.search(text[: match.start()]):
                continue
            names = [*forms(place.name), *place.aliases, *([HIGH_PLACE] if place.height >= HIGH else [])]
            yield from (Scope(place=name, person=self.person) for name in names)

    def covered_by(self, scope: Scope, text: str) -> bool:
        """Return whether a sentence is about something in this scope, at whatever time."""
        scope = replace(scope, time="")
        return scope == EVERYWHERE or any(scope.covers(here) for here in self.scopes(text))


def mentioned_things(text: str, scene: Scene) -> list[Thing]:
    """Return the objects that a sentence names, in its order; a category stands for all of it."""
    found = [(match, thing) for thing in scene.objects if (match := where_mentioned(thing, text))]
    exact = [(m, thing) for m, thing in found if not any(_within(m, other) for other, _ in found)]
    return [thing for _, thing in sorted(exact, key=lambda pair: pair[0].start())]


def mentioned_places(text: str, scene: Scene) -> list[tuple[re.Match[str], Location]]:
    """Return the places that a sentence names, the longest name for each."""
    found = []
    for place in scene.locations:
        if place.kind == "person":
            continue
        matches = [m for form in (*forms(place.name), *place.aliases) if (m := mention(form, text))]
        if matches:
            found.append((max(matches, key=lambda match: match.end() - match.start()), place))
    longest = max((match.end() - match.start() for match, _ in found), default=0)
    exact = [(m, p) for m, p in found if not any(_within(m, other) for other, _ in found)]
    return exact if longest else []


def _within(match: re.Match[str], other: re.Match[str]) -> bool:
    inside = other.start() <= match.start() and match.end() <= other.end()
    return inside and (other.end() - other.start()) > (match.end() - match.start())


def where_mentioned(thing: Thing, text: str) -> re.Match[str] | None:
    for phrase in (*forms(thing.name), *thing.aliases, thing.category):
        match = mention(phrase, text) if phrase else None
        if match and not (phrase == thing.category and text[: match.start()].endswith("to ")):
            return match
    return None


def named_things(text: str, scene: Scene) -> list[Thing]:
    """Return one thing for each phrase, as mentioned_things() does: a category stands for its first thing."""
    things: list[Thing] = []
    taken: list[tuple[int, int]] = []
    for thing in mentioned_things(text, scene):
        span = where_mentioned(thing, text).span()  # type: ignore[union-attr]
        if span not in taken:
            things.append(thing)
            taken.append(span)
    return things


def there(place: str, scene: Scene) -> str:
    """Return where things are that are put at a place: "in the fridge", "on the table"."""
    containers = [known for known in scene.locations if known.kind == "container"]
    return f"{'in' if any(called(known.name, place) for known in containers) else 'on'} the {spoken(place)}"


def listed(things: Iterable[Thing]) -> str:
    return " and ".join(f"the {spoken(thing.name)}" for thing in things)
