"""What a step of a recovery is on this robot: the statements for it, by how things are now. Pure scene."""

from collections.abc import Callable

from daemon.imitation.english.orders.recovery import TABLE, Do, RecoveryError
from daemon.lexicon.thing_knowledge import spoken_name, words_of
from skills.scene import Location, Scene, Thing
from skills.skill import SkillError

HERE = "current_loc"


def statements_for(do: Do, scene: Scene, began_at: str) -> list[str]:
    """Console statements; `began_at` is the place where the robot stood before. Raises RecoveryError."""
    if do.name in ("ask", "say"):
        return [f"{do.name}({do.arguments[0]!r})"]
    if do.name not in _STATEMENTS or not do.arguments:
        raise RecoveryError(f"I cannot {do.name}")
    try:
        return _STATEMENTS[do.name](scene, *do.arguments[:2], began_at)
    except SkillError as error:
        raise RecoveryError(error.message) from error


def _move_to(scene: Scene, said: str, began_at: str) -> list[str]:
    if said == HERE:
        return [f"move_to({began_at!r})"] if began_at else []
    return [f"move_to({_place(scene, said).name!r})"]


def _pick(scene: Scene, said: str, began_at: str) -> list[str]:
    thing = _thing(scene, said)
    place = scene.location(scene.place_of(thing))
    return [*_reach_into(place), f"grasp({thing.name!r})"]


def _put(scene: Scene, said: str, where: str, began_at: str) -> list[str]:
    place = _place(scene, where)
    return [f"place({_thing(scene, said).name!r}, {place.name!r})"]


def _open(scene: Scene, said: str, began_at: str) -> list[str]:
    place = _place(scene, said)
    return [f"move_to({place.name!r})", f"open_door({place.name!r})"]


def _close(scene: Scene, said: str, began_at: str) -> list[str]:
    place = _place(scene, said)
    return [f"move_to({place.name!r})", f"close_door({place.name!r})"]


def _reach_into(place: Location) -> list[str]:
    shut = [f"open_door({place.name!r})"] if place.door == "closed" else []
    return [f"move_to({place.name!r})", *shut]


def _thing(scene: Scene, said: str) -> Thing:
    same = [thing for thing in scene.objects if words_of(thing.name) == words_of(said)]
    return same[0] if same else scene.object(said)


def _place(scene: Scene, said: str) -> Location:
    """The place of that name, the one where a thing of that name is, or the one that an answer speaks of."""
    if said == TABLE:
        free = [place for place in scene.locations if place.kind == "surface" and place.surface is not None]
        if not free:
            raise RecoveryError("there is nowhere to put anything down")
        return free[0]
    words = f" {' '.join(words_of(said))} "
    for place in scene.locations:
        if any(f" {' '.join(words_of(name))} " in words for name in (place.name, *place.aliases)):
            return place
    for thing in scene.objects:
        if words_of(thing.name) == words_of(said):
            return scene.location(scene.place_of(thing))
    raise RecoveryError(f"I do not know a place called {spoken_name(said)}")


_STATEMENTS: dict[str, Callable[..., list[str]]] = {
    "move_to": _move_to,
    "approach": _move_to,
    "pick": _pick,
    "place": _put,
    "open": _open,
    "close": _close,
}
