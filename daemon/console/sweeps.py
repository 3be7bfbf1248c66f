"""Goals about many things: `put_all('bench', 'sink', 'drill')` is all that lies on the bench, but for the drill.

A small mind loses things when it lists them; code does not.
"""

import ast
from dataclasses import dataclass

from daemon.console.learning.scope import is_of_kind, looks_of
from daemon.names import forms, joined, mention, spoken
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
        try:
            node = ast.parse(statement, mode="eval").body
        except (SyntaxError, ValueError):
            return None
        match node:
            case ast.Call(func=ast.Name("put_all"), args=arguments, keywords=[]) if len(arguments) > 1:
                values = [argument.value for argument in arguments if isinstance(argument, ast.Constant)]
                named = [value for value in values if isinstance(value, str)]
                return cls(named[0], named[1], tuple(named[2:])) if len(named) == len(arguments) else None
        return None

    @property
    def told(self) -> str:
        """Return it in words: "take all of the brushes to the sink, but not the round brush"."""
        but = f", but not {joined([f'the {forms(thing)[0]}' for thing in self.but])}" if self.but else ""
        return f"take all of the {spoken(self.which)} to the {spoken(self.place)}{but}"

    def things(self, scene: Scene) -> list[str]:
        """Return the things that are meant, but for those that are there already."""
        meant = [thing for thing in scene.objects if thing.name not in self.but and self._means(thing, scene)]
        return [thing.name for thing in meant if scene.place_of(thing) != self.place]

    def _means(self, thing: Thing, scene: Scene) -> bool:
        try:
            return scene.place_of(thing) == scene.location(self.which).name
        except SkillError:
            of_kind = is_of_kind(thing, self.which) or self.which in looks_of(thing)
            return of_kind or any(mention(form, self.which) for form in (*forms(thing.name), thing.category) if form)
