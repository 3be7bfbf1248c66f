"""What a call of a skill does in a scene: which things come to whom or where, by all their names and contents."""

from collections.abc import Iterator

from daemon.lexicon.harm import Known, Move
from daemon.lexicon.thing_knowledge import words_of
from skills.scene import Location, Scene, Thing
from skills.skill import SkillError


def moving(scene: Scene, name: str, to: str | Location) -> Move:
    """Return the move that brings a thing to a place, into another thing, or to a person."""
    target = _target(scene, to) if isinstance(to, str) else to
    around = [_known(one) for one in _around(scene, target)]
    inside = [known for one in _inside(scene, target) for known in _with_contents(one)]
    things = [known for one in _moved(scene, name) for known in _with_contents(one)]
    return Move(things or [Known((name,))], _known(target) if target else Known((str(to),)), around, inside)


def closing(scene: Scene, container: str) -> Move:
    """Return the move that closes a container over what is in it."""
    target = _target(scene, container)
    place = target.name if target else container
    things = [_known(thing) for thing in scene.objects if scene.place_of(thing) == place]
    return Move(things, _known(target) if target else Known((container,)), closes=True)


def _target(scene: Scene, name: str) -> Location | Thing | None:
    try:
        return scene.target(name)
    except SkillError:
        return None


def _moved(scene: Scene, name: str) -> list[Thing]:
    """The thing of that name, and what lies in or on it, however deep."""
    try:
        thing = scene.object(name)
    except SkillError:
        return []
    return [thing, *_inside(scene, thing)]


def _inside(scene: Scene, target: Location | Thing | None) -> list[Thing]:
    """Return what lies in or on a thing, however deep; nothing for a place."""
    if not isinstance(target, Thing):
        return []
    return [thing for thing in scene.objects if target in scene.carriers(thing)]


def _around(scene: Scene, target: Location | Thing | None) -> list[Location | Thing]:
    """Return what a thing stands in or on, and the place; nothing for a place."""
    if not isinstance(target, Thing):
        return []
    outermost = scene.place_of(target)
    return [*scene.carriers(target), *(place for place in scene.locations if place.name == outermost)]


def _known(one: Location | Thing) -> Known:
    if isinstance(one, Thing):
        return Known.from_state((one.name, *one.aliases, one.category), one.state)
    names = (one.name, *one.aliases)
    return Known.from_state((*names, *(part for name in names for part in _leading(one, name))), one.state)


def _leading(place: Location, name: str) -> Iterator[str]:
    """The beginnings of a person's name: baby Emma is a baby."""
    words = words_of(name) if place.kind == "person" else ()
    yield from (" ".join(words[:count]) for count in range(1, len(words)))


def _with_contents(thing: Thing) -> list[Known]:
    """A thing, and what a scene tells of its contents without showing it: {"contents": "tea"}."""
    return [_known(thing), *Known.told_inside(thing.state)]
