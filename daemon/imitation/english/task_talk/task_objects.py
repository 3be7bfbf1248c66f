"""Which things of a scene the words of a task mean: by name, kind, looks, and what one does with them."""

from collections.abc import Set

from daemon.imitation.english.orders.order_reader import read_phrase
from daemon.lexicon.kinds import is_kind, kinds_of_thing, qualities_of
from daemon.lexicon.thing_knowledge import knowledge, words_of
from daemon.lexicon.word_meanings import lexicon, stems
from skills.scene import Scene, Thing

COLOURS = frozenset(
    ["red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "grey", "silver", "black", "white"]
)
FITS = 0.5
"""Share of a purpose for which a thing must be good."""


def things_of(kind: str, scene: Scene, without: Set[str] = frozenset()) -> list[str]:
    """The names of what there is of a kind, such as "yellow object"; `without` are colours that do not count as any."""
    phrase = read_phrase(kind)
    if phrase.purpose:
        fits = [thing for thing in scene.objects if _is_for(thing, phrase.purpose)]
    else:
        kind = phrase.noun if " made " in kind else kind
        fits = [thing for thing in scene.objects if _is(thing, kind, without)]
    return [thing.name for thing in fits]


def is_plain(kind: str) -> bool:
    """Return whether words for things are a kind or a name that code can hold against a scene: no "things that
    break".
    """
    adjectives, noun = _read(kind)
    looks = {*COLOURS, *_COLOURED, *knowledge().qualities, *lexicon().qualities}
    if all(word in looks for word in adjectives):
        return noun in _ANYTHING or _is_known(noun)
    return noun not in _ANYTHING and _is_known(kind)


def _is(thing: Thing, kind: str, without: Set[str]) -> bool:
    adjectives, noun = _read(kind)
    if any(_is_called(thing, name) for name in (" ".join([*adjectives, noun]), kind)):
        return True
    if not adjectives and knowledge().qualities.get(noun, ("",))[0] == "material":
        return noun in words_of(thing.name)  # a cardboard tube
    fits = noun in _ANYTHING or _is_called(thing, noun)
    return bool(adjectives or noun in _ANYTHING) and fits and all(_has(thing, word, without) for word in adjectives)


def _is_for(thing: Thing, purpose: str) -> bool:
    named = [thing.name, *thing.aliases]
    fit = max(knowledge().purpose_fit(purpose, name) for name in named)
    return fit >= FITS or any(knowledge().is_kind(f"something to {purpose}", name) for name in named)


def _is_called(thing: Thing, name: str) -> bool:
    known = knowledge()
    names = (thing.name, *thing.aliases)
    said = any(known.is_called(name, own) or known.is_kind(name, own) or is_kind(own, name) for own in names)
    return said or thing.category == name


def _has(thing: Thing, word: str, without: Set[str]) -> bool:
    words = set(words_of(thing.name)) | {str(value).lower() for value in thing.state.values()}
    if word in _COLOURED:
        return bool(words & COLOURS - without)
    return word in words or word in qualities_of(thing.name) or knowledge().is_kind(word, thing.name)


def _read(kind: str) -> tuple[list[str], str]:
    """Adjectives and noun: "sharp thing", "anything sharp", and "red" alone."""
    words = list(words_of(kind)) or ["thing"]
    if words[0] in _ANYTHING:
        words.append(words.pop(0))
    if words[-1] in COLOURS - {"orange"}:  # a fruit
        words.append("thing")
    return words[:-1], words[-1]


def _is_known(noun: str) -> bool:
    words = words_of(noun)
    named = any(stems(noun) in kind.nouns for kind in lexicon().kinds.values())
    return words in knowledge().kinds or words in knowledge().same or bool(kinds_of_thing(noun)) or named


_COLOURED = frozenset(["coloured", "colored", "colourful", "colorful"])
_ANYTHING = frozenset(["thing", "object", "item", "one", "stuff", "everything", "anything", "something"])
