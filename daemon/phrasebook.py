"""What people and heed say in so many words, as data: a table for each language, which a translator can fill.

English is always understood, so that a stop is a stop whatever language was chosen. docs/languages.md tells what a
table holds, and what is bound to English all the same.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

Phrases = Mapping[str, Any]
Made = TypeVar("Made")

ENGLISH = "en"
_TABLES = files("daemon").joinpath("phrasebooks")
_chosen = _spoken = ENGLISH
"""The language that is understood beside English, and the one that was asked for, which may have no table."""


def languages() -> list[str]:
    """Return the codes of the languages that have a table."""
    return sorted(table.name.removesuffix(".toml") for table in _TABLES.iterdir() if table.name.endswith(".toml"))


def use_language(code: str) -> bool:
    """Understand and speak this language (ISO 639-1) beside English, in the whole process.

    Return False where it has no table: then it is English alone.
    """
    global _chosen, _spoken
    known = _base(code) in languages()
    _chosen, _spoken = _base(code) if known else ENGLISH, _base(code)
    return known


def english_alone() -> bool:
    """Return whether people speak no other language than English: what only knows English may read all they say."""
    return _spoken == ENGLISH


def phrasebook() -> Phrases:
    """Return what people say, section by section: in English, and in the language in use."""
    return _merged(_chosen)


def foreign(code: str) -> str:
    """Return the English name of a language, its code where it has no table, and "" for English."""
    base = _base(code)
    if base == ENGLISH:
        return ""
    return str(_table(base)["name"]) if base in languages() else code


def of_language(make: Callable[[], Made]) -> Callable[[], Made]:
    """Keep what a function makes of the phrasebook, for each language once."""
    made: dict[str, Made] = {}

    def kept() -> Made:
        if _chosen not in made:
            made[_chosen] = make()
        return made[_chosen]

    return kept


def translated(text: str) -> str:
    """Return what heed is about to say, its own sentences in the language in use; all others stay as they are."""
    own = _own_sentences(_chosen)
    return " ".join(own.get(sentence) for sentence in _SENTENCE_ENDS.split(text)) if own else text


def plain(text: str) -> str:
    """Return the words of a text in small letters, apostrophes kept, without other punctuation."""
    return " ".join(re.sub(r"[^\w\s']", " ", text.lower().replace("’", "'")).split())


def any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases as whole words in a plain text, the longest first."""
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, longest_first))})(?![\w'])")


def _base(code: str) -> str:
    """The language of a code that may name a country as well: "de" of "de-AT"."""
    return re.split(r"[-_]", code.lower())[0]


_SENTENCE_ENDS = re.compile(r"(?<=[.?!]) ")
_BLANK = re.compile(r"\{(\w+)\}")


class _OwnSentences:
    """heed's own sentences in another language; `{thing}` stands for whatever is there."""

    def __init__(self, says: Mapping[str, str]) -> None:
        self._exact = {own: other for own, other in says.items() if not _BLANK.search(own)}
        self._patterns = [(_with_blanks(own), other) for own, other in says.items() if own not in self._exact]

    def __bool__(self) -> bool:
        return bool(self._exact or self._patterns)

    def get(self, sentence: str) -> str:
        """Return the sentence as the table has it, else as it is."""
        if sentence in self._exact:
            return self._exact[sentence]
        found = ((pattern.fullmatch(sentence), other) for pattern, other in self._patterns)
        return next((other.format(**match.groupdict()) for match, other in found if match), sentence)


def _with_blanks(own: str) -> re.Pattern[str]:
    text, *rest = _BLANK.split(own)
    parts = [re.escape(text)]
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        parts += [f"(?P<{name}>.+)", re.escape(text)]
    return re.compile("".join(parts))


@cache
def _own_sentences(code: str) -> _OwnSentences:
    return _OwnSentences(_table(code).get("says", {}))


@cache
def _table(code: str) -> Phrases:
    return tomllib.loads(_TABLES.joinpath(f"{code}.toml").read_text(encoding="utf-8"))


@cache
def _merged(code: str) -> Phrases:
    english = _table(ENGLISH)
    return english if code == ENGLISH else _joined(english, _table(code))


def _joined(one: Any, other: Any) -> Any:
    """Lists one behind the other, tables entry by entry; of two texts the second."""
    if isinstance(one, Mapping):
        return {key: _joined(one[key], other[key]) if key in other else one[key] for key in one}
    return other if isinstance(one, str) else [*one, *other]
