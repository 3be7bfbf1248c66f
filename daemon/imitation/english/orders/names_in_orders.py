"""Where a text names things of a scene, however it names them: by name, compound, kind, part of a name, or misspelt.

with_tokens() puts a short token in the place of each, "T0", so that what is said about them can be read by its words
alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz

from daemon.imitation.english.orders.order_reader import STATES
from daemon.lexicon.thing_knowledge import knowledge, spoken_name, without_number, words_of

MISSPELT = 86.0
"""Least similarity, of 100, at which a word that names nothing here is taken for a name that was heard wrongly."""
LONGEST = 5
"""Words in a name."""
TOLD_APART = 5
"""Letters below which a word is too short to be somebody's slip for another."""


@dataclass(frozen=True)
class Look:
    """What a thing is like at first sight."""

    name: str
    properties: frozenset[str] = frozenset()
    state: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    """What else it is called, and its category."""
    held: bool = False


@dataclass(frozen=True)
class Naming:
    """Naming: words of a text that name one or several things of a scene."""

    start: int
    end: int
    """Within the words of the text."""
    said: str
    names: tuple[str, ...]
    exact: bool = True
    """By a name; else by a kind, a part of the name, or misspelt."""

    @property
    def noun(self) -> str:
        """The words by which the things are found again: what was said, or what they are all called."""
        if any(knowledge().is_called(self.said, name) for name in self.names):
            return self.said
        called = {" ".join(without_number(name)) for name in self.names}
        return called.pop() if len(called) == 1 else self.said


def namings_in(words: Sequence[str], looks: Sequence[Look]) -> list[Naming]:
    """Return all namings in a text, in its order; of those that overlap the longest, of a thing the most exact."""
    found: list[Naming] = []
    taken = {place for place, word in enumerate(words) if not word[0].isalnum()}
    for by in (_by_name, _by_kind, _by_part):
        for length in range(min(LONGEST, len(words)), 0, -1):
            for start in range(len(words) - length + 1):
                end = start + length
                if taken & set(range(start, end)) or not _is_noun_at(words, start, end):
                    continue
                if by is not _by_name and _only_tells(words, start, end):
                    continue
                names = by(words[start:end], looks)
                if names:
                    taken |= set(range(start, end))
                    found.append(Naming(start, end, " ".join(words[start:end]), names, by is _by_name))
    named = {name for naming in found if naming.exact for name in naming.names}
    kept = [one for one in found if one.exact or not set(one.names) <= named or _is_kind(one)]
    return sorted(kept, key=lambda naming: naming.start)


def with_tokens(words: Sequence[str], namings: Sequence[Naming]) -> list[str]:
    """Return the words with tokens for what is named."""
    tokens = list(words)
    for number, naming in reversed(list(enumerate(namings))):
        tokens[naming.start : naming.end] = [f"T{number}"]
    return tokens


def attributes(looks: Sequence[Look]) -> frozenset[str]:
    """Return the words that tell here what a thing is like."""
    told = {str(value).lower() for look in looks for value in look.state.values() if isinstance(value, str)}
    keys = {key.lower() for look in looks for key in look.state}
    return frozenset({*knowledge().qualities, *STATES, *told, *keys, *_DEGREES})


def _by_name(words: Sequence[str], looks: Sequence[Look]) -> tuple[str, ...]:
    said = " ".join(words)
    exact = [look.name for look in looks if words_of(said) in (words_of(look.name), without_number(look.name))]
    if exact:
        return tuple(exact)
    if called := [look.name for look in looks if knowledge().is_called(said, look.name) or said in look.also]:
        return tuple(called)
    joined = "".join(words_of(said))
    return tuple(look.name for look in looks if len(joined) > 3 and joined in _compounds(without_number(look.name)))


def _by_kind(words: Sequence[str], looks: Sequence[Look]) -> tuple[str, ...]:
    said = " ".join(words)
    return tuple(look.name for look in looks if knowledge().is_kind(said, look.name))


def _by_part(words: Sequence[str], looks: Sequence[Look]) -> tuple[str, ...]:
    """By some word of the name, the end of one, or one that was heard wrongly."""
    joined = "".join(words_of(" ".join(words)))
    if len(words) > 2 or len(joined) < 3:
        return ()
    if len(words) == 1:
        for fits in (_is_a_word_of, _ends_a_word_of):
            if names := tuple(look.name for look in looks if fits(joined, without_number(look.name))):
                return names
    if len(joined) < TOLD_APART:
        return ()
    return tuple(
        look.name
        for look in looks
        if any(fuzz.ratio(joined, form) >= MISSPELT for form in _compounds(without_number(look.name)))
    )


def _is_a_word_of(said: str, name: tuple[str, ...]) -> bool:
    return len(name) > 1 and said in name


def _ends_a_word_of(said: str, name: tuple[str, ...]) -> bool:
    """ "Tub" for the bathtub, and "cooking pot" for the pot."""
    end = name[-1]
    return (len(said) > 2 and end.endswith(said) and len(end) - len(said) > 2) or (len(end) > 3 and said.endswith(end))


def _compounds(name: tuple[str, ...]) -> Iterator[str]:
    """Yield a name and its ends, written in one word."""
    return ("".join(name[start:]) for start in range(len(name)))


def _is_kind(naming: Naming) -> bool:
    return any(knowledge().is_kind(naming.said, name) for name in naming.names)


def _only_tells(words: Sequence[str], start: int, end: int) -> bool:
    """Return whether a word only tells what a thing is like, as "oak" does: where the thing itself follows."""
    if end - start > 1 or not {words[start]} & (knowledge().qualities.keys() | STATES.keys()):
        return False
    return end < len(words) and words[end][0].isalnum()


def _is_noun_at(words: Sequence[str], start: int, end: int) -> bool:
    """Return whether words stand where a thing is named, and are no verb there: "can" in "the can"."""
    if end - start > 1:
        return not set(words[start:end]) & _NEVER_PART
    word = words[start]
    if word in _NEVER_PART or word in _NEVER_ALONE:
        return False
    if word not in _ALSO_VERBS:
        return True
    before = words[start - 1] if start else ""
    return before in DETERMINERS or before in knowledge().qualities or before in STATES


DETERMINERS = frozenset(
    """the a an my our your his her its their this that these those some any every each another other which whose
    either one whichever whatever no two three four both""".split()  # noqa: SIM905
)
_ALSO_VERBS = frozenset(
    """can watch saw iron light lights lift ring drill file level plane fan cover clip plug brush rake shovel plant
    vacuum hand pass set slide cut drop load store place rest fire drink hook mark nail note face form cook dress lock
    park press pump rock roll rule screw spray stamp stick strap switch left right back close open clean dry empty check
    charge mind will second minute kind sort match""".split()  # noqa: SIM905
)
"""Nouns that may be verbs, or something else: they name a thing only behind an article or the like."""
_NEVER_PART = frozenset(
    """i we you he she it they me us him them and or but so if when the a an is are was were be been to of for with at
    in on from by not do does did have has had what who that this there here up down out off over under me would could
    should can't will please""".split()  # noqa: SIM905
)
_NEVER_ALONE = frozenset("thing things one ones something anything whatever stuff item object hold go come".split())  # noqa: SIM905
_DEGREES = frozenset(
    """nearest closest farthest furthest first second third fourth fifth sixth last top bottom upper lower uppermost
    topmost lowest""".split()  # noqa: SIM905
)


def looked_at(name: str, properties: Sequence[str], state: Mapping[str, Any], also: Sequence[str], held: bool) -> Look:
    """Return a thing as the tools tell of it."""
    return Look(name, frozenset(properties), state, tuple(spoken_name(other) for other in also), held)
