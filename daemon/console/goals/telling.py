"""What is where, told from what is seen: `tell('milk')` is what a mind answers to "where is the milk?".

    tell(thing)    tell(place)    tell(person)    tell(kind or state)
    tell('robot')  tell('time')   tell('skills')  tell('scene')

A small mind copies places wrongly, and lists half of what is there; code does not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from daemon.console.goals.surroundings import Seen
from daemon.console.goals.sweeps import is_meant
from daemon.console.situation import SOMEBODY
from daemon.lexicon.inflection import is_or_are
from daemon.names import forms, joined, mention, spoken
from daemon.transcript import plain_call
from skills.scene import Location, Scene, Thing
from skills.skill import SkillError

TELL = ("tell", ("which",))
"""What it names, as the parameters of skills do: a thing, a place, a person, or a kind or a state of things."""
ROBOT, TIME, SKILLS, SCENE = "robot", "time", "skills", "scene"
"""What else can be told, where nothing here is called so: where the robot is and what it holds, what it can do, and all
that it sees standing about or holds."""
DOES, DRIVES, DOES_TOO = (
    "I can {hand} you things and put them where you say",
    "open and close doors, go where you send me",
    "tell you what is where, do things later, and remember what you teach me",
)


@dataclass(frozen=True)
class Tell:
    """What somebody wants to know of."""

    which: str

    @classmethod
    def of(cls, statement: str) -> "Tell | None":
        """The one that a statement writes; None for any other statement."""
        name, given = plain_call(statement)
        return cls(given[0]) if name == TELL[0] and len(given) == 1 else None

    def answer(self, seen: Seen) -> str:
        """Return it in words: "The milk is in the fridge.", "I see the drill and the saw on the bench."."""
        scene = seen.scene
        for told in (self._thing, self._place, self._kind):
            if answer := told(scene):
                return answer
        if self.which == ROBOT:
            return _stands(seen)
        if self.which == TIME:
            return f"It is {seen.time:%H:%M}, {seen.time:%A} {seen.time.day} {seen.time:%B}."
        if self.which == SKILLS:
            return _skills(scene)
        if self.which == SCENE:
            return _all_there_is(scene)
        return f"I know of no {spoken(self.which)} here."

    def is_in(self, text: str, seen: Seen) -> bool:
        """Return whether words that a mind found for it tell what is so: the place, or all that lies there."""
        scene = seen.scene
        if thing := next((one for one in scene.objects if self.which in (one.name, *one.aliases)), None):
            return _tells_place(text, scene.place_of(thing), scene, held=bool(thing.held_by))
        if place := next((one for one in scene.locations if self.which in (one.name, *one.aliases)), None):
            there = [thing for thing in scene.objects if scene.place_of(thing) == place.name]
            others = [thing for thing in scene.objects if thing not in there]
            wrong = any(mention(name, text) for thing in others for name in (spoken(thing.name), *thing.aliases))
            return (
                bool(there)
                and all(_is_named(thing, text) for thing in there)
                and not wrong
                and not _repeats(there, text)
            )
        if self.which == ROBOT:
            shut_in = [
                f"{word} the {place.name}"
                for place in scene.locations
                if place.kind == "container"
                for word in ("in", "inside")
            ]
            return _tells_place(text, seen.now.here, scene) and not any(mention(words, text) for words in shut_in)
        return self.which == TIME and f"{seen.time:%H:%M}" in text

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


def _tells_place(text: str, name: str, scene: Scene, held: bool = False) -> bool:
    """Return whether a text names this place, or a hand for what is `held`, and no other one."""
    others = [place for place in scene.locations if place.name != name and place.kind != "person"]
    if any(_is_named(place, text) for place in others):
        return False
    if held:
        return mention("hand", text) is not None
    if name == SOMEBODY and mention("you", text):
        return True
    return any(_is_named(place, text) for place in scene.locations if place.name == name)


def _repeats(things: Iterable[Thing], text: str) -> bool:
    """Return whether a list names one of these twice, as a small mind does where it lost count."""
    for name in sorted((thing.name for thing in things), key=len, reverse=True):
        if first := mention(name, text):
            text = text[: first.start()] + text[first.end() :]  # "the blue cup and the cup" are two
            if mention(name, text):
                return True
    return False


def _is_named(one: Thing | Location, text: str) -> bool:
    return any(mention(name, text) for name in (*forms(one.name), *one.aliases))


def _stands(seen: Seen) -> str:
    """Where the robot is, and what it holds."""
    scene, here = seen.scene, seen.now.here
    place = next((one for one in scene.locations if one.name == here), None)
    stands = f"I am {_beside(place)}" if place else "I am between places"
    held = _held(scene)
    return f"{stands if scene.drives else 'I stand still'}, {f'with {joined(held)}' if held else 'with empty hands'}."


def _held(scene: Scene) -> list[str]:
    return [f"the {spoken(thing.name)} in my {hand} hand" for hand in scene.hands if (thing := scene.in_hand(hand))]


def _skills(scene: Scene) -> str:
    does = DOES.format(hand="bring" if scene.drives else "hand")
    near = next((spoken(thing.name) for thing in scene.objects if thing.present), "cup")
    parts = [does, *([DRIVES] if scene.drives else []), DOES_TOO]
    return f"{', '.join(parts)}. Say, for example: bring me the {near}."


def _all_there_is(scene: Scene) -> str:
    """What is seen, place by place; behind a closed door nothing is."""
    told = []
    for place in scene.locations:
        if place.kind != "person" and place.door != "closed":
            things = [thing for thing in scene.objects if thing.present and scene.place_of(thing) == place.name]
            told += [f"{joined(names(things))} {at(place)}"] if things else []
    told += [joined(held)] if (held := _held(scene)) else []
    return f"I see {'; '.join(told) or 'nothing that I know'}."


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


def _beside(place: Location) -> str:
    """Where the robot stands when it is there."""
    return at(place) if place.kind == "person" else f"at the {spoken(place.name)}"


def names(things: Iterable[Thing]) -> list[str]:
    """Return things in words: "the milk"."""
    return [f"the {spoken(thing.name)}" for thing in things]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


_PAST = {"is": "was", "are": "were"}
