"""What things look like, by the words for it: "blue", "glass", "wet". From their names and what the scene says."""

import re
from collections.abc import Iterator

from daemon.lexicon.kinds import is_kind, qualities_of
from daemon.memory.rules import Scope
from daemon.names import SEPARATORS, called, head, mention, spoken
from skills.scene import Scene, Thing

COMMON = frozenset(
    {"red", "blue", "green", "yellow", "white", "black", "brown", "grey", "orange", "pink", "purple", "gold", "silver"}
    | {"wood", "glass", "metal", "steel", "plastic", "paper", "wool", "leather", "cotton", "china", "clay", "stone"}
    | {"wet", "dry", "hot", "cold", "dirty", "clean", "full", "empty", "broken", "sharp", "heavy", "fragile", "sticky"}
    | {"big", "small", "large", "round", "striped", "flowered", "open", "closed"}
)
"""Words for looks that are understood although nothing here looks like it now."""
ANYTHING = "thing"
"""The kind of which everything is."""
_SAME = {"wooden": "wood", "golden": "gold", "gray": "grey", "metallic": "metal", "woollen": "wool", "woolen": "wool"}


def plain_look(word: str) -> str:
    """The word by which a look is known: "wooden" and "gray" are "wood" and "grey"."""
    return _SAME.get(word.lower(), word.lower())


def looks_of(thing: Thing) -> frozenset[str]:
    """What is known of its look: the words before the noun in its names, its state, what such things are like."""
    words: list[str] = []
    for name in (thing.name, *thing.aliases):
        words += [word for word in SEPARATORS.split(spoken(name))[:-1] if word]
        words += qualities_of(name)
    words += _said_of(thing.state)
    return frozenset(map(plain_look, words))


def _said_of(state: dict[str, object]) -> Iterator[str]:
    for name, value in state.items():
        if value is True:
            yield name
        values = value if isinstance(value, list | tuple) else [value]
        yield from (word for word in values if isinstance(word, str))


def known_looks(scene: Scene) -> frozenset[str]:
    """The looks that may be spoken of in front of a scene."""
    return COMMON | {look for thing in scene.objects for look in looks_of(thing)}


def is_in(thing: Thing, scope: Scope) -> bool:
    """Whether a thing is one of those that a scope is about, wherever it is."""
    if scope.look and plain_look(scope.look) not in looks_of(thing):
        return False
    if scope.object_class:
        return is_of_kind(thing, scope.object_class)
    return not scope.object or called(thing.name, scope.object) or scope.object in thing.aliases


def is_of_kind(thing: Thing, kind: str) -> bool:
    """Whether a thing is one of a kind, as the scene has it or by its name."""
    if kind in ("", ANYTHING):
        return kind == ANYTHING
    return thing.category == kind.lower().strip() or any(is_kind(name, kind) for name in (thing.name, *thing.aliases))


def with_nouns(text: str, scene: Scene) -> str:
    """The text with "the gold one" as "the gold ribbon", where only one thing can be meant."""

    def named(match: re.Match[str]) -> str:
        alike = [thing for thing in scene.objects if plain_look(match["look"]) in looks_of(thing)]
        spoken_of = [thing for thing in alike if mention(head(thing.name), text)]
        meant = alike if len(alike) == 1 else spoken_of
        return f"the {spoken(meant[0].name)}" if len(meant) == 1 else match[0]

    return _ONE.sub(named, text)


def things_of_a_look(text: str, scene: Scene) -> Iterator[tuple[int, int, str]]:
    """The phrases that mean all things of a look, "nothing wet", "glass things", and the look."""
    looks = "|".join(sorted((re.escape(look) for look in {*known_looks(scene), *_SAME}), key=len, reverse=True))
    for form in _PHRASES:
        for match in re.finditer(form.format(looks=looks), text, re.IGNORECASE):
            yield match.start("all"), match.end("all"), plain_look(match["look"])


_MADE = (
    r"(?: (?:that|which)(?:'s| is| are)?| is| are)?(?: made)?(?: (?:out )?of| from)?"
    r"(?: (?:really|still|all|very|made of|real))*"
)
_PHRASES = (
    r"\b(?P<all>(?:something|anything|everything|things|stuff)" + _MADE + r" (?P<look>{looks}))\b(?! things?\b)",
    r"\bnothing (?P<all>" + r"(?:(?:that|which) is |made (?:out )?of )?(?P<look>{looks}))\b(?=\W|$)",
    r"\b(?P<all>(?P<look>{looks}) (?:things?|stuff|ones|objects|items|goods))\b",
)
_ONE = re.compile(r"\b(?:the|that|this|my|our) (?P<look>\w+) one\b(?!'s)", re.IGNORECASE)
