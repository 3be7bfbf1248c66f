"""What a routine's steps come to, where they are nothing but things, numbers of them, and one place.

A routine is kept in a person's words, and its name means them each time. A small mind forgets a part of these, or takes
three cups for two; what code finds in the names that are here it does not. It reads nothing else: where a single word
is left that it does not know, the mind does it.
"""

from collections.abc import Sequence

from daemon.console.goals.goal import written
from daemon.console.named_things import Named, named_in
from daemon.console.situation import SOMEBODY
from daemon.memory.effects import Routine
from daemon.memory.sentence_to_effect import person_in, read_effect, time_in
from daemon.names import called, mention
from daemon.phrasebook import phrasebook, plain
from skills.scene import Location, Scene, Thing


def routine_asked_for(words: str, rules: Sequence[str], scene: Scene) -> list[str]:
    """Return the goals of the routine that words name, and what to say then; `rules` have the newest last.

    Nothing where words do more than name it and ask, or name another one too, and where its steps are not plain. Nor
    where something that is here has its name, or another rule speaks of it, such as one person's.
    """
    told = [(found, effect) for effect in map(_routine, rules) if effect and (found := mention(effect.name, words))]
    if not told:
        return []
    found, effect = max(reversed(told), key=lambda one: one[0].end() - one[0].start())
    besides = f"{words[: found.start()]} {words[found.end() :]}"
    if any(mention(other.name, besides) for _, other in told) or _words(besides) - _known("asks"):
        return []
    is_here = any(called(way, effect.name) for way in scene.names if way)
    if is_here or any(mention(effect.name, rule) for rule in rules if not _routine(rule)):
        return []
    goals = _goals(effect.content, scene)
    return [*goals, written("say", f"That is the {effect.name}.")] if goals else []


def _routine(rule: str) -> Routine | None:
    """The routine that a rule tells for everybody and always; None for another rule."""
    effect = None if person_in(rule) or time_in(rule) else read_effect(rule)
    return effect if isinstance(effect, Routine) else None


def _goals(steps: str, scene: Scene) -> list[str]:
    """Return the goals that steps come to; nothing where that is not plain."""
    named = [*named_in(steps, scene)]
    places = {place.name: place for one in named for place in one.places}
    place = next(iter(places.values()), None)
    things = _things(named, scene, place.name if place else SOMEBODY)
    if not things or not _is_plain(steps, named, len(places)):
        return []
    if place and all(thing.location == place.name for thing in things):
        return []  # that may be where they are taken from
    return _brought(things, place)


def _is_plain(steps: str, named: Sequence[Named], places: int) -> bool:
    """Return whether nothing but joining words stands between names, and nothing tells of a second place, of something
    to be put into a thing, or of a sort of things ("two clean towels").
    """
    at, joins = 0, set[str]()
    for one in named:
        count = steps[one.begin : one.start]
        before = _words(steps[at : one.start].removesuffix(count))
        if one.things and (before & _known("into") or len(_words(count)) > 1):
            return False
        joins |= before
        at = one.end
    joins |= _words(steps[at:])
    return joins <= _known("joins") and places + bool(joins & _known("persons")) <= 1


def _things(named: Sequence[Named], scene: Scene, target: str) -> list[Thing]:
    """The things that are named, of those that are alike the ones that are there already first, then those that are
    seen; none where there are too few of some, where it is open which, or where somebody else has one.
    """

    others = {place.name for place in scene.locations if place.kind == "person"} - {target}

    def rank(thing: Thing) -> tuple[bool, bool, bool]:
        place = scene.place_of(thing)
        return place != target, place in others, not thing.present

    things: list[Thing] = []
    for one in named:
        free = sorted((thing for thing in one.things if thing not in things), key=rank)
        if len(one.things) == 1 and not free:
            continue  # it is named twice
        if one.number == 0 or (one.things and not (one.are_alike and 0 < (one.number or len(free)) <= len(free))):
            return []
        things += free[: one.number]
    return [] if any(scene.place_of(thing) in others for thing in things) else things


def _words(text: str) -> set[str]:
    return {*plain(text).split()}


def _known(words: str) -> set[str]:
    """Words of the phrasebook."""
    return {*phrasebook()["routine"][words]}


def _brought(things: Sequence[Thing], place: Location | None) -> list[str]:
    if place is None or place.kind == "person":
        return [written("bring", thing.name, place.name if place else SOMEBODY) for thing in things]
    return [written("put", thing.name, place.name) for thing in things]
