"""Show a described world to skills, so that their own preconditions are held against it.

A description tells distances and no places: what lies in or on nothing has a place of its own here, and the robot
stands before the thing that a call is about where its hand reaches that. It has one arm and drives.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from daemon.console.raider.precondition_questions import is_so
from daemon.console.raider.surroundings import Human, Item, Surroundings
from hw.state import Pose2D, RobotState
from skills.needs import Moment
from skills.scene import Location, Scene, Thing

HAND = "right"
ELSEWHERE = Pose2D(-10.0, 0.0)
"""Where no place is."""
PLACE_OF = "the place of "
"""How the place of a thing is called that lies in or on nothing."""
ROOM_INSIDE = 9
"""How many things go into or onto a thing that holds any: a description tells no number."""


def moment_of(around: Surroundings, arguments: Mapping[str, str], reach: float | None = None) -> Moment:
    """Return the moment at which a skill is called with these arguments; the last is what its hand goes to.

    `reach` is in metres; None takes what the description tells.
    """
    parameter, aim = list(arguments.items())[-1]
    scene, item = scene_of(around), around.item(aim)
    near = item is not None and item.distance <= (around.reach if reach is None else reach)
    return Moment(scene, RobotState({}, _before(scene, parameter, aim) if near else ELSEWHERE), arguments)


def scene_of(described: Surroundings) -> Scene:
    """Return the things and places of a description; what is held may be told of by its name alone."""
    untold = [name for name in described.holding if described.item(name) is None]
    around = replace(described, items=(*described.items, *(Item(name) for name in untold)))
    lying = {item.name: _lies_at(item, around) for item in around.items}
    things = tuple(_thing(item, around, lying[item.name]) for item in around.items if _is_thing(item, around))
    places = [_place(item, metre) for metre, item in enumerate(around.items) if _is_place(item)]
    known = {place.name for place in places} | {thing.name for thing in things}
    own = sorted({lying[thing.name] for thing in things} - known)
    places += [Location(name, "surface", (0.0, float(metre), 0.0)) for metre, name in enumerate(own, start=1)]
    people = [_person(human, metre) for metre, human in enumerate(around.humans)]
    return Scene(things, (*places, *people), hands=(HAND,))


def _is_place(item: Item) -> bool:
    return "openable" in item.properties or ("receptacle" in item.properties and "pickupable" not in item.properties)


def _is_thing(item: Item, around: Surroundings) -> bool:
    """Return whether it can be in a hand, or is nothing else; a laptop is carried, and a place that opens."""
    return "pickupable" in item.properties or item.name in around.holding or not _is_place(item)


def _lies_at(item: Item, around: Surroundings) -> str:
    """Return what it is told to lie in or on, else a place of its own."""
    under: Iterable[str] = (*around.related("containing", item.name), *_told_on_top_of(item))
    return next((name for name in under if around.item(name)), f"{PLACE_OF}{item.name}")


def _told_on_top_of(item: Item) -> list[str]:
    return [other for relation, other in item.relations if relation == "on_top_of"]


def _thing(item: Item, around: Surroundings, location: str) -> Thing:
    held = HAND if item.name in around.holding else None
    holds = ROOM_INSIDE if "receptacle" in item.properties else 0
    return Thing(item.name, item.category, "" if held else location, (item.distance, 0.0, 0.7), held,
                 aliases=item.aliases, state=dict(item.state), holds=holds)  # fmt: skip


def _place(item: Item, metre: int) -> Location:
    point = (float(metre), 0.0, 0.7)
    holds, opens = "receptacle" in item.properties, "openable" in item.properties
    return Location(item.name, "container" if opens else "surface", (float(metre), 0.0, 0.0), point if holds else None,
                    _door(item) if opens else None, point if opens else None, aliases=item.aliases,
                    state=dict(item.state))  # fmt: skip


def _door(item: Item) -> str:
    """Return how the door is; where nothing tells, it is neither, so that nothing goes by it."""
    return {True: "open", False: "closed", None: "unknown"}[is_so(dict(item.state), "open", True)]


def _person(human: Human, metre: int) -> Location:
    state = {"name": human.name, "known": human.known, "looking": human.looking, "hands_free": human.hands_free}
    return Location(human.name, "person", (0.0, -1.0 - metre, 0.0), state=state)


def _before(scene: Scene, parameter: str, aim: str) -> Pose2D:
    """Return the pose from which the aim is reached: an object where it lies, anything else where it is, if a place."""
    lies_at = next((scene.place_of(thing) for thing in scene.objects if thing.name == aim), aim)
    wanted = (lies_at,) if parameter == "object" else (aim, lies_at)
    reached = (place for name in wanted for place in scene.locations if place.name == name)
    return next((Pose2D(*place.approach) for place in reached), ELSEWHERE)
