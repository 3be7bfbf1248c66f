"""Goals about many things: `put_all('bench', 'sink', 'drill')` is all that lies on the bench, but for the drill.

A small mind loses things when it lists them; code does not.
"""

from contextlib import suppress
from dataclasses import dataclass

from daemon.console.learning.scope import is_of_kind, looks_of
from daemon.names import forms, joined, mention, spoken
from daemon.transcript import plain_call
from skills.scene import Scene, Thing
from skills.skill import SkillError

SWEEP = ("put_all", ("which", "location", "object", "object", "object"))
"""What it names, as the parameters of skills do: a place, a kind or a state; where it all goes; what stays."""


@dataclass(frozen=True)
class Sweep:
    """Things that are all to be at one place, or with one person."""

    which: str
    """A place, where they are now; or a kind or a state of things, wherever they are."""
    place: str
    but: tuple[str, ...] = ()

    @classmethod
    def of(cls, statement: str) -> "Sweep | None":
        """The one that a statement writes; None for any other statement."""
        name, given = plain_call(statement)
        return cls(given[0], given[1], given[2:]) if name == SWEEP[0] and len(given) > 1 else None

    @property
    def told(self) -> str:
        """Return it in words: "take all of the brushes to the sink, but not the round brush"."""
        but = f", but not {joined([f'the {forms(thing)[0]}' for thing in self.but])}" if self.but else ""
        return f"take all of the {spoken(self.which)} to the {spoken(self.place)}{but}"

    def things(self, scene: Scene) -> list[str]:
        """Return the things that are meant, but for those that are there already; all, where nobody knows the place."""
        with suppress(SkillError):
            return [thing.name for thing in self._meant(scene) if not scene.is_at(thing, self.place)]
        return [thing.name for thing in self._meant(scene)]

    def is_so(self, scene: Scene) -> bool:
        """Return whether something is meant, and all of it is there already."""
        return any(self._meant(scene)) and not self.things(scene)

    def _meant(self, scene: Scene) -> list[Thing]:
        return [thing for thing in scene.objects if thing.name not in self.but and self._means(thing, scene)]

    def _means(self, thing: Thing, scene: Scene) -> bool:
        place = _place_in(self.which, scene)
        return scene.place_of(thing) == place if place else is_meant(thing, self.which)


def is_meant(thing: Thing, which: str) -> bool:
    """Return whether a thing is of this kind as people usually mean it, or in this state."""
    of_kind = is_of_kind(thing, which, usually=True) or which in looks_of(thing)
    return of_kind or any(mention(form, which) for form in (*forms(thing.name), thing.category) if form)


def _place_in(called: str, scene: Scene) -> str:
    """The own name of what is called so, where that is a place; "" where it is none."""
    try:
        return scene.location(called).name
    except SkillError:
        return ""
