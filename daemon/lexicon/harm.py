"""What heed never does, whatever its mind thinks: the words and deeds of harm.toml."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from daemon.lexicon.thing_knowledge import Words, knowledge, words_of


def refusal(said: str) -> str:
    """Return what to say to words of which one clause asks for harm; "" for any other."""
    return next((no for clause in _clauses().split(said) if (no := _refusal_of(_bare(words_of(clause))))), "")


def not_given(thing: str, person: str) -> str:
    """Return why a thing must not be given to somebody of this name or kind; "" where nothing speaks against it."""
    words = words_of(person)
    for rule in _table()["not_given"]:
        for who in rule["to"]:
            if _within(words_of(who), words):
                kinds = [kind for kind in rule["things"] if [who, kind] not in rule["but"]]
                if knowledge().is_any_of([words_of(kind) for kind in kinds], thing):
                    return str(rule["says"])
    return ""


def _refusal_of(words: Words) -> str:
    for refused in _table()["refused"]:
        deed = next((deed for deed in map(words_of, refused["deeds"]) if _begins(words, deed)), None)
        if deed and _is_order(words, deed) and _is_meant(words, refused):
            return str(refused["says"])
    return ""


def _is_meant(order: Words, refused: Mapping[str, Any]) -> bool:
    after, unless = refused.get("after", ()), refused.get("unless", ())
    if any(_within(words_of(words), order) for words in unless):
        return False
    if refused.get("beings") and not any(_is_harmed(words_of(who), order) for who in _table()["beings"]):
        return False
    return not after or any(_within(words_of(words), order[1:]) for words in after)


def _is_order(words: Words, deed: Words) -> bool:
    """Whether a deed is done to something: "break" may be a rest, and "the torch can stay" burns nothing."""
    return len(words) > len(deed) and words[len(deed)] not in _table()["tells"]


def _is_harmed(who: Words, order: Words) -> bool:
    """Whether an order names somebody to whom it is done: in "lock up after us" nobody is."""
    plain = [word for word in order if word not in _table()["whose"]]
    kept = [word for word, before in zip(plain[1:], plain, strict=False) if before not in _table()["beside"]]
    return _within(who, tuple(kept))


def _bare(words: Words) -> Words:
    """Without what is said before what is asked for."""
    asks = sorted(map(words_of, _table()["asks"]), key=len, reverse=True)
    while found := next((ask for ask in asks if ask and words[: len(ask)] == ask), None):
        words = words[len(found) :]
    return words


def _begins(words: Words, deed: Words) -> bool:
    """Whether an order begins with a deed: "set fire to", or, with the thing in between, "set the sponge on fire"."""
    return words[:1] == deed[:1] and (words[: len(deed)] == deed or (len(deed) > 1 and _within(deed[1:], words[1:])))


def _within(part: Words, words: Words) -> bool:
    return any(words[start : start + len(part)] == part for start in range(len(words) - len(part) + 1))


@cache
def _clauses() -> re.Pattern[str]:
    """Where one clause ends and another begins."""
    return re.compile(rf"[,;.!?:]|\b(?:{'|'.join(_table()['joints'])})\b", re.IGNORECASE)


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("daemon.lexicon").joinpath("harm.toml").read_text(encoding="utf-8"))
