"""Words that ask for nothing but harm to somebody: the whole phrases of harm_words.toml, in English."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from daemon.lexicon.inflection import plain_forms


def refusal(said: str, is_read: bool = True) -> str:
    """Return what to say to words of which one clause asks for harm to somebody; "" for any other.

    For a brain that cannot read what was said, also to words for what no robot should do with things.
    """
    phrases = _phrases("refused") if is_read else [*_phrases("refused"), *_phrases("unread")]
    return next((no for clause in _clauses(said) if (no := _refusal_of(clause, phrases))), "")


def _clauses(said: str) -> Iterator[str]:
    """The clauses that ask for something, without what is said before it; "never kick or hit the dog" asks for none."""
    negated = False
    for joint, clause in _split(said.lower()):
        asked = _asked().sub("", " ".join(re.findall(r"[a-z]+", clause)))
        negated = (negated and joint in ("and", "or")) or bool(_negation().search(asked))
        if not negated:
            yield asked


def _split(said: str) -> Iterator[tuple[str, str]]:
    """Each clause with what joins it to the one before."""
    parts = ["", *re.split(rf"([,;.!?:]|\b(?:{_any_of(_table()['joints'])})\b)", said)]
    yield from zip(parts[::2], parts[1::2], strict=True)


def _refusal_of(clause: str, phrases: Iterable[tuple[re.Pattern[str], str]]) -> str:
    first, _, rest = clause.partition(" ")
    orders = [clause, *(f"{verb} {rest}" for verb in plain_forms(first))]
    found = (says for phrase, says in phrases if any(phrase.match(order) for order in orders))
    return next(found, "")


@cache
def _phrases(section: str) -> list[tuple[re.Pattern[str], str]]:
    table = _table()
    end = rf"(?= (?:{_any_of(table['ends'])})\b|$)"
    return [
        (re.compile(phrase.format_map(_placeholders()) + end), refused["says"])
        for refused in table[section]
        for phrase in refused["phrases"]
    ]


def _placeholders() -> Mapping[str, str]:
    """Return what stands for {name} in a phrase, as regular expressions."""
    table = _table()
    lists = {name: f"(?:{_any_of(words)})" for name, words in table.items() if name not in ("refused", "unread")}
    being = f"(?:{_any_of(table['people'] + table['animals'])})"
    before = rf"(?:{lists['determiners']} )?(?:{lists['adjectives']} )*(?:{being} s )?"
    noun = rf"{before}{being}s?(?! s\b)"
    return {
        **lists,
        "det": lists["determiners"],
        "person": rf"{before}{lists['people']}s?(?! s\b)",
        "noun": noun,
        "who": rf"(?:{lists['pronouns']}|{noun})",
        "whose": rf"(?:his|her|their|(?:{lists['determiners']} )?(?:{lists['adjectives']} )*{being} s)",
    }


@cache
def _asked() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{_any_of(_table()['asks'])})\b ?)+")


@cache
def _negation() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_any_of(_table()['negations'])})\b")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("daemon.lexicon").joinpath("harm_words.toml").read_text(encoding="utf-8"))
