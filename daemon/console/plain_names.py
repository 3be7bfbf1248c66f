"""Names without what machines put into them: multivitamin_juice for multivitamin-juice_0, large_cup for cup_large_0.

A taught mind learned to read names as people give them to things. So its prompts tell plain names, and what it writes
is read with the own ones in their place: nobody else knows of plain names.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from daemon.llm.model import NameScope, Prompt
from daemon.names import as_name, called, plain
from skills.scene import Scene
from skills.skill import Observation

TALK = ("say(", "ask(")
"""What statements begin with that name nothing."""
_QUOTED = re.compile(r"""(?<=')[\w]+(?=')|(?<=")[\w]+(?=")""")


@dataclass(frozen=True)
class PlainNames:
    """The plain names of one scene."""

    own: Mapping[str, str]
    """The own name of a thing or place by its plain one, where these differ and the plain one means nothing else."""

    @classmethod
    def of(cls, seen: Scene) -> "PlainNames":
        """Return those of what is seen."""
        things = tuple((thing.name, thing.category, *thing.aliases) for thing in seen.objects)
        return cls(_plain_among(things + tuple((place.name, "", *place.aliases) for place in seen.locations)))

    @classmethod
    def observed(cls, observation: Observation | None) -> "PlainNames":
        """Return those of an observation; none where nothing was seen."""
        entries = [*observation["objects"], *observation["locations"]] if observation else []
        return cls(
            _plain_among(
                tuple((entry["name"], entry.get("category", ""), *entry.get("aliases", ())) for entry in entries)
            )
        )

    def name(self, own: str) -> str:
        """Return the plain name of a thing or place."""
        return next((name for name, its in self.own.items() if its == own), own)

    def scene(self, seen: Scene) -> Scene:
        """Return the scene with plain names."""
        if not self.own:
            return seen
        things = (replace(one, name=self.name(one.name), location=self.name(one.location)) for one in seen.objects)
        places = (replace(place, name=self.name(place.name)) for place in seen.locations)
        return replace(seen, objects=tuple(things), locations=tuple(places))

    def told(self, transcript: str) -> str:
        """Return a transcript with plain names in its quotes."""
        for name, own in self.own.items():
            transcript = transcript.replace(repr(own), repr(name))
        return transcript

    def meant(self, statement: str) -> str:
        """Return a statement with the own names in its quotes; what is only said stays."""
        if not self.own or statement.lstrip().startswith(TALK):
            return statement
        return _QUOTED.sub(lambda quoted: self.own.get(quoted[0], quoted[0]), statement)

    def scope(self, scope: NameScope | None) -> NameScope | None:
        """Return what may be named, in plain names."""
        if scope is None or not self.own:
            return scope
        return replace(scope, names={kind: tuple(map(self.name, names)) for kind, names in scope.names.items()})

    def prompt(self, prompt: Prompt) -> Prompt:
        """Return a prompt, the text of which has plain names, for a mind that answers in them."""
        if not self.own:
            return prompt

        def all_told(statements: Sequence[str]) -> list[str]:
            return [*map(self.told, statements)]

        def all_meant(statements: Sequence[str]) -> list[str]:
            return [*map(self.meant, statements)]

        return replace(
            prompt,
            scope=lambda: self.scope(prompt.scope()),
            comes_to=lambda statement: all_told(prompt.comes_to(self.meant(statement))),
            taken=lambda statements: all_told(prompt.taken(all_meant(statements))),
            is_so=lambda statement: prompt.is_so(self.meant(statement)),
            routine=lambda words, rules: all_told(prompt.routine(words, rules)),
            is_told=lambda which, text: prompt.is_told(self.own.get(which, which), text),
        )


@lru_cache(8)
def _plain_among(ones: tuple[tuple[str, ...], ...]) -> Mapping[str, str]:
    """Return own names by plain ones. `ones`: the own name of each thing and place, its kind, then its other names."""
    plainly = {own: plain(own) for own, *_ in ones}
    times = Counter(as_name(name) for name in plainly.values())
    return {
        name: own
        for own, name in plainly.items()
        if name != own and times[name] == 1 and not any(_means(name, one) for one in ones if one[0] != own)
    }


def _means(name: str, one: tuple[str, ...]) -> bool:
    """Return whether a name may also mean this one: by its own name, its kind, or another name that it has."""
    own, kind, *others = one
    return called(own, name.replace("_", " ")) or name in (as_name(kind), *map(as_name, others))
