"""What everybody knows about the things of a home. Read from things.txt; knows nothing of any one scene."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from daemon.lexicon.inflection import singular, stem
from daemon.lexicon.small_words import small_words
from daemon.lexicon.wordnet import uses_of

Words = tuple[str, ...]
"""Lower case, singular."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_WORD = re.compile(r"[a-z0-9]+")
BY_DEFINITION = 0.9
"""What a dictionary says a thing is for counts a little less than what things.txt says."""


@dataclass(frozen=True)
class Knowledge:
    """Everything that things.txt says, by the words of names."""

    kinds: Mapping[Words, tuple[Words, ...]]
    """A kind, by each of its names, and its members."""
    same: Mapping[Words, Words]
    """Another word -> the word."""
    purposes: Mapping[Words, tuple[Words, ...]]
    materials: Mapping[Words, tuple[Words, ...]]
    qualities: Mapping[str, tuple[str, str]]
    """A word for what a thing is like -> which quality it tells of, and the usual word: ("size", "big")."""
    places: Mapping[Words, tuple[Words, ...]]
    never: tuple[tuple[Words, Words, str], ...]
    """(what, sort of place, why)"""
    blades: Mapping[str, tuple[Words, ...]]
    """A tool that cuts -> what it is for, where that is no knife."""
    single: tuple[Words, ...]
    carriers: tuple[Words, ...]
    deep: tuple[Words, ...]
    risky: tuple[Words, ...]
    heavy: tuple[Words, ...]

    def is_kind(self, kind: str | Words, name: str) -> bool:
        """Return whether a thing of this name is of a kind, a material or a sort of place: an apple is a fruit."""
        return _belongs(self, _words(kind), words_of(name))

    def is_any_of(self, members: Iterable[Words], name: str) -> bool:
        """Return whether a thing of this name is one of these things or kinds."""
        return any(self.is_called(member, name) or self.is_kind(member, name) for member in members)

    def is_called(self, said: str | Words, name: str) -> bool:
        """Return whether people may call a thing of this name so: its name, the end of it, or another word for it."""
        return _is_called_cached(_words(said), name)

    def forbids(self, thing: str, place: str) -> str:
        """Return why a thing must not go to a place; "" where nothing speaks against it."""
        for what, where, why in self.never:
            if self.is_any_of([what], thing) and self.is_kind(where, place):
                return why
        return ""

    def purpose_fit(self, phrase: str, name: str) -> float:
        """Return how well a description of what it is for fits a thing, from 0 to 1: "makes coffee", a coffee
        machine.
        """
        wanted = list(
            dict.fromkeys(
                stem(word) for word in words_of(phrase) if not {word, stem(word)} & small_words("tells no purpose")
            )
        )
        if not wanted:
            return 0.0
        weights = dict.fromkeys(wanted, 1.0) | {wanted[0]: 1.1}  # the verb: of two things it tells more than the noun
        known, defined = _good_for(name), _defined_as_for(name)
        credit = {word: 1.0 if word in known else BY_DEFINITION if word in defined else 0.0 for word in wanted}
        return sum(weights[word] * credit[word] for word in wanted) / sum(weights.values())

    def is_like(self, word: str, told: Iterable[str]) -> bool | None:
        """Return whether a thing of which this is told is as a word says: red; None where nothing tells of it."""
        quality, usual = self.qualities.get(word, ("", word))
        values = {self.qualities.get(part, ("", part)) for text in told for part in _WORD.findall(text.lower())}
        if (quality, usual) in values:
            return True
        return False if quality and any(other == quality for other, _ in values) else None

    def forms(self, words: Words) -> list[Words]:
        """The words, and the same without a number at the end, each also with the usual word for it."""
        plain = words[:-1] if len(words) > 1 and words[-1].isdigit() else words
        forms = [words, plain]
        return [*forms, *(self.same[form] for form in forms if form in self.same)]


def spoken_name(name: str) -> str:
    """A name as people say it: StoveBurner_4 is the stove burner 4."""
    return " ".join(re.sub(r"[\s_-]+", " ", _CAMEL.sub(" ", name)).lower().split())


@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """The words of a name or phrase in lower case and in the singular."""
    return tuple(singular(word) for word in _WORD.findall(spoken_name(text)))


def without_number(name: str) -> Words:
    """Return the words of a name, without the number that tells it from its like."""
    words = words_of(name)
    return words[:-1] if len(words) > 1 and words[-1].isdigit() else words


@cache
def knowledge() -> Knowledge:
    """Return what is shipped."""
    sections: dict[str, list[list[str]]] = {}
    for line in files("daemon.lexicon").joinpath("things.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            rows = sections.setdefault(line.strip("[]"), [])
        elif line.strip() and not line.startswith("#"):
            rows.append([column.strip() for column in line.split("|")])
    kinds: dict[Words, tuple[Words, ...]] = {}
    for name, others, members in sections["kinds"]:
        kinds |= dict.fromkeys([words_of(name), *_listed(others)], tuple(_listed(members)))
    return Knowledge(
        kinds,
        {other: words_of(word) for word, others in sections["same"] for other in _listed(others)},
        _table(sections["purposes"]),
        _table(sections["materials"]),
        {
            word: (quality, usual)
            for quality, usual, others in sections["qualities"]
            for word in [usual, *(other.strip() for other in others.split(",") if other.strip())]
        },
        _table(sections["places"]),
        tuple((words_of(what), words_of(where), why) for what, where, why in sections["never"]),
        {blade: tuple(_listed(members)) for blade, members in sections["cut with"]},
        *(tuple(_listed(sections[name][0][0])) for name in ("one at a time", "carriers", "deep", "risky", "heavy")),
    )


def _table(rows: list[list[str]]) -> dict[Words, tuple[Words, ...]]:
    return {words_of(name): tuple(_listed(members)) for name, members in rows}


def _listed(column: str) -> Iterator[Words]:
    return (words_of(part) for part in column.split(",") if part.strip())


def _words(said: str | Words) -> Words:
    return words_of(said) if isinstance(said, str) else said


@lru_cache(maxsize=32768)
def _is_called_cached(said: Words, name: str) -> bool:
    known = knowledge()
    return any(_ends(form, other) for form in known.forms(said) for other in known.forms(words_of(name)))


@lru_cache(maxsize=4096)
def _good_for(name: str) -> frozenset[str]:
    """The stems of the words for what a thing is for, and of its own."""
    purposes = (p for thing, told in knowledge().purposes.items() if knowledge().is_called(thing, name) for p in told)
    return frozenset(stem(word) for words in (*purposes, words_of(name)) for word in words)


@lru_cache(maxsize=4096)
def _defined_as_for(name: str) -> frozenset[str]:
    """The stems of the words in which a dictionary says what such a thing is for; of the longest part of its name."""
    words = words_of(name)
    parts = (" ".join(words[start:]) for start in range(len(words)))
    return frozenset(map(stem, next(filter(None, map(uses_of, parts)), ())))


@lru_cache(maxsize=16384)
def _belongs_cached(kind: Words, name: Words) -> bool:
    known = knowledge()
    members = known.kinds.get(kind) or known.materials.get(kind) or known.places.get(kind)
    return members is not None and _is_member(known, members, name, {kind})


def _is_member(known: Knowledge, members: Iterable[Words], name: Words, seen: set[Words]) -> bool:
    """Return whether one of the members of a kind is the thing, or a kind itself that the thing is of.

    No sort of place: water is a drink, and the sink is where water is, but no drink. Each kind is looked into once,
    so that two that name each other end.
    """
    for member in members:
        if member in seen:
            continue
        if known.is_called(member, " ".join(name)):
            return True
        inner = known.kinds.get(member)
        if inner and _is_member(known, inner, name, seen | {member}):
            return True
    return False


def _belongs(known: Knowledge, kind: Words, name: Words) -> bool:
    return _belongs_cached(kind, name)


def _ends(said: Words, name: Words) -> bool:
    """Return whether a phrase is the name or the end of it; a number at the end may be left out."""
    return bool(said) and (name[-len(said) :] == said)
