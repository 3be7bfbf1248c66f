"""What people call things and places here: a name that was taught stands in the scene beside those that are known.

So does that of who speaks, where nobody is seen who has it: it is another name of the place where somebody stands.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from daemon.console.situation import SOMEBODY
from daemon.memory.effects import Meaning
from daemon.memory.rules import Rule
from daemon.names import as_name, called, without_article
from skills.scene import Location, Scene, Thing

Named = TypeVar("Named", Thing, Location)


def learned_names(scene: Scene, rules: Iterable[Rule]) -> Mapping[str, str]:
    """Return the own name of each thing and place here by the name that it was given: "beast" for the pot.

    Of two things that were given the same name the one that got it last has it.
    """
    meanings = [rule.effect for rule in rules if isinstance(rule.effect, Meaning)]
    taught = {without_article(meaning.word): meaning.phrase for meaning in meanings}
    return {name: meant for name, phrase in taught.items() if (meant := _meant(scene, name, phrase))}


def name_of_speaker(scene: Scene, speaker: str) -> Mapping[str, str]:
    """Return `SOMEBODY` by the name of who speaks, written as names of persons are; nothing where that is taken."""
    name = as_name(speaker)
    here = any(place.name == SOMEBODY for place in scene.locations)
    return {name: SOMEBODY} if name and here and not any(called(other, name) for other in scene.names) else {}


def with_names(scene: Scene, names: Mapping[str, str]) -> Scene:
    """Return the scene in which things and places have such names, too."""
    if not names:
        return scene
    things = tuple(_called(thing, names) for thing in scene.objects)
    places = tuple(_called(place, names) for place in scene.locations)
    return replace(scene, objects=things, locations=places)


def _meant(scene: Scene, name: str, phrase: str) -> str:
    """Return the own name of the only one here that a phrase means; "" where something is called `name` already."""
    if any(called(other, name) for other in scene.names):
        return ""
    ones: list[Thing | Location] = [*scene.objects, *scene.locations]
    meant = [one.name for one in ones if any(called(other, phrase) for other in (one.name, *one.aliases))]
    return meant[0] if len(meant) == 1 else ""


def _called(one: Named, own: Mapping[str, str]) -> Named:
    given: list[str] = [name for name, meant in own.items() if meant == one.name]
    return replace(one, aliases=(*one.aliases, *given)) if given else one
