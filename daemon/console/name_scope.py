"""Which names a statement may use: those of the scene, of what was looked up since, and what people said.

What people said is in scope although it may name nothing here. Else a model that is asked for the milk where there is
none could only write the name of another thing, and would bring that instead of hearing that there is no milk.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from daemon.console.history import InteractionHistory
from daemon.llm.model import NameScope
from daemon.transcript import LISTENERS, Step
from skills.motion import SUCCESS
from skills.skill import SKILLS, naming_arguments

TURNS = 3
"""So far back, what was looked up and said counts; by then it is in the scene, or it is gone."""
WORDS = 3
"""So many words in a row, at most, may be a name that somebody said: "orange juice", "top left drawer"."""
_WORD = re.compile(r"[^\W_][\w'-]*")


def name_scope(history: InteractionHistory) -> NameScope | None:
    """What may be named next; None where nobody looked, so that nothing is known of what there is.

    Only skills of the registry count: what a tool of another program calls a location may be anywhere on earth.
    """
    turns = history.turns[-TURNS:]
    if not turns or turns[-1].scene is None:
        return None
    steps = [step for turn in turns for step in turn.steps]
    names = [*_seen(turns[-1].scene), *_looked_up(steps), *_said(steps)]
    return NameScope(naming_arguments(SKILLS.values()), tuple(dict.fromkeys(names)))


def _seen(scene: Any) -> Iterator[str]:
    """Names and other names in an observation."""
    for entry in (*scene["objects"], *scene["locations"]):
        yield entry["name"]
        yield from entry.get("aliases", ())


def _looked_up(steps: Iterable[Step]) -> Iterator[str]:
    """Names in what statements have returned. What an error names does not exist."""
    for step in steps:
        if step.called not in LISTENERS and step.result != repr(SUCCESS):
            with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                yield from _names_in(ast.literal_eval(step.result))


def _names_in(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case tuple():
            yield from _names_in(list(value[:1]))  # (name, category, location), see list_objects()
        case list():
            for part in value:
                yield from _names_in(part)
        case dict():
            yield from _names_in([*value.keys(), *value.values()])


def _said(steps: Iterable[Step]) -> Iterator[str]:
    """Up to WORDS words in a row, with spaces as people say them and with underscores as names have them."""
    for text in dict.fromkeys(text for step in steps for text in (step.heard, step.meaning) if text):
        words = _WORD.findall(text)
        for count in range(1, WORDS + 1):
            for start in range(len(words) - count + 1):
                part = words[start : start + count]
                yield from (" ".join(part), "_".join(part))
