"""What a routine's steps come to, where they are nothing but things, numbers of them, and one place.

A routine is kept in a person's words, and its name means them each time. A small mind forgets a part of these, or takes
three cups for two; what code finds in the names that are here it does not. It reads nothing else: where a single word
is left that it does not know, the mind does it.
"""

from collections.abc import Sequence

from daemon.console.counts import counts_in
from daemon.console.goals.goal import written
from daemon.console.named_things import Named, named_in
from daemon.console.situation import SOMEBODY
from daemon.memory.effects import Routine
from daemon.memory.sentence_to_effect import read_effect
from daemon.names import mention
from daemon.phrasebook import phrasebook, plain
from skills.scene import Location, Scene, Thing


def routine_asked_for(words: str, rules: Sequence[str], scene: Scene) -> list[str]:
    """Return the goals of the routine that words name, if one of these rules tells it, and what to say then.

    Nothing where a word besides its name does more than ask, where they name another one too, and where its steps are
    not plain.
    """
    effects = [effect for rule in rules if isinstance(effect := read_effect(rule), Routine) and rule.startswith("The ")]
    named = [(found, effect) for effect in effects if (found := mention(effect.name, words))]
    if not named:
        return []
    found, effect = max(named, key=lambda one: one[0].end() - one[0].start())
    besides = f"{words[: found.start()]} {words[found.end() :]}"
    if any(mention(other.name, besides) for other in effects) or not _all_in(besides, "asks"):
        return []
    goals = _goals(effect.content, scene)
    return [*goals, written("say", f"That is the {effect.name}.")] if goals else []


def _goals(steps: str, scene: Scene) -> list[str]:
    """Return the goals that steps come to; nothing where that is not plain."""
    named = [*named_in(steps, scene)]
    places = {place.name: place for one in named for place in one.places}
    if len(places) > 1 or not _all_in(_without(named, steps), "joins"):
        return []
    things: list[Thing] = []
    for one in named:
        free = [thing for thing in one.things if thing not in things]
        if len(one.things) == 1 and not free:
            continue  # it is named twice
        if one.number == 0 or (one.things and not (one.are_alike and 0 < (one.number or len(free)) <= len(free))):
            return []
        things += free[: one.number]
    return _brought(things, next(iter(places.values()), None))


def _without(named: Sequence[Named], text: str) -> str:
    ends = [0, *(one.end for one in named)]
    starts = [*(one.start for one in named), len(text)]
    return " ".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _all_in(text: str, words: str) -> bool:
    """Return whether a text has no other words than these of the phrasebook, and numbers."""
    known = phrasebook()["routine"][words]
    return all(word in known or (words == "joins" and any(counts_in(word))) for word in plain(text).split())


def _brought(things: Sequence[Thing], place: Location | None) -> list[str]:
    if place is None or place.kind == "person":
        return [written("bring", thing.name, place.name if place else SOMEBODY) for thing in things]
    return [written("put", thing.name, place.name) for thing in things]
