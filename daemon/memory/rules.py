"""A lesson in plain words: the rule itself, and where it applies."""

import dataclasses
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from daemon.lexicon.kinds import is_kind


class RuleKind(StrEnum):
    """What a rule is about."""

    TASK = "task"
    """How a task is done, for example "bring a cup with every drink"."""
    ROBOT = "robot"
    """What the robot can do, for example "you have two hands"."""
    PREFERENCE = "preference"
    """What one person likes."""
    SCENE_FACT = "scene fact"
    """What is where, or what it is like."""
    WORD_MEANING = "word meaning"
    """What someone means by a word, for example "serve" means on the table."""
    PARAMETER = "parameter"
    """A number of a skill, for example the speed on one route."""
    ROUTINE = "routine"
    """Several steps under one name, for example "the David salad"."""


@dataclass(frozen=True)
class Scope:
    """Where a rule applies; each empty field leaves that question open, all empty means everywhere.

    The same fields describe a situation: what one thing that is going on now is about.
    """

    object_class: str = ""
    """A category of the scene, or a kind of things by the meaning of their names: "drink", "power tool"."""
    object: str = ""
    """One object, for example "milk"."""
    place: str = ""
    """One location, for example "table"."""
    route: str = ""
    """One way in one direction, for example "table to workbench"."""
    person: str = ""
    """Who asks."""
    time: str = ""
    """As people say it, for example "in the morning"."""
    look: str = ""
    """What a thing looks like or is made of, or its state: "blue", "glass", "wet"."""

    def covers(self, situation: "Scope") -> bool:
        """Return whether each field that is set here is the same there, whatever the case of its letters.

        A situation that leaves open what the rule asks for is not covered: a rule for drinks says nothing
        about an unknown thing, and too narrow is safer than too wide.
        """
        return all(
            name.casefold() == getattr(situation, field).casefold()
            or (field == "object_class" and is_kind(situation.object, name))
            for field, name in dataclasses.asdict(self).items()
            if name
        )

    @property
    def things(self) -> tuple[str, str, str]:
        """Return what tells which things are meant: kind, name and look."""
        return self.object_class, self.object, self.look

    @property
    def which(self) -> str:
        """The things alone: "any drink", "any drink that is cold", "anything that is wet" or "the milk"."""
        if self.look:
            return f"any{f' {self.object_class}' if self.object_class else 'thing'} that is {self.look}"
        return f"any {self.object_class}" if self.object_class else f"the {self.object}"

    @staticmethod
    def of_which(words: str) -> "Scope":
        """The inverse of `which`."""
        if match := re.fullmatch(r"any(?:thing| (.+?)) that is (.+)", words, re.IGNORECASE):
            return Scope(object_class=match[1] or "", look=match[2])
        known = re.fullmatch(r"any (.+)", words, re.IGNORECASE)
        return Scope(object_class=known[1]) if known else Scope(object=re.sub(r"^the ", "", words, flags=re.I))

    @property
    def words(self) -> str:
        """The scope as people read it, for example "any drink, for Anna"."""
        parts = [_WORDS[field].format(name) for field, name in dataclasses.asdict(self).items() if name]
        return ", ".join(parts) or "everywhere"


EVERYWHERE = Scope()

_WORDS = {  # the views in schema.py say the same in SQL
    "object_class": "any {}",
    "object": "the {}",
    "place": "at the {}",
    "route": "on the way from {}",
    "person": "for {}",
    "time": "{}",
    "look": "that is {}",
}


class Does(Protocol):
    """What a rule does, as a value: one of the dataclasses of effects.py, prohibitions.py or number_rules.py."""

    @property
    def kind(self) -> RuleKind: ...

    @property
    def scope(self) -> Scope: ...

    @property
    def sentence(self) -> str:
        """The one sentence that says it."""
        ...

    @property
    def about(self) -> tuple[str, ...]:
        """Equal for two effects that cannot both hold."""
        ...


@dataclass(frozen=True)
class Rule:
    """What was learned, in one plain sentence that a person can confirm, list and take back."""

    text: str
    kind: RuleKind = RuleKind.TASK
    scope: Scope = EVERYWHERE
    effect: Does | None = None
    """What it does, by which code applies it; None for one that only informs the mind."""
