"""What the robot does not do: each kind of rule that forbids as a value, and the one sentence that says it."""

from dataclasses import dataclass

from daemon.memory.rules import EVERYWHERE, RuleKind, Scope
from daemon.names import spoken


@dataclass(frozen=True)
class OnlyWhenAsked:
    """Something never comes along unasked, whatever else was learned."""

    bring: str
    kind = RuleKind.PREFERENCE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        return f"I bring the {self.bring} only when you ask for it."

    @property
    def about(self) -> tuple[str, ...]:
        return ("along", self.bring)


@dataclass(frozen=True)
class Never:
    """Something is not brought to anybody, whoever asks for it."""

    thing: str
    kind = RuleKind.PREFERENCE
    scope = EVERYWHERE

    @property
    def deed(self) -> str:
        return f"bring the {self.thing}"

    @property
    def sentence(self) -> str:
        return f"I never {self.deed}, even when you ask for it."

    @property
    def about(self) -> tuple[str, ...]:
        return ("along", self.thing)


@dataclass(frozen=True)
class Untouched:
    """A thing, or a class of things, is never taken hold of, whatever for."""

    scope: Scope
    kind = RuleKind.PREFERENCE

    @property
    def deed(self) -> str:
        return f"touch {self.scope.which}"

    @property
    def sentence(self) -> str:
        return f"I never {self.deed}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("touch", *self.scope.things)


@dataclass(frozen=True)
class KeptOff:
    """A thing, or a class of things, is never put at a place."""

    scope: Scope
    place: str
    kind = RuleKind.PREFERENCE

    @property
    def sentence(self) -> str:
        return f"I never put {self.scope.which} on the {self.place}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("off", *self.scope.things, self.place.lower())


@dataclass(frozen=True)
class Forbidden:
    """A skill is never used at a place; nowhere, for ""."""

    skill: str
    place: str = ""
    kind = RuleKind.PREFERENCE
    scope = EVERYWHERE

    @property
    def sentence(self) -> str:
        by_name = f"use {spoken(self.skill)}"
        at_all, there = DEEDS.get(self.skill, (by_name, f"{by_name} at the {{}}"))
        return f"I never {there.format(self.place) if self.place else at_all}."

    @property
    def about(self) -> tuple[str, ...]:
        return ("forbidden", self.skill, self.place.lower())


DEEDS = {
    "move_to": ("drive anywhere", "drive to the {}"),
    "open_door": ("open anything", "open the {}"),
    "close_door": ("close anything", "close the {}"),
    "grasp": ("take hold of anything", "take anything from the {}"),
    "place": ("put anything down", "put anything down at the {}"),
    "handover": ("hand anything over", "hand anything over at the {}"),
    "point_at": ("point at anything", "point at anything at the {}"),
    "shift": ("move anything a little", "move anything a little at the {}"),
}
"""Skill -> how a person calls what it does, at all and at a place."""
