"""What there is, and which words mean it: the vocabulary of one scene."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from daemon.lexicon.kinds import kinds_of_thing, unpacked
from daemon.lexicon.word_meanings import Stems, lexicon, stems
from daemon.names import called, forms, spoken
from daemon.transcript import Step, literal

LOOKING = ("list_objects", "list_locations", "other_names")
EXACT, SHORTER, KIND, MODIFIER, ANYTHING = 0, 1, 2, 3, 4
"""How well a word fits a thing: its name, the end of its name, its kind, another word of its name, "thing"."""
BY_MEANING = KIND + 0.9
"""Of a thing whose kind only WordNet knows: after every typical one."""
NO_KIND = ("", "thing", "object", "unknown")
"""Categories that say nothing."""


@dataclass(frozen=True)
class Names:
    """What the transcript has shown so far: objects with category and location, places, and other names for them."""

    objects: tuple[tuple[str, str, str], ...] = ()
    """(name, category, location)"""
    places: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    """(what people also say, name)"""

    @classmethod
    def seen_in(cls, steps: Iterable[Step]) -> "Names":
        """Read from the results of list_objects(), list_locations() and other_names(); later ones win."""
        objects: tuple[tuple[str, str, str], ...] = ()
        places: dict[str, None] = {}
        aliases: dict[str, str] = {}
        for step in steps:
            value = literal(step.result) if step.called in LOOKING else None
            if step.called == "list_objects" and isinstance(value, list):
                objects = tuple((str(name), str(category), str(at)) for name, category, at in value)
            if step.called == "list_locations" and isinstance(value, list):
                places |= dict.fromkeys(map(str, value))
            if step.called == "other_names" and isinstance(value, dict):
                aliases |= value
        things = {name for name, *_ in objects}
        places |= dict.fromkeys(at for *_, at in objects if not at.endswith(" hand") and at not in things)
        return cls(objects, tuple(places), tuple(aliases.items()))

    @property
    def locations(self) -> dict[str, str]:
        """Name -> where it is."""
        return {name: location for name, _, location in self.objects}

    def place_of(self, name: str) -> str:
        """Return the place of an object, also of one that lies in another; any other name is returned as it is."""
        locations, seen = self.locations, {name}
        while name in locations and locations[name] not in seen:
            name = locations[name]
            seen.add(name)
        return name

    def counterpart(self, name: str) -> str | None:
        """Return what is called here as something elsewhere was: the trash may be the bin."""
        known = [name for name, *_ in self.objects] + list(self.places)
        if name in known:
            return name
        if alike := next((other for other in known if called(other, name)), None):
            return alike
        said = [phrase for phrases in lexicon().places.values() if stems(name) in phrases for phrase in phrases]
        meanings = (vocabulary(self).get(phrase) for phrase in [stems(name), *said])
        return next((place for meaning in meanings if meaning for place in meaning.places), None)


@dataclass(frozen=True)
class Meaning:
    """What a word or phrase may stand for in a scene."""

    objects: Mapping[str, float] = field(default_factory=dict)
    """Name -> how well it fits, the least best; of a kind, the more typical are better by hundredths."""
    places: Mapping[str, float] = field(default_factory=dict)
    is_purpose: bool = False
    """It asks for things only together with others: "something to eat"."""


@lru_cache(maxsize=256)
def vocabulary(names: Names) -> dict[Stems, Meaning]:
    """Return every phrase that means something in this scene, or that is known to mean something elsewhere."""
    objects: dict[Stems, dict[str, float]] = {phrase: {} for phrase in lexicon().things()}
    purposes: set[Stems] = set()
    for phrase, name, fit in _object_phrases(names):
        found = objects.setdefault(phrase, {})
        found[name] = min(fit, found.get(name, fit))
    called_so = {name: _unpacked(name, names) for name, *_ in names.objects}
    for kind in lexicon().kinds.values():
        ranked = {name: _typicality(kind.name, phrases) for name, phrases in called_so.items()}
        members = {name: KIND + rank / 100 for name, rank in ranked.items() if rank is not None}
        for phrase in (*kind.nouns, *kind.purposes):
            objects[phrase] = members | objects.get(phrase, {})
        purposes |= set(kind.purposes) - set(kind.nouns)
    for name, *_ in names.objects:
        for text in (spoken(name), *_aliases(name, names)):
            for phrase in kinds_of_thing(text) - lexicon().verb_stems:
                objects.setdefault(phrase, {}).setdefault(name, BY_MEANING)
    for phrase in ((word,) for word in EVERYTHING):
        objects[phrase] = {name: ANYTHING for name, *_ in names.objects}
    places: dict[Stems, dict[str, float]] = {}
    for phrase, name, fit in _place_phrases(names):
        found = places.setdefault(phrase, {})
        found[name] = min(fit, found.get(name, fit))
    own = {phrase for phrase, _, fit in _object_phrases(names) if fit <= SHORTER}
    return {
        phrase: Meaning(objects.get(phrase, {}), places.get(phrase, {}), phrase in purposes - own)
        for phrase in objects.keys() | places.keys()
        if phrase
    }


EVERYTHING = ("something", "anything", "everything", "item", "thing", "object", "stuff", "product")
EVERYWHERE = ("location", "everywhere", "station", "spot", "room")


def kind_of(name: str) -> str:
    """Return its name without numbers: coke_1 and coke_2 are two of a kind."""
    return spoken(name)


def _object_phrases(names: Names) -> Iterable[tuple[Stems, str, float]]:
    packaging = lexicon().packaging
    for name, category, _ in names.objects:
        exact, *shorter = forms(name)
        yield stems(exact), name, EXACT
        yield stems(spoken(name)), name, EXACT
        yield from ((stems(form), name, SHORTER) for form in shorter if form not in PARTICLES)
        if category not in NO_KIND:
            yield stems(category), name, KIND
        for alias in _aliases(name, names):
            yield stems(alias), name, EXACT
            yield tuple(word for word in stems(alias) if word not in packaging), name, SHORTER
        words = {word for text in (name, *_aliases(name, names)) for word in stems(text)} - packaging
        yield from (((word,), name, MODIFIER) for word in words if len(word) > 2 and not word.isdigit())


def _place_phrases(names: Names) -> Iterable[tuple[Stems, str, float]]:
    for name in names.places:
        exact, *shorter = forms(name)
        yield stems(exact), name, EXACT
        yield stems(spoken(name)), name, EXACT
        yield from ((stems(form), name, SHORTER) for form in shorter)
        yield from ((stems(alias), name, EXACT) for alias in _aliases(name, names) if alias not in PRONOUNS)
        yield from ((phrase, name, KIND) for phrase in lexicon().places.get(name, ()))
        yield from (((word,), name, ANYTHING) for word in EVERYWHERE)


PARTICLES = ("up", "down", "on", "off", "out", "in")
"""Ends of names that are no nouns: "seven up" is never "up"."""
PRONOUNS = ("me", "you", "us", "him", "her", "them", "human")


def _aliases(name: str, names: Names) -> list[str]:
    return [alias for alias, of in names.aliases if of == name]


def _unpacked(name: str, names: Names) -> list[Stems]:
    """Return all that a thing is called, without bottles and boxes."""
    return [unpacked(text) for text in (name, *_aliases(name, names))]


def _typicality(kind: str, called_so: Sequence[Stems]) -> int | None:
    if any(lexicon().excludes(kind, words) for words in called_so):
        return None
    ranks = [rank for words in called_so if (rank := lexicon().typicality(kind, words)) is not None]
    return min(ranks, default=None)
