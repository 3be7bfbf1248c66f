"""Which names a statement may use: those of the scene, of what was looked up since, and what people said.

What people said is in scope although it may name nothing here. Else a model that is asked for the milk where there is
none could only write the name of another thing, and would bring that instead of hearing that there is no milk.
"""

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from daemon.console.goals.choice import EVERYTHING, LOOKS, SEEN
from daemon.console.goals.vocabulary import goal_arguments
from daemon.console.history import InteractionHistory
from daemon.lexicon.small_words import small_words
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.llm.model import NameScope
from daemon.names import as_name
from daemon.transcript import LISTENERS, Step
from skills.motion import SUCCESS
from skills.scene import named_by
from skills.skill import SKILLS, arguments

TURNS = 3
"""So far back, what was looked up and said counts; by then it is in the scene, or it is gone."""
STEPS = 200
"""Of which the names are kept: what is asked for each statement is mostly about the same steps."""
WORDS = 3
"""So many words in a row, at most, may be a name that somebody said: "orange juice", "top left drawer"."""
_WORD = re.compile(r"[^\W_][\w'-]*")


def name_scope(history: InteractionHistory) -> NameScope | None:
    """Return the names that may come next, or None if the scene has not been observed yet.

    Only skills of the registry count: what a tool of another program calls a location may be anywhere on earth.
    """
    turns = history.turns[-TURNS:]
    if not turns or turns[-1].scene is None:
        return None
    steps = (step for turn in turns for step in turn.steps)
    seen = turns[-1].scene
    things = [*_names_of(seen["objects"])]
    holders = (thing for thing in seen["objects"] if thing.get("holds"))
    places = [*_names_of(seen["locations"]), *_names_of(holders)]  # place('apple', 'bowl')
    known = {*things, *places}
    brought_up = dict.fromkeys(name for step in steps for name in _brought_up(step))
    others = [name for name in brought_up if name not in known]
    kinds = [thing["category"] for thing in seen["objects"] if thing.get("category")]
    looks = [look for thing in seen["objects"] for look in thing.get("state", {})]
    named = {
        **named_by([*things, *others], [*places, *others]),
        SEEN[1][0]: [*things, *places, *kinds, *EVERYTHING, *others],
        SEEN[1][1]: [*places, *things, *LOOKS, *looks, *others],
    }
    names = {kind: tuple(dict.fromkeys(those)) for kind, those in named.items()}
    naming = [*arguments(SKILLS.values()), *goal_arguments()]
    return NameScope(frozenset(each for each in naming if each[2] in names), names)


def _names_of(entries: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Names and other names in an observation."""
    for entry in entries:
        yield entry["name"]
        yield from entry.get("aliases", ())


@lru_cache(STEPS)
def _brought_up(step: Step) -> tuple[str, ...]:
    """Names in what was said in a step, or in what its statement has returned. What an error names does not exist."""
    if step.called in LISTENERS:
        heard = dict.fromkeys(filter(None, (step.heard, step.meaning, step.speaker, as_name(step.speaker))))
        return tuple(name for text in heard for name in _said(text))
    with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return tuple(_strings_in(ast.literal_eval(step.result))) if step.result != repr(SUCCESS) else ()
    return ()


def _strings_in(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case tuple():
            yield from _strings_in(list(value[:1]))  # (name, category, location), see list_objects()
        case list():
            for part in value:
                yield from _strings_in(part)
        case dict():
            yield from _strings_in([*value.keys(), *value.values()])


def _said(text: str) -> Iterator[str]:
    """Up to WORDS words in a row, with spaces as people say them and with underscores as names have them."""
    words = _WORD.findall(text)
    for start, end in itertools.combinations(range(len(words) + 1), 2):
        part = words[start:end]
        if len(part) <= WORDS and all(map(_may_name, part)):
            yield from (" ".join(part), "_".join(part))


def _may_name(word: str) -> bool:
    return word.lower() not in small_words("names nothing") and stems(word) not in lexicon().verb_stems
