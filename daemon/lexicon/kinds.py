"""Of which kinds a thing is, by its name: words.txt says it of everyday things, WordNet of all others."""

from collections.abc import Set
from functools import lru_cache

from daemon.lexicon.word_meanings import Kind, Stems, lexicon, stems
from daemon.lexicon.wordnet import kinds_of
from daemon.names import forms, spoken

VESSELS = frozenset({"bowl", "can", "bottle", "jar", "tin", "shaker", "dispenser", "carton", "packet", "tub", "mill"})
"""Things that people call by what is in them."""


def is_kind(name: str, kind: str, usually: bool = False) -> bool:
    """Return whether a thing of this name is one of a kind, such as "drinks", "a power tool" or "reading matter".

    `usually`: by the most usual meanings of its words.
    """
    return stems(kind) in kinds_of_thing(name, usually) or stems(kind) in (stems(form) for form in forms(name))


@lru_cache(maxsize=4096)
def kinds_of_thing(name: str, usually: bool = False) -> frozenset[Stems]:
    """Every way to call the kinds of a thing, its own name left out: "utility-knife_0" is a knife, cutlery, a tool."""
    words = lexicon()
    own = unpacked(name)
    by_meaning = {stems(kind) for form in forms(" ".join(own)) for kind in kinds_of(form, usually)}
    kinds = [kind for kind in words.kinds.values() if not kind.is_property]
    kinds = [kind for kind in kinds if _is_one(kind.name, own) or _has(kind, by_meaning, own)]
    found = {noun for kind in kinds for noun in kind.nouns}
    return frozenset(found | by_meaning) - {stems(form) for form in forms(name)}


@lru_cache(maxsize=4096)
def qualities_of(name: str) -> frozenset[str]:
    """Return what is true of such things in general: a knife is sharp, tea is hot and liquid."""
    own = " ".join(unpacked(name))
    known = {*kinds_of_thing(name), *(stems(form) for form in forms(own))}
    said = set(stems(name))
    return frozenset(
        quality
        for quality, members in lexicon().qualities.items()
        if any(stems(member) in known for member in members)
        and not any(member.startswith("-") and set(stems(member)) <= said for member in members)
    )


def content_of(name: str) -> str:
    """Return what is in a thing that is named by that: "sugar" for a sugar bowl; "" for anything else."""
    *content, last = stems(spoken(name))
    return " ".join(content) if last in VESSELS else ""


def _is_one(kind: str, words: Stems) -> bool:
    return lexicon().typicality(kind, words) is not None and not lexicon().excludes(kind, words)


def _has(kind: Kind, by_meaning: Set[Stems], words: Stems) -> bool:
    """Return whether one of its members is a kind of the thing: a cookbook is a book, and so it is something to
    read.
    """
    return any(stems(member) in by_meaning for member in kind.members) and not lexicon().excludes(kind.name, words)


def unpacked(name: str) -> Stems:
    """Return its words without cans and boxes: a coke can is a coke."""
    words = stems(spoken(name))
    return tuple(word for word in words if word not in lexicon().packaging) or words
