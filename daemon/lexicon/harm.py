"""Deeds that heed never does, whatever its mind thinks: which thing must not come to which thing, place or person.

What counts as harm is data: harm.toml. Knows names and what is told of them; nothing of scenes, or of words of people.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from daemon.lexicon.thing_knowledge import Words, knowledge, words_of


@dataclass(frozen=True)
class Known:
    """Known: how a thing, a place or a person is called, and what a scene tells of it."""

    names: tuple[str, ...]
    """Its name, its other names, its category."""
    told: frozenset[str] = frozenset()
    """States that hold, in words: "boiling", "not on"."""

    @classmethod
    def from_state(cls, names: Iterable[str], state: Mapping[str, Any]) -> "Known":
        """Return what is known by names and a state such as {"on": False, "temperature": "hot", "age": 3}."""
        told = _table()["told"]
        kinds = [str(state[key]) for key in told["is"] if isinstance(state.get(key), str)]
        return cls((*map(_without_place, names), *kinds, *_by_age(state.get("age"))), frozenset(_words_of_state(state)))

    @classmethod
    def told_inside(cls, state: Mapping[str, Any]) -> "list[Known]":
        """Return what a state tells to be in a thing: {"contents": "tea"}."""
        keys = _table()["told"]["contents"]
        return [
            cls((state[key],), frozenset(_words_of_state(state))) for key in keys if isinstance(state.get(key), str)
        ]

    @property
    def contents(self) -> "Known":
        """Return what is in it by its name: lemonade in the lemonade jug, and in a jug of lemonade."""
        return Known(tuple(filter(None, map(_content_of, self.names))), self.told)

    def is_told(self, states: str) -> bool:
        """Return whether one of the states of that list holds, by what is told or by a name: "boiling water"."""
        listed = {words_of(state) for state in _table()["told"][states]}
        return any(_has(name, listed) for name in self.names) or bool(listed & set(map(words_of, self.told)))


@dataclass(frozen=True)
class Move:
    """Move: things come to a place, a thing or a person."""

    things: Sequence[Known]
    """What is moved, and what lies in or on it."""
    to: Known
    around: Sequence[Known] = ()
    """What `to` stands in or on, and where."""
    inside: Sequence[Known] = ()
    """What is already in or on `to`, if that is a thing."""
    closes: bool = False
    """The things are there, and a door is closed behind them."""


def harm_of(move: Move) -> str:
    """Return why a deed could hurt somebody or start a fire; "" where nothing speaks against it."""
    return next((str(rule["why"]) for rule in _table()["deeds"] if _forbids(rule, move)), "")


def harms_if_mixed_up(one: Known, other: Known) -> bool:
    """Return whether both are of a kind of which the wrong one does harm: two medicines."""
    return any(_is_of(kind, one.names) and _is_of(kind, other.names) for kind in _table()["mixed up"]["kinds"])


def _forbids(rule: Mapping[str, Any], move: Move) -> bool:
    if move.closes and not rule.get("closing"):
        return False
    around = () if rule.get("directly") else move.around
    mixed = (move.to.contents, *move.inside) if rule.get("mixed") else ()
    where = [place for place in (move.to, *around, *mixed) if _is_one(rule["where"], place)]
    if not where or (rule.get("cold") and where[0].is_told("off")):
        return False
    return any(_is_meant(rule, thing) for thing in move.things)


def _is_meant(rule: Mapping[str, Any], thing: Known) -> bool:
    if rule.get("hot") and not thing.is_told("hot"):
        return False
    return _is_one(rule["what"], Known((*thing.names, *thing.contents.names)))


def _is_one(kinds: Iterable[str], known: Known) -> bool:
    return any(_is_of(kind, known.names) for kind in kinds)


@lru_cache(maxsize=8192)
def _is_of(kind: str, names: tuple[str, ...]) -> bool:
    """Return whether something with these names is of a kind of harm.toml; any name of `but` speaks against all of
    them.
    """
    described = _table()["kinds"].get(kind, {"names": [kind]})
    if any(_speaks_against(word, name) for word in described.get("but", ()) for name in names):
        return False
    return any(_called(one, name) for one in described["names"] for name in names)


def _called(one: str, name: str) -> bool:
    """Return whether a name is that of a thing, or "any food": of a kind of things.txt."""
    kind = one.removeprefix("any ")
    return knowledge().is_called(one, name) if kind == one else knowledge().is_any_of([words_of(kind)], name)


def _speaks_against(word: str, name: str) -> bool:
    return _called(word, name) if word.startswith("any ") else _has(name, {words_of(word)})


def _has(name: str, parts: Iterable[Words]) -> bool:
    """Return whether one of the parts stands anywhere in a name."""
    words = words_of(name)
    return any(words[start : start + len(part)] == part for part in parts for start in range(len(words)))


def _without_place(name: str) -> str:
    """A name without where the thing is: "the bench by the stove" is no stove."""
    words, where = words_of(name), _table()["told"]["where"]
    end = next((place for place, word in enumerate(words) if place and word in where), len(words))
    return name if end == len(words) else " ".join(words[:end])


def _content_of(name: str) -> str:
    """Return what a name tells to be in a thing; "" where it tells nothing."""
    words, told = words_of(name), _table()["told"]
    if words[1:2] == ("of",) and words[0] in told["measures"]:
        return " ".join(words[2:])
    return " ".join(words[:-1]) if words and words[-1] in told["vessels"] else ""


def _words_of_state(state: Mapping[str, Any]) -> Iterable[str]:
    for key, value in state.items():
        if isinstance(value, bool):
            yield key if value else f"not {key}"
        elif isinstance(value, str):
            yield value


def _by_age(age: object) -> Iterable[str]:
    """Return how somebody of that age in years is called; nothing for a grown-up, or for no number."""
    if not isinstance(age, int | float):
        return ()
    return [name for below, name in _table()["told"]["ages"] if age < below][:1]


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("daemon.lexicon").joinpath("harm.toml").read_text(encoding="utf-8"))
