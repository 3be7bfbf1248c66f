"""Which things of a scene the scope of a rule covers: by name, by kind, by what they look like."""

from collections.abc import Iterator
from functools import lru_cache

from daemon.lexicon.kinds import is_kind, qualities_of
from daemon.lexicon.look_words import COMMON, plain_look
from daemon.memory.rules import Scope
from daemon.names import KNOWN, SEPARATORS, called, spoken
from skills.scene import Scene, Thing

ANYTHING = "thing"
"""The kind of which everything is."""


def is_in(thing: Thing, scope: Scope) -> bool:
    """Return whether a thing is one of those that a scope is about, wherever it is."""
    if scope.look and plain_look(scope.look) not in looks_of(thing):
        return False
    if scope.object_class:
        return is_of_kind(thing, scope.object_class)
    return not scope.object or called(thing.name, scope.object) or scope.object in thing.aliases


def is_of_kind(thing: Thing, kind: str, usually: bool = False) -> bool:
    """Return whether a thing is one of a kind, as the scene has it or by its name, or by what that `usually` means."""
    if kind in ("", ANYTHING):
        return kind == ANYTHING
    names = (thing.name, *thing.aliases)
    return thing.category == kind.lower().strip() or any(is_kind(name, kind, usually) for name in names)


def looks_of(thing: Thing) -> frozenset[str]:
    """Return the words for its look: those before the noun in its names, its state, what such things are like."""
    named = (_looks_named(name) for name in (thing.name, *thing.aliases))
    return frozenset(map(plain_look, told_of(thing.state))).union(*named)


@lru_cache(KNOWN)
def _looks_named(name: str) -> frozenset[str]:
    before_the_noun = (word for word in SEPARATORS.split(spoken(name))[:-1] if word)
    return frozenset(map(plain_look, (*before_the_noun, *qualities_of(name))))


def known_looks(scene: Scene) -> frozenset[str]:
    """Return the looks that may be spoken of in front of a scene."""
    return COMMON | {look for thing in scene.objects for look in looks_of(thing)}


def told_of(state: dict[str, object]) -> Iterator[str]:
    """Yield the words of a state: those that are so."""
    for name, value in state.items():
        if value is True:
            yield name
        values = value if isinstance(value, list | tuple) else [value]
        yield from (word for word in values if isinstance(word, str))
