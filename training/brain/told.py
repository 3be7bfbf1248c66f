"""A prompt that is told otherwise: its parts are changed, and written as one text again."""

import ast
import re
from collections.abc import Sequence

from daemon.console.prompt_parts import PEOPLE, SAID, Known, PromptParts, name_of, parts_of
from daemon.names import forms, mention

NEAR = "# near: "
_STANDS = re.compile(r"# you are at (.+?); left hand: (\w+), right hand: (\w+)$")


class Told(PromptParts):
    """A prompt in parts that become others."""

    @property
    def text(self) -> str:
        """Return the whole prompt."""
        places = [f"# {place}: {', '.join(inside)}" if inside else f"# {place}" for place, inside in self.places]
        people = f"{PEOPLE}{', '.join(self.people)}"
        return "\n".join([*self.before, *places, self.robot, people, *self.rules, *self.after])

    def say_otherwise(self, texts: Sequence[str]) -> None:
        """Put these for all that was said so far."""
        left = list(texts)
        for part in (self.before, self.after):
            for number, line in enumerate(part):
                if line.startswith(SAID):
                    part[number] = repr(ast.literal_eval(line) | {"text": left.pop(0)})

    @property
    def near(self) -> list[str]:
        """Return what is told to be near to the words."""
        return next((parts_of(line.removeprefix(NEAR)) for line in self.after if line.startswith(NEAR)), [])

    @near.setter
    def near(self, names: Sequence[str]) -> None:
        self.after = [NEAR + ", ".join(names) if line.startswith(NEAR) else line for line in self.after]

    @property
    def rooms(self) -> frozenset[str]:
        """Return the places that it tells."""
        return frozenset(name_of(place) for place, _ in self.places)

    @property
    def stands(self) -> tuple[str, list[str]]:
        """Return where the robot stands, and what it holds."""
        found = _STANDS.match(self.robot)
        return (found[1], [name for name in found.groups()[1:] if name != "empty"]) if found else ("", [])


def is_told_at(thing: Known, text: str) -> bool:
    """Return whether a text names the place where a thing is."""
    return any(mention(form, text) for form in forms(thing.place))


def words_in(thing: Known, text: str) -> str:
    """Return the longest of a thing's names that a text has; "" for none."""
    others = [word.removeprefix("also ") for word in thing.about.split(", ") if word.startswith("also ")]
    return max((one for one in [*forms(thing.name), *others] if one and mention(one, text)), key=len, default="")
