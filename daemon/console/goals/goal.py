"""One goal: what is to be so with one thing, or at one place."""

from collections.abc import Mapping
from dataclasses import dataclass

from daemon.console.situation import SOMEBODY
from daemon.names import forms, spoken
from daemon.transcript import plain_call

ARGUMENTS = {
    "bring": ("object", "location"),
    "put": ("object", "location"),
    "take": ("object",),
    "go": ("location",),
    "open": ("container",),
    "close": ("container",),
}
"""Of each goal, and what they name, as the parameters of skills do."""

SAID = {
    "put": "take {thing} to {place}",
    "take": "take {thing}",
    "go": "go to {place}",
    "open": "open {place}",
    "close": "close {place}",
}
"""How each is told to a person, of whom it is asked whether to do it."""


@dataclass(frozen=True)
class Goal:
    """What is to be so."""

    name: str
    thing: str = ""
    place: str = ""

    @classmethod
    def of(cls, statement: str) -> "Goal | None":
        """The goal that a statement writes; None for any other statement."""
        name, given = plain_call(statement)
        if name not in ARGUMENTS:
            return None
        known, named = ARGUMENTS[name], list(given)
        if name == "bring" and len(named) == 1:
            named.append(SOMEBODY)
        if len(named) != len(known):
            return None
        parts = {"thing" if kind == "object" else "place": name for kind, name in zip(known, named, strict=True)}
        return cls(name, **parts)

    @property
    def told(self) -> str:
        """Return it in words: "bring you the cup"."""
        thing, place = f"the {forms(self.thing)[0]}", f"the {spoken(self.place)}"
        if self.name == "bring":
            return f"bring you {thing}" if self.place == SOMEBODY else f"bring {thing} to {spoken(self.place).title()}"
        return SAID[self.name].format(thing=thing, place=place)

    @property
    def release(self) -> tuple[str, Mapping[str, str]]:
        """Return the skill by which a thing that is carried comes to be where it shall, and where that is."""
        return ("handover", {}) if self.name == "bring" else ("place", {"location": self.place})

    @property
    def uses(self) -> Mapping[str, Mapping[str, str]]:
        """Return what is done with the thing itself, as a lesson may refuse it."""
        release, target = self.release
        return {"grasp": {"object": self.thing}, release: {"object": self.thing, **target}}

    @property
    def statement(self) -> str:
        """Return it as it is written."""
        parts = (self.thing if kind == "object" else self.place for kind in ARGUMENTS[self.name])
        return written(self.name, *parts)


def written(name: str, *arguments: str) -> str:
    """Return the statement that calls a goal or a skill."""
    return f"{name}({', '.join(map(repr, arguments))})"
