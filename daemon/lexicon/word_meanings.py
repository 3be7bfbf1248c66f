"""What words mean in general, apart from any scene: kinds and properties of things, verbs. Read from words.txt."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from daemon.lexicon.inflection import singular

Stems = tuple[str, ...]
"""Words in lower case and in the singular."""
WORD = re.compile(r"[A-Za-z0-9&]+(?:'[a-z]+)?")


@dataclass(frozen=True)
class Kind:
    """A class of things, such as drinks, or a property, such as being sugary."""

    name: str
    nouns: tuple[Stems, ...]
    """The ways to name it: "a beverage"."""
    purposes: tuple[Stems, ...]
    """The ways to ask for it: "something refreshing", "something to sip"."""
    members: tuple[str, ...]
    """Words and other kinds, the most typical first; with a minus those that are not."""
    is_property: bool

    @cached_property
    def without(self) -> tuple[Stems, ...]:
        """Words that say of a thing that it is none of this kind after all, as "diet" does."""
        return tuple(stems(member[1:]) for member in self.members if member.startswith("-"))


@dataclass(frozen=True)
class Lexicon:
    """Everything that words.txt says."""

    kinds: Mapping[str, Kind]
    qualities: Mapping[str, tuple[str, ...]]
    """What is true of such things in general: sharp -> knife, scissors ...; with a minus, what is not."""
    places: Mapping[str, tuple[Stems, ...]]
    """What else a place is called: trash -> bin, garbage can, ..."""
    packaging: frozenset[str]
    """A coke can is a coke."""
    verbs: Mapping[str, tuple[str, ...]]
    """What else people say for a verb: throw away -> toss, get rid of, ..."""
    scales: tuple[tuple[str, ...], ...]
    """Words of which one stands in place of another: left, right, top, bottom."""

    def typicality(self, kind: str, words: Stems) -> int | None:
        """Return how far down the list of its kind a thing of this name stands, 0 for the most typical; None for no
        member.
        """
        described = self.kinds[kind]
        for rank, member in enumerate(described.members):
            if member != kind and member in self.kinds and self.typicality(member, words) is not None:
                return rank
            if _within(stems(member), words) if described.is_property else _ends(stems(member), words):
                return rank
        return None

    def excludes(self, kind: str, words: Stems) -> bool:
        """Return whether a name says that the thing is none of this kind after all."""
        return any(_within(word, words) for word in self.kinds[kind].without)

    def degrees(self, text: str) -> list[tuple[int, str]]:
        """The words of scales in a text, in its order, each with the number of its scale."""
        found = []
        for number, scale in enumerate(self.scales):
            pattern = rf"\b(?:{'|'.join(map(re.escape, scale))})\b"
            found += [(match.start(), number, match[0]) for match in re.finditer(pattern, text)]
        return [(number, word) for _, number, word in sorted(found)]

    @cached_property
    def verb_stems(self) -> frozenset[Stems]:
        """Every word for something to do."""
        return frozenset(stems(word) for plain, others in self.verbs.items() for word in (plain, *others))

    def things(self) -> Iterator[Stems]:
        """The names of all things that it knows of."""
        for kind in self.kinds.values():
            if not kind.is_property:
                yield from (stems(member) for member in kind.members)


@cache
def lexicon() -> Lexicon:
    """The lexicon that is shipped."""
    sections: dict[str, list[list[str]]] = {}
    for line in files("daemon.lexicon").joinpath("words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            rows = sections.setdefault(line.strip("[]"), [])
        elif line.strip() and not line.startswith("#"):
            rows.append([column.strip() for column in line.split("|")])
    kinds = {}
    for section in ("kinds", "properties"):
        for name, nouns, purposes, members in sections[section]:
            named = () if section == "properties" else (stems(name),)
            kinds[name] = Kind(
                name, (*named, *_phrases(nouns)), tuple(_phrases(purposes)), _listed(members), section == "properties"
            )
    return Lexicon(
        kinds,
        {name: _listed(members) for name, members in sections["qualities"]},
        {name: (stems(name), *_phrases(words)) for name, words, *_ in sections["places"]},
        frozenset(word for row in sections["packaging"] for word in _listed(row[0])),
        {plain: _listed(others) for plain, others in sections["verbs"]},
        tuple(_listed(row[0]) for row in sections["scales"]),
    )


@lru_cache(maxsize=8192)
def stems(text: str) -> Stems:
    """The words of a text in lower case and in the singular."""
    return tuple(singular(word) for word in WORD.findall(text.replace("_", " ").replace("-", " ")))


def _listed(column: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in column.split(",") if part.strip())


def _phrases(column: str) -> tuple[Stems, ...]:
    return tuple(stems(part) for part in _listed(column))


def _ends(part: Stems, words: Stems) -> bool:
    return bool(part) and words[-len(part) :] == part


def _within(part: Stems, words: Stems) -> bool:
    return any(words[i : i + len(part)] == part for i in range(len(words) - len(part) + 1)) if part else False
