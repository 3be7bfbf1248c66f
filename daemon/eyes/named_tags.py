"""Things that eyes know by the number of their tag alone, under the names that people gave them. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from daemon.eyes.messages import Objects, People, Seen
from daemon.memory.place_book import tag_of


def has_tags(told: Objects) -> bool:
    """Return whether one of the things goes by the number of its tag."""
    return any(tag_of(seen.name) is not None for seen in told.objects)


def named(told: Objects | People, names: Mapping[int, str]) -> Objects | People:
    """Give each thing its name that goes by the number of its tag; `names` has them by number."""
    if isinstance(told, People) or not names:
        return told
    return replace(told, objects=tuple(_named(seen, names) for seen in told.objects))


def _named(seen: Seen, names: Mapping[int, str]) -> Seen:
    name = names.get(number) if (number := tag_of(seen.name)) is not None else None
    return replace(seen, name=name, category=name) if name else seen
