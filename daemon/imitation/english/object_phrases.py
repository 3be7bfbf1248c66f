"""The phrases of a clause that mean objects, such as "two different sodas", and which objects those are."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from daemon.imitation.english.vocabulary import ANYTHING, EXACT, MODIFIER, Meaning, Names, kind_of, vocabulary
from daemon.lexicon.inflection import singular
from daemon.lexicon.word_meanings import Stems, lexicon

ALL = -1
"""The count of "all the drinks"."""


@dataclass(frozen=True)
class Mention:
    """A phrase that means objects, such as "two different sodas"."""

    phrase: str
    fits: Mapping[str, float]
    """Object -> how well the phrase fits it; empty for things that are not here."""
    count: int = 1
    definite: bool = False
    different: bool = False

    @property
    def bare(self) -> bool:
        """Return whether it says no more than "something"."""
        return bool(self.fits) and all(fit >= ANYTHING for fit in self.fits.values())

    def kept(self, names: Sequence[str]) -> "Mention":
        """Return the mention, with only these names left."""
        return replace(self, fits={name: fit for name, fit in self.fits.items() if name in names})


@dataclass
class Token:
    """A word or a sign, and where it stands in the text."""

    text: str
    start: int
    end: int

    @property
    def stem(self) -> str:
        return singular(self.text)


@dataclass
class Hit:
    """Tokens that mean something."""

    first: int
    last: int
    meaning: Meaning
    negated: bool = False


def choose(mention: Mention, names: Names, within: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return the objects that are meant, at least one if any fits; several where it is open which one.

    `within` are the places where they must be, if any. [] for nothing that is here.
    """
    locations = names.locations
    fits = {name: fit for name, fit in mention.fits.items() if name not in taken}
    if within:
        fits = {name: fit for name, fit in fits.items() if locations[name] in within}
    if not fits:
        return []
    ranked = sorted(fits, key=lambda name: (fits[name], locations[name] == "person"))
    if mention.count == ALL:
        return [name for name in fits if fits[name] < MODIFIER or fits[name] >= ANYTHING]
    if mention.different:
        ranked = list({kind_of(name): name for name in reversed(ranked)}.values())[::-1]
    if mention.count > 1:
        return ranked[: mention.count]
    best = [name for name in ranked if int(fits[name]) == int(fits[ranked[0]])]
    if mention.definite and len({kind_of(name) for name in best}) > 1 and not mention.bare:
        return best
    return ranked[:1]


def tokens_of(text: str) -> list[Token]:
    """Return the words and signs of a text."""
    return [Token(match[0], *match.span()) for match in _TOKEN.finditer(text)]


def hits_in(tokens: Sequence[Token], names: Names) -> Iterator[Hit]:
    """Yield the longest phrases that mean something, from left to right."""
    known = vocabulary(names)
    position = 0
    while position < len(tokens):
        for length in range(min(5, len(tokens) - position), 0, -1):
            phrase = tuple(token.stem for token in tokens[position : position + length])
            if phrase in known and not _is_verb(position, phrase, tokens, known[phrase]):
                yield Hit(position, position + length - 1, known[phrase], _is_negated(tokens[:position]))
                position += length
                break
        else:
            position += 1


def groups_of(hits: Sequence[Hit], tokens: Sequence[Token]) -> Iterator[list[Hit]]:
    """Hits that describe the same thing: "something | salty", "drink with | caffeine", "lime | drink"."""
    group: list[Hit] = []
    for hit in hits:
        if hit.meaning.places and not hit.meaning.objects:
            continue
        between = tokens[group[-1].last + 1 : hit.first] if group else []
        if group and all(token.stem in _GLUE for token in between) and _fits_together(group, hit, bool(between)):
            group.append(hit)
        else:
            if group:
                yield group
            group = [hit]
    if group:
        yield group


def mention_of(group: Sequence[Hit], tokens: Sequence[Token], names: Names) -> tuple[int, Mention | None]:
    """Return the first token of a noun phrase, and what it means; None where it is none after all."""
    first, words = determiners(group[0].first, tokens)
    last = tokens[packed(group[-1].last, tokens)]
    fits = _denoted(group)
    in_packaging = packed(group[-1].last, tokens) > group[-1].last
    if fits and min(fits.values()) == MODIFIER and not in_packaging:
        fits = {}
    if all(hit.meaning.is_purpose for hit in group) and not _is_wish(group[0].first, tokens):
        return first, None
    noun = tokens[group[0].last]
    own = {word.lower() for name in fits for word in re.split(r"[\W_]+", name)}
    plural = any(
        tokens[i].text.lower() != tokens[i].stem and tokens[i].text.lower() not in own
        for hit in group
        if not hit.negated and not hit.meaning.is_purpose
        for i in (hit.last,)
    )
    numbers = [int(word) if word.isdigit() else _NUMBERS[word] for word in words if word.isdigit() or word in _NUMBERS]
    count = numbers[0] if numbers else ALL if plural or _EVERY & set(words) or noun.stem in _ALL_OF_IT else 1
    phrase = " ".join(token.text for token in tokens[group[0].first : group[-1].last + 1])
    one_of_them = "of" in words and bool({"one", "any", "either"} & set(words))
    count = 1 if one_of_them else count
    definite = bool(_DEFINITE & set(words)) and last is not None and not one_of_them
    return first, Mention(phrase, fits, count, definite, "different" in words)


def determiners(position: int, tokens: Sequence[Token]) -> tuple[int, list[str]]:
    """Return where the noun phrase begins whose noun stands at a position, and the small words before the noun."""
    words: list[str] = []
    first = position
    for index in range(position - 1, max(-1, position - 6), -1):
        word = tokens[index].text.lower()
        if word == "of" and tokens[index - 1].text.lower() not in _EVERY | {"one", "some", "any", "both"}:
            break
        if word in _DETERMINERS or word.isdigit():
            words.append(word)
            first = index
        elif (
            lexicon().degrees(word)
            or index < position - 1
            or index == 0
            or tokens[index - 1].text.lower() not in _ARTICLES
        ):
            break
    return first, words


def packed(last: int, tokens: Sequence[Token]) -> int:
    """Return the last token of a noun phrase, with the word for its packaging: the coke can."""
    follows = last + 1 < len(tokens) and tokens[last + 1].stem in {*lexicon().packaging, "one"}
    return last + 1 if follows else last


def _fits_together(group: Sequence[Hit], hit: Hit, apart: bool) -> bool:
    return (
        not apart or hit.negated or hit.meaning.is_purpose or bool(_denoted([*group, hit]) or not hit.meaning.objects)
    )


def _is_negated(before: Sequence[Token]) -> bool:
    """Return whether the last three words deny what follows: "not the milk", "no milk", but not "no, the milk"."""
    last = list(takewhile(lambda token: token.text != ",", reversed(before[-3:])))
    return any(token.stem in _NEGATIONS for token in last)


def _is_verb(position: int, phrase: Stems, tokens: Sequence[Token], meaning: Meaning) -> bool:
    """Return whether a word that can be a thing is what to do: "drink", "clean", "place", "can"."""
    if len(phrase) > 1:
        return False
    before = tokens[position - 1].stem if position else ""
    if before in ("to", "help") and not (EXACT in meaning.places.values() and phrase not in lexicon().verb_stems):
        return not any(token.stem in (*_VAGUE, *_NOUNS) for token in tokens[:position])
    return position == 0 and phrase in lexicon().verb_stems


def _denoted(group: Sequence[Hit]) -> dict[str, float]:
    """Return the things that fit every part of a description, each with how well."""
    fits: dict[str, float] | None = None
    for hit in group:
        if hit.negated:
            continue
        objects = hit.meaning.objects
        if fits is None:
            fits = dict(objects)
        else:
            fits = {name: _better(fit, objects[name]) for name, fit in fits.items() if name in objects}
    without = {name for hit in group if hit.negated for name, fit in hit.meaning.objects.items() if fit < ANYTHING}
    return {name: fit for name, fit in (fits or {}).items() if name not in without}


def _better(one: float, other: float) -> float:
    """Return how well a thing fits two descriptions: as the more exact one does, among equals as the more typical."""
    return min(one, other) if int(one) != int(other) else max(one, other)


def _is_wish(position: int, tokens: Sequence[Token]) -> bool:
    """ "I am thirsty" asks for something to drink."""
    return any(token.text.lower() in _FEELING for token in tokens[max(0, position - 3) : position])


_ARTICLES = {"the", "a", "an", "some", "any", "my", "your", "our", "all"}
_DEFINITE = {"the", "that", "this", "which"}
_EVERY = {"all", "every", "each", "both", "these", "those"}
_ALL_OF_IT = {"everything", "stuff"}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "couple": 2, "both": 2}
_DETERMINERS = (
    _ARTICLES
    | _DEFINITE
    | _EVERY
    | set(_NUMBERS)
    | {"another", "one", "other", "different", "of", "more", "kinds", "types"}
)
_NEGATIONS = {"not", "no", "without", "except", "isn't", "aren't", "but", "besides", "than"}
_GLUE = _NEGATIONS | {
    *("that", "which", "is", "are", "with", "has", "have", "having", "contain", "of", "to", "for", "me", "us", "help"),
    *("a", "an", "the", "some", "very", "really", "more", "kind", "type", "full", "other", "i", "can", "it", "up"),
    *("be", "would", "will", "you", "my", "this", "that's", "in"),
}
_FEELING = {"am", "i'm", "feel", "feeling", "getting", "so", "very", "really", "we're", "are"}
_VAGUE = ("something", "anything", "thing", "stuff", "one", "some")
_NOUNS = ("drink", "snack", "object", "item")
_TOKEN = re.compile(r"[A-Za-z0-9&]+(?:'[a-z]+)?|[^\sA-Za-z0-9&_-]")
