"""Skills that look: they move nothing."""

from hw.state import HardwareError
from skills.scene import Scene, Thing, ago
from skills.skill import SkillContext, SkillError, skill


def look(robot: SkillContext) -> Scene:
    """The scene as it is now."""
    return Scene.from_observation(robot.observe())


def look_afresh(robot: SkillContext, at: tuple[float, float, float] | None = None) -> None:
    """Wait for something that is newly seen; raises SkillError where nothing is.

    at: a point of the map to which a head that turns is turned before.
    """
    if at is not None:
        robot.face(at)
    try:
        robot.look()
    except HardwareError as error:
        raise SkillError(str(error).partition(" (hint:")[0], "tell the person that you cannot see") from error


@skill()
def list_objects(robot: SkillContext) -> list[tuple[str, str, str]]:
    """(name, category, location) of every known object; a held object is at 'left hand' or 'right hand'."""
    return [(thing.name, thing.category, where(thing)) for thing in look(robot).objects]


@skill()
def get_objects_in_sight(robot: SkillContext) -> list[tuple[str, str, str]]:
    """(name, category, location) of what is in sight from here, or in a hand, after a fresh look."""
    look_afresh(robot)
    return [(thing.name, thing.category, where(thing)) for thing in look(robot).objects if thing.present]


@skill()
def read_labels(robot: SkillContext, words: str = "") -> list[tuple[str, str]]:
    """Labels in sight. (words, object that they are on, '' for none); it takes seconds to read them.

    words: what is looked for; a thing without a name whose label says so has that name from then on.
    """
    try:
        return list(robot.labels(words))
    except HardwareError as error:
        raise SkillError(f"I cannot read now: {str(error).partition(' (hint:')[0]}", "tell the person") from error


@skill()
def list_locations(robot: SkillContext) -> list[str]:
    """Names of the places that move_to() knows."""
    return [place.name for place in look(robot).locations]


@skill()
def other_names(robot: SkillContext) -> dict[str, str]:
    """What people also call objects and locations here: their word -> the name."""
    scene = look(robot)
    objects = {alias: thing.name for thing in scene.objects for alias in thing.aliases}
    return objects | {alias: place.name for place in scene.locations for alias in place.aliases}


@skill()
def get_object_location(robot: SkillContext, object: str) -> str:
    """Where an object is; of one that is not in sight, where it was seen and how long ago."""
    thing = look(robot).object(object)
    return where(thing) if thing.present else f"{where(thing)}, seen {ago(thing.age)}"


@skill()
def get_object_in_hand(robot: SkillContext, hand: str) -> str | None:
    """What the 'left' or 'right' hand holds, or None."""
    thing = look(robot).in_hand(hand)
    return thing.name if thing else None


@skill()
def get_robot_location(robot: SkillContext) -> str | None:
    """The place where the robot stands, or None between places."""
    base = robot.body.state().base
    place = look(robot).location_at(base.x, base.y)
    return place.name if place else None


@skill()
def is_open(robot: SkillContext, container: str) -> bool:
    """Whether the door of a container is open; True where there is none."""
    return look(robot).location(container).door != "closed"


def where(thing: Thing) -> str:
    """The location of an object as the model reads it."""
    return f"{thing.held_by} hand" if thing.held_by else thing.location
