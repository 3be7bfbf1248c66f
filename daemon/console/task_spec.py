"""What a task is, read from a person's words: which things, what to do with each, in which order. Pure text and scene.

"fruits go to box 1; kitchenware and containers go to box 2; everything else stays on the table" has two parts.
Things are named, or said by their kind or colour.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daemon.console.raider.things import knowledge, words_of
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

    def things(self, scene: Scene) -> list[str]:
        """The names of what it is about, in the order of the kinds."""
        found = [thing.name for kind in self.kinds for thing in scene.objects if self._is(thing, kind)]
        return [name for name in dict.fromkeys(found) if name != self.target]

    def _is(self, thing: Thing, kind: str) -> bool:
        *adjectives, noun = words_of(kind) or ("thing",)
        full = " ".join([*adjectives, noun])
        if any(_is_called(thing, name) for name in (full, kind)):
            return True
        fits = noun in _ANYTHING or _is_called(thing, noun)
        return bool(adjectives or noun in _ANYTHING) and fits and all(self._has(thing, word) for word in adjectives)

    def _has(self, thing: Thing, word: str) -> bool:
        words = set(words_of(thing.name)) | {str(value).lower() for value in thing.state.values()}
        if word in ("coloured", "colored", "colourful", "colorful"):
            return bool(words & COLOURS - set(self.without))
        return word in words


def read_spec(spec: str, places: Sequence[str]) -> list[Part]:
    """The parts of a task; `places` are the names of those there are. Clauses that ask for nothing are left out."""
    without = tuple(word for match in _NOT_COUNTED.finditer(spec) for word in words_of(match[1]) if word in COLOURS)
    parts: list[Part] = []
    action = "put"
    for clause in _CLAUSES.split(spec):
        clause = _ASIDE.sub(" ", clause).strip(" ,.:")
        if not clause or _NOTHING.search(clause):
            continue
        said = next((name for name, pattern in _VERBS.items() if pattern.search(clause)), None)
        action = said or ("put" if _target_in(clause, places) else action)
        target = PERSON if action == "give" else "" if action == "point" else _target_in(clause, places)
        kinds = _kinds_in(clause, target)
        if kinds and (target or action == "point"):
            parts.append(Part(action, kinds, target, without))
    return parts


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
    return any(known.is_called(name, own) or known.is_kind(name, own) for own in names) or thing.category == name


COLOURS = frozenset(
    ["red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "grey", "silver", "black", "white"]
)
_ANYTHING = frozenset(["thing", "object", "item", "one", "stuff", "everything"])
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
