"""Several things fit an order: the one to take where any will do, else the question which is meant. Pure scene."""

import math
from collections.abc import Sequence

from daemon.console.raider.surroundings import Surroundings
from daemon.imitation.english.orders.order_reader import Order, Phrase
from daemon.lexicon.thing_knowledge import knowledge, spoken_name, without_number
from daemon.names import joined
from skills.scene import Scene


def one_that_will_do(order: Order, options: Sequence[str], scene: Scene, here: tuple[float, float]) -> str:
    """Return the nearest or farthest option, if the order says so or leaves the choice; "" where heed must ask.

    `here` is where the robot stands, metres of the map. What nobody has yet comes first, and then what is behind no
    door. Of things of which the wrong one does harm, none will do.
    """
    phrase = _unclear(order, options)
    if phrase is None or not (phrase.indifferent or phrase.nearest is not None) or not options:
        return ""
    if any(knowledge().is_any_of(knowledge().risky, name) for name in options):
        return ""
    shut = {place.name for place in scene.locations if place.door == "closed"}
    given = {place.name for place in scene.locations if place.kind == "person"}
    things = {thing.name: thing for thing in scene.objects}
    places = {place.name: place for place in scene.locations}

    def distance(name: str) -> float:
        at = things[name].position if name in things else places[name].approach if name in places else None
        return math.dist(here, at[:2]) if at else math.inf

    def rank(name: str) -> tuple[bool, bool, float]:
        place = scene.place_of(things[name]) if name in things else name
        behind_a_door = name in things and place in shut and phrase.nearest is None
        return place in given, behind_a_door, distance(name) * (-1 if phrase.nearest is False else 1)

    return min(options, key=rank)


def which(order: Order, options: Sequence[str], around: Surroundings) -> str:
    """Return the question which of the options is meant, by what tells them apart: "the clean one or the dirty one"."""
    phrase = _unclear(order, options)
    noun = phrase.noun.split()[-1] if phrase and phrase.noun else "one"
    told = [_told_apart(name, options, around) for name in options]
    return f"Which {noun} do you mean, {joined(told, 'or')}?"


def _told_apart(name: str, options: Sequence[str], around: Surroundings) -> str:
    """By its kind, else by a state, else by its place, that no other option has; else by its name."""
    items = {option: around.item(option) for option in options}
    own = items[name]
    others = [item for option, item in items.items() if option != name and item is not None]
    if own is None:
        return f"the {spoken_name(name)}"
    kinds = [without_number(option) for option in options]
    if len(set(kinds)) == len(kinds):
        return f"the {spoken_name(name)}"
    for key, value in own.state.items():
        if all(other.state.get(key) != value for other in others):
            return f"the {_state_word(key, value)} one"
    for relation, place in own.relations:
        if relation in ("inside", "on_top_of") and all((relation, place) not in other.relations for other in others):
            return f"the one {'in' if relation == 'inside' else 'on'} the {spoken_name(place)}"
    return f"the {spoken_name(name)}"


def _unclear(order: Order, options: Sequence[str]) -> Phrase | None:
    """Return the phrase that may mean any of the options: the place if all are called so, else the thing."""
    phrases = [phrase for phrase in (order.place, order.target) if phrase is not None and phrase.noun]
    fitting = [phrase for phrase in phrases if all(knowledge().is_called(phrase.noun, name) for name in options)]
    return next(iter([*fitting, *phrases[::-1]]), order.target)


def _state_word(key: str, value: object) -> str:
    if isinstance(value, bool):
        words = {"dirty": ("dirty", "clean"), "filled": ("full", "empty"), "open": ("open", "closed"),
                 "sliced": ("sliced", "whole"), "on": ("lit", "dark")}.get(key, (key, f"not {key}"))  # fmt: skip
        return words[0] if value else words[1]
    return str(value)
