"""Names as people say them: "multivitamin-juice_0" is "multivitamin juice", or just "juice". Pure text."""

import re
from collections.abc import Sequence
from functools import lru_cache

SEPARATORS = re.compile(r"[\s_-]+")
NUMBER = re.compile(r"\d+(x\d+)*")
"""An instance or a size in a name; people rarely say it."""
MADE = re.compile(r"0|\d+(?:x\d+)+")
"""An instance that is the first, or a size, in a name: nobody says it, while "cup 2" is said where there are three."""
ARTICLES = frozenset({"the", "a", "an", "some", "my", "your", "our", "another"})
AFTERTHOUGHTS = frozenset(
    {"large", "big", "small", "tall", "closed", "open", "full", "empty", "clean", "dirty"}
    | {"top", "bottom", "upper", "lower", "left", "right"}
)
"""Words that catalogues put behind a noun and people before it: cup_large is the large cup."""
KNOWN = 4096
"""So many names and phrases are kept worked out: those of a few rooms full of things."""


@lru_cache(KNOWN)
def forms(name: str) -> tuple[str, ...]:
    """Return how people may call it, the most exact first: all its words, then without numbers, then ever fewer
    words.
    """
    words = [word for word in SEPARATORS.split(name) if word]
    without_numbers = [word for word in words if not NUMBER.fullmatch(word)] or words
    as_written, spoken = " ".join(without_numbers), _as_people_put_it(without_numbers)
    shorter = [" ".join(spoken[start:]) for start in range(len(spoken))]
    return tuple(dict.fromkeys([" ".join(words), *shorter[:1], as_written, *shorter[1:]]))


def _as_people_put_it(words: list[str]) -> list[str]:
    """Put the words that catalogues put behind a noun before it."""
    for _ in words if not AFTERTHOUGHTS.issuperset(words) else ():
        if words[-1] not in AFTERTHOUGHTS:
            break
        words = [words[-1], *words[:-1]]
    return words


@lru_cache(KNOWN)
def plain(name: str) -> str:
    """The name as a person would have written it: multivitamin_juice for multivitamin-juice_0, large_cup for
    cup_large_0; one in which no machine had a hand stays.
    """
    parts = [part for part in SEPARATORS.split(name) if part]
    words = [part for part in parts if not MADE.fullmatch(part)]
    if not words or (words == parts and "-" not in name):
        return name
    return as_name(" ".join(_as_people_put_it(words)))


@lru_cache(KNOWN)
def spoken(name: str) -> str:
    """The name in words: what the robot says for it."""
    told = forms(name)
    return next((form for form in told if "_" not in name or not any(map(NUMBER.fullmatch, form.split()))), told[0])


def head(name: str) -> str:
    """The last word of what people say, usually the noun: "juice" for multivitamin-juice_0."""
    return forms(name)[-1]


def as_name(words: str) -> str:
    """Return words as names are written: "Mrs Hill" is mrs_hill."""
    return SEPARATORS.sub("_", words.strip().lower())


def mention(phrase: str, text: str) -> re.Match[str] | None:
    """Return where a text has the phrase as whole words, singular or plural; hyphens and spaces are the same."""
    pattern = _as_words(phrase)
    return pattern.search(text) if pattern else None


@lru_cache(KNOWN)
def _as_words(phrase: str) -> re.Pattern[str] | None:
    words = r"[\s_-]+".join(re.escape(word) for word in SEPARATORS.split(phrase) if word)
    return re.compile(rf"\b{words}(?:s|es)?\b", re.IGNORECASE) if words else None


def joined(words: Sequence[str], by: str = "and") -> str:
    """Return words in a row: "the cup, the plate and the spoon"; "" for none."""
    return f"{', '.join(words[:-1])} {by} {words[-1]}" if len(words) > 1 else "".join(words)


def without_end(text: str) -> str:
    """Return a sentence without the sign that ends it, to be told within another one."""
    return text.rstrip(" .!?")


def without_article(phrase: str) -> str:
    """Return a phrase without "the" or "my" before it."""
    first, _, rest = phrase.strip().partition(" ")
    return rest.strip() if rest and first.lower() in ARTICLES else phrase.strip()


@lru_cache(KNOWN)
def called(name: str, phrase: str) -> bool:
    """Return whether a phrase, with or without an article, is a way to say this name."""
    bare = without_article(phrase)
    return any((match := mention(form, bare)) is not None and match.span() == (0, len(bare)) for form in forms(name))
