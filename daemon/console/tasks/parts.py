"""What a task is, as a value: its parts in order, what stays, what was not understood; and who reads that in words."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from skills.scene import Scene

PERSON = "person"


@dataclass(frozen=True)
class Part:
    """One thing to do with all of some things, before the next part."""

    action: str
    """put, give or point."""
    kinds: tuple[str, ...]
    """What the things are called, or are: "yellow object", "jello"."""
    target: str = ""
    """A place; the person for give."""
    without: tuple[str, ...] = ()
    """Words that do not count: black and white are no colours of a coloured cube."""
    but: tuple[str, ...] = ()
    """Those among them that are not meant."""
    rest: bool = False
    """Everything that nothing else in the task is about, and that does not stay."""


@dataclass(frozen=True)
class Spec:
    """A task as it was read."""

    parts: tuple[Part, ...]
    unread: tuple[str, ...] = ()
    """Clauses that ask for something which could not be made out."""
    kept: tuple[str, ...] = ()
    """Things that stay where they are."""


class TaskReader(Protocol):
    """Reads a person's words for a task, as far as code understands them; what it leaves unread is a model's."""

    def spec(self, text: str, places: Sequence[str]) -> Spec:
        """Return what a task is; `places` are the names of those there are."""
        ...

    def things_of(self, kind: str, scene: Scene, without: Set[str] = frozenset()) -> list[str]:
        """Return the names of what there is of a kind; `without` are looks that do not count."""
        ...

    def is_plain(self, kind: str) -> bool:
        """Return whether code can hold words for things against a scene: no "things that break"."""
        ...


class ReadsNothing:
    """The TaskReader that leaves every task to a model."""

    def spec(self, text: str, places: Sequence[str]) -> Spec:
        return Spec((), (text,))

    def things_of(self, kind: str, scene: Scene, without: Set[str] = frozenset()) -> list[str]:
        return []

    def is_plain(self, kind: str) -> bool:
        return False
