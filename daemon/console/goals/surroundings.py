"""What is seen now, for who finds the way to goals."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from daemon.console.goals.goal import Goal
from skills.preconditions import LIFTS
from skills.scene import Scene
from skills.skill import SkillError


class Surroundings(Protocol):
    """What is seen now."""

    @property
    def scene(self) -> Scene:
        """The scene as it is now. Raises RuntimeError where nothing can be seen."""
        ...

    @property
    def here(self) -> str:
        """Return where the robot stands; "" between places."""
        ...

    @property
    def now(self) -> datetime:
        """Return the time, by the clock of the house."""
        ...

    def forbids(self, skill: str, given: Mapping[str, str]) -> bool:
        """Return whether a lesson would refuse this call of a skill, wherever the robot stands."""
        ...

    def comes_along(self, thing: str) -> Sequence[Sequence[str]]:
        """Return what lessons bring along with a thing that somebody asked for: for each, what would do, best first."""
        ...

    def liked(self, thing: str) -> str:
        """Return what a lesson takes where somebody asked for any of a kind, this thing being one; "" for none."""
        ...

    def instead_of(self, thing: str) -> Sequence[str]:
        """Return what else is of the kind that somebody asked for; nothing where they asked for this very thing."""
        ...


class Seen:
    """Seen: what is where now, and what lessons refuse. What is not there is left to the skills, which say so."""

    def __init__(self, now: Surroundings) -> None:
        self.now = now

    @property
    def scene(self) -> Scene:
        """Return the scene as it is now; an empty one where nothing can be seen."""
        try:
            return self.now.scene
        except RuntimeError:
            return Scene((), ())

    @property
    def time(self) -> datetime:
        """Return the time, by the clock of the house."""
        return self.now.now

    def is_held(self, thing: str) -> bool:
        try:
            return self.scene.object(thing).held_by is not None
        except SkillError:
            return False

    def is_too_heavy(self, thing: str) -> bool:
        """Return whether no hand lifts it."""
        try:
            return (self.scene.object(thing).mass or 0.0) > LIFTS
        except SkillError:
            return False

    def place_of(self, thing: str) -> str:
        """Return the place where a thing is; "" where nobody knows one to drive to."""
        scene = self.scene
        try:
            place = scene.place_of(scene.object(thing))
        except SkillError:
            return ""
        return place if any(known.name == place for known in scene.locations) else ""

    def is_with_somebody(self, thing: str) -> bool:
        place = self.place_of(thing)
        return any(known.name == place and known.kind == "person" for known in self.scene.locations)

    def is_at(self, thing: str, place: str) -> bool:
        """Return whether a thing is there already; False where nobody knows it, or the place."""
        scene = self.scene
        try:
            return scene.is_at(scene.object(thing), place)
        except SkillError:
            return False

    def lie_together(self, one: str, other: str) -> bool:
        """Return whether the one lies where the robot has just taken the other."""
        return self.place_of(one) == self.now.here and self.is_held(other)

    def door(self, place: str) -> str | None:
        """Return "open" or "closed"; None where there is no door."""
        try:
            return self.scene.location(place).door
        except SkillError:
            return None

    def kind(self, place: str) -> str:
        """Return that of Location; "" for what is no place."""
        try:
            return self.scene.location(place).kind
        except SkillError:
            return ""

    def name(self, place: str) -> str:
        """A place's own name; of a bowl and the like, that of the place where it is."""
        try:
            return self.scene.location(place).name
        except SkillError:
            return self.place_of(place) or place

    def is_refused(self, goal: Goal) -> bool:
        """Return whether a lesson refuses what is done with its thing."""
        return any(self.refuses(skill, given) for skill, given in goal.uses.items())

    def refuses(self, skill: str, given: Mapping[str, str]) -> bool:
        """Return whether a lesson refuses this call of a skill."""
        return bool(self.scene.objects) and self.now.forbids(skill, given)
