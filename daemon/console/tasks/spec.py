"""What a task is, read from a person's words: which things, what to do with each, in which order. Pure text and scene.

"fruits go to box 1; kitchenware and containers go to box 2; everything else stays on the table" has two parts.
Things are named, or said by their kind or colour.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daemon.console.raider.things import knowledge, words_of
from daemon.lexicon.kinds import is_kind, kinds_of_thing, qualities_of
from daemon.lexicon.words import lexicon, stems
from skills.scene import Scene, Thing

PERSON = "person"


@dataclass(frozen=True)
class Part:
    """One thing to do with all of some things, before the next part."""

    action: str
    """put, give or point."""
    kinds: tuple[str, ...]
    """What the things are called, or are: "yellow object", "jello"."""
    target: str = ""
    """A place; the person for give."""
    without: tuple[str, ...] = ()
    """Words that do not count: black and white are no colours of a coloured cube."""

    def things(self, kind: str, scene: Scene) -> list[str]:
        """The names of what there is of one of its kinds."""
        return [thing.name for thing in scene.objects if thing.name != self.target and self._is(thing, kind)]

    def _is(self, thing: Thing, kind: str) -> bool:
        adjectives, noun = _read_kind(kind)
        if any(_is_called(thing, name) for name in (" ".join([*adjectives, noun]), kind)):
            return True
        fits = noun in _ANYTHING or _is_called(thing, noun)
        return bool(adjectives or noun in _ANYTHING) and fits and all(self._has(thing, word) for word in adjectives)

    def _has(self, thing: Thing, word: str) -> bool:
        words = set(words_of(thing.name)) | {str(value).lower() for value in thing.state.values()}
        if word in _COLOURED:
            return bool(words & COLOURS - set(self.without))
        return word in words or word in qualities_of(thing.name)


@dataclass(frozen=True)
class Spec:
    """A task as it was read."""

    parts: tuple[Part, ...]
    unread: tuple[str, ...] = ()
    """Clauses that ask for something which could not be made out."""


def read_spec(spec: str, places: Sequence[str]) -> Spec:
    """What a task is; `places` are the names of those there are. Clauses that ask for nothing are left out."""
    without = tuple(word for match in _NOT_COUNTED.finditer(spec) for word in words_of(match[1]) if word in COLOURS)
    parts: list[Part] = []
    unread: list[str] = []
    action = "put"
    for said_clause in _CLAUSES.split(spec):
        clause = _ASIDE.sub(" ", said_clause).strip(" ,.:")
        if not clause or _NOTHING.search(clause):
            continue
        said = next((name for name, pattern in _VERBS.items() if pattern.search(clause)), None)
        action = said or ("put" if _target_in(clause, places) else action)
        target = PERSON if action == "give" else "" if action == "point" else _target_in(clause, places)
        kinds = _kinds_in(clause, target)
        if kinds and (target or action == "point"):
            parts.append(Part(action, kinds, target, without))
        else:
            unread.append(said_clause.strip(" ,.:"))
    return Spec(tuple(parts), tuple(unread))


def is_plain(kind: str) -> bool:
    """Whether words for things are a kind or a name that code can hold against a scene: no "things that break"."""
    adjectives, noun = _read_kind(kind)
    known = knowledge()
    looks = {*COLOURS, *_COLOURED, *known.qualities, *lexicon().qualities}
    if all(word in looks for word in adjectives):
        return noun in _ANYTHING or _is_known(noun)
    return noun not in _ANYTHING and _is_known(kind)


def _is_known(noun: str) -> bool:
    words = words_of(noun)
    return words in knowledge().kinds or words in knowledge().same or bool(kinds_of_thing(noun)) or _is_kind_name(noun)


def _is_kind_name(noun: str) -> bool:
    return any(stems(noun) in kind.nouns for kind in lexicon().kinds.values())


def _read_kind(kind: str) -> tuple[list[str], str]:
    """Adjectives and noun: "sharp thing", and "anything sharp"."""
    words = list(words_of(kind)) or ["thing"]
    if words[0] in _ANYTHING:
        words.append(words.pop(0))
    return words[:-1], words[-1]


def _target_in(clause: str, places: Sequence[str]) -> str:
    words = " ".join(words_of(clause))
    if _STACK.search(clause):
        return next((place for place in places if words_of(place)[-1] in ("tower", "stack", "pile")), "")
    named = [place for place in places if re.search(rf"\b{re.escape(' '.join(words_of(place)))}\b", words)]
    return max(named, key=len, default="")


def _kinds_in(clause: str, target: str) -> tuple[str, ...]:
    if ":" in clause:
        clause = clause.rpartition(":")[2]
    bare = re.sub(rf"\b{'[ _]'.join(map(re.escape, words_of(target)))}\b", " ", clause) if target else clause
    bare = _FILLERS.sub(" ", bare.lower())
    return tuple(kind for part in re.split(r",|\band\b", bare) if (kind := " ".join(words_of(part))))


def _is_called(thing: Thing, name: str) -> bool:
    known = knowledge()
    names = (thing.name, *thing.aliases)
    said = any(known.is_called(name, own) or known.is_kind(name, own) or is_kind(own, name) for own in names)
    return said or thing.category == name


COLOURS = frozenset(
    ["red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "grey", "silver", "black", "white"]
)
_COLOURED = frozenset(["coloured", "colored", "colourful", "colorful"])
_ANYTHING = frozenset(["thing", "object", "item", "one", "stuff", "everything", "anything", "something"])
_CLAUSES = re.compile(r";|\.\s|,?\s*\bthen\b,?")
_ASIDE = re.compile(
    r",?\s*\b(?:when (?:all|every)\b[^,;]*,?|one by one|one after (?:the other|another)|(?:in )?any order|nothing else"
    r"|exactly the ingredients (?:of|for)\b[^:;]*(?=:))"
)
_NOTHING = re.compile(r"\b(?:stays?|remains?|leave|do(?:es)? not|don't|nothing|nowhere)\b", re.IGNORECASE)
_NOT_COUNTED = re.compile(r"([\w ,]+?) (?:do|does) not count", re.IGNORECASE)
_STACK = re.compile(r"\b(?:stack|pile|tower)\b", re.IGNORECASE)
_VERBS = {
    "point": re.compile(r"\bpoint\b", re.IGNORECASE),
    "give": re.compile(r"\b(?:hand over|hand|give|bring|pass|serve)\b", re.IGNORECASE),
}
_FILLERS = re.compile(
    r"\b(?:first|finally|next|only|just|all|each|every|the|a|an|some|my|please|exactly|at|in|into|on|onto|to|go|goes"
    r"|belong|belongs|come|comes|put|place|move|sort|stack|pile|point|hand over|hand|give|bring|pass|serve|me|them|it"
    r"|over|up)\b"
)
