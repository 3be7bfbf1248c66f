"""What is where, told from what is seen: `tell('milk')` is what a mind answers to "where is the milk?".

    tell(thing)   tell(place)   tell(person)   tell(kind or state)

A small mind copies places wrongly, and lists half of what is there; code does not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from daemon.console.goals.sweeps import is_meant
from daemon.lexicon.inflection import is_or_are
from daemon.names import joined, spoken
from daemon.transcript import plain_call
from skills.scene import Location, Scene, Thing
from skills.skill import SkillError

TELL = ("tell", ("which",))
"""What it names, as the parameters of skills do: a thing, a place, a person, or a kind or a state of things."""


@dataclass(frozen=True)
class Tell:
    """What somebody wants to know of."""

    which: str

    @classmethod
    def of(cls, statement: str) -> "Tell | None":
        """The one that a statement writes; None for any other statement."""
        name, given = plain_call(statement)
        return cls(given[0]) if name == TELL[0] and len(given) == 1 else None

    def answer(self, scene: Scene) -> str:
        """Return it in words: "The milk is in the fridge.", "I see the drill and the saw on the bench."."""
        for told in (self._thing, self._place, self._kind):
            if answer := told(scene):
                return answer
        return f"I know of no {spoken(self.which)} here."

    def _thing(self, scene: Scene) -> str:
        try:
            thing = scene.object(self.which)
        except SkillError:
            return ""
        return f"{_sentence(_known(thing, scene))}."

    def _place(self, scene: Scene) -> str:
        try:
            place = scene.location(self.which)
        except SkillError:
            return ""
        there = [thing for thing in scene.objects if scene.place_of(thing) == place.name]
        if place.kind == "person":
            has = "You have" if place.name == "person" else f"{spoken(place.name).title()} has"
            return f"{has} {joined(names(there)) or 'nothing that I know of'}."
        door = f"The {spoken(place.name)} is {place.door}. " if place.door else ""
        if place.door == "closed":
            return f"{door}As far as I know {joined(names(there)) or 'nothing'} {_verb(there)} in it."
        seen, gone = ([thing for thing in there if thing.present is present] for present in (True, False))
        told = f"{door}I see {joined(names(seen)) or 'nothing'} {at(place)}."
        return (
            f"{told} {_sentence(joined(names(gone)))} {_PAST[_verb(gone)]} there when I last looked." if gone else told
        )

    def _kind(self, scene: Scene) -> str:
        meant = [thing for thing in scene.objects if is_meant(thing, self.which)]
        return f"{_sentence(joined([_known(thing, scene) for thing in meant]))}." if meant else ""


def _known(thing: Thing, scene: Scene) -> str:
    """Where it is, or was when it was seen."""
    it = "it" if _verb([thing]) == "is" else "them"
    return stands(thing, scene) if thing.present else f"{stands(thing, scene, was=True)} when I last saw {it}"


def _verb(things: Sequence[Thing]) -> str:
    return is_or_are(spoken(things[0].name)) if len(things) == 1 else "are" if things else "is"


def stands(thing: Thing, scene: Scene, was: bool = False) -> str:
    """Return where a thing is, or was: "the milk is in the fridge"."""
    places = {place.name: place for place in scene.locations}
    if thing.held_by:
        where = "in my hand"
    elif thing.location in places:
        where = at(places[thing.location])
    else:
        where = f"in the {spoken(thing.location)}" if thing.location else "somewhere that I do not know"
    name = spoken(thing.name)
    verb = is_or_are(name)
    return f"the {name} {_PAST[verb] if was else verb} {where}"


def at(place: Location) -> str:
    """Return a place with its preposition: "in the fridge", "with Mia"."""
    if place.kind == "person":
        return "with you" if place.name == "person" else f"with {spoken(place.name).title()}"
    inside = place.kind == "container" or place.door is not None
    return f"{'in' if inside else 'at' if place.kind == 'spot' else 'on'} the {spoken(place.name)}"


def names(things: Iterable[Thing]) -> list[str]:
    """Return things in words: "the milk"."""
    return [f"the {spoken(thing.name)}" for thing in things]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


_PAST = {"is": "was", "are": "were"}
