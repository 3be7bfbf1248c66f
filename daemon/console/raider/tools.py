"""What can be asked about the surroundings: sets of tools, as data. A new set needs no change of the flow.

Every tool takes names, which may be said a little wrongly, and returns a value that JSON can write.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process

from daemon.console.raider.surroundings import HANDOVER, Human, Surroundings
from daemon.lexicon.thing_knowledge import spoken_name

FAMILIAR = 75.0
"""Least similarity, of 100, at which a misspelt name is taken for the nearest one."""


class ToolError(ValueError):
    """The call cannot be answered: no such thing, or wrong arguments."""


@dataclass(frozen=True)
class Tool:
    """A question that the surroundings answer."""

    function: Callable[..., Any]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def signature(self) -> str:
        names = self.function.__code__.co_varnames[1 : self.function.__code__.co_argcount]
        return f"{self.name}({', '.join(names)})"

    @property
    def summary(self) -> str:
        return " ".join((self.function.__doc__ or "").split())


Tools = dict[str, Tool]


def robot_holding(around: Surroundings) -> list[str]:
    """What is in the robot's hands."""
    return list(around.holding)


def free_hands(around: Surroundings) -> int:
    """How many hands are empty."""
    return around.hands - len(around.holding)


def object_detection(around: Surroundings) -> list[str]:
    """The names of everything that is seen."""
    return [item.name for item in around.items]


def dist_to_target(around: Surroundings, target: str) -> float:
    """Metres from the robot to a thing."""
    return _item(around, target).distance


def reach(around: Surroundings) -> float:
    """Metres that the robot's hand reaches."""
    return around.reach


def get_obj_state(around: Surroundings, obj: str) -> dict[str, Any]:
    """The state of a thing, such as {"open": true}; what is not listed is not known."""
    return dict(_item(around, obj).state)


def check_obj_relationship(around: Surroundings, relationship: str, obj: str) -> list[str]:
    """What is blocking, inside, on top of, above, below, on the right of or on the left of a thing."""
    relation = _RELATIONS.get(relationship.lower().strip().replace("_", " "))
    if relation is None:
        raise ToolError(f"there is no relationship {relationship!r}; use one of {', '.join(_RELATIONS)}")
    name = _item(around, obj).name
    return around.related(relation, name)


def get_obj_properties(around: Surroundings, obj: str) -> list[str]:
    """What can be done with a thing: pickupable, openable, toggleable, sliceable, receptacle."""
    return sorted(_item(around, obj).properties)


def other_names(around: Surroundings, obj: str) -> list[str]:
    """What else a thing is called, and its category."""
    item = _item(around, obj)
    return [*item.aliases, *([item.category] if item.category else [])]


def check_free_path(around: Surroundings, target: str) -> str:
    """What stands in the way to a target; "" for a free way."""
    return around.blocked.get(_any_name(around, target), "")


def dist_between_objs(around: Surroundings, a: str, b: str) -> float | None:
    """Metres between two things; null where positions are not known."""
    one, other = _item(around, a), _item(around, b)
    if one.position is None or other.position is None:
        return abs(one.distance - other.distance)
    return float(np.linalg.norm(np.subtract(one.position, other.position)))


def dist_robot_to_obj(around: Surroundings, obj: str) -> float:
    """Metres from the robot to a thing."""
    return _item(around, obj).distance


def check_humans_around(around: Surroundings) -> int:
    """How many people are near."""
    return len(around.humans)


def recognize_humans(around: Surroundings) -> list[str]:
    """The names of the people who are recognised."""
    return [human.name for human in around.humans if human.known]


def dist_robot_to_human(around: Surroundings, human: str) -> float:
    """Metres from the robot to a person."""
    return _human(around, human).distance


def human_hands_free(around: Surroundings, human: str) -> bool:
    """Whether a person has a free hand."""
    return _human(around, human).hands_free


def detect_human_gaze(around: Surroundings, human: str) -> bool:
    """Whether a person looks at the robot."""
    return _human(around, human).looking


def handover_distance(around: Surroundings) -> float:
    """Metres at which a person can take something."""
    return HANDOVER


def named(tools: Iterable[Tool]) -> Tools:
    """Tools by their names."""
    return {tool.name: tool for tool in tools}


HOUSEHOLD = named(
    Tool(function)
    for function in (
        robot_holding,
        free_hands,
        object_detection,
        dist_to_target,
        reach,
        get_obj_state,
        check_obj_relationship,
        get_obj_properties,
        other_names,
    )
)
"""For a robot among things."""
ASSISTIVE = HOUSEHOLD | named(
    Tool(function)
    for function in (
        check_free_path,
        dist_between_objs,
        dist_robot_to_obj,
        check_humans_around,
        recognize_humans,
        dist_robot_to_human,
        human_hands_free,
        detect_human_gaze,
        handover_distance,
    )
)
"""For a robot that drives among people."""


def _item(around: Surroundings, name: str) -> Any:
    return next(item for item in around.items if item.name == _nearest(name, [item.name for item in around.items]))


def _human(around: Surroundings, name: str) -> Human:
    names = [human.name for human in around.humans]
    return next(human for human in around.humans if human.name == _nearest(name, names))


def _any_name(around: Surroundings, name: str) -> str:
    return _nearest(name, [*(item.name for item in around.items), *(human.name for human in around.humans)])


def _nearest(name: str, names: list[str]) -> str:
    if name in names:
        return name
    found = process.extractOne(
        spoken_name(str(name)), {known: spoken_name(known) for known in names}, scorer=fuzz.ratio, score_cutoff=FAMILIAR
    )
    if found is None:
        raise ToolError(f"there is nothing called {name!r}; there are {', '.join(names) or 'none'}")
    return str(found[2])


_RELATIONS = {
    "blocking": "blocking",
    "inside": "inside",
    "on top of": "on_top_of",
    "on": "on_top_of",
    "above": "above",
    "below": "below",
    "under": "below",
    "on the right of": "right_of",
    "right of": "right_of",
    "on the left of": "left_of",
    "left of": "left_of",
    "in front of": "in_front_of",
    "behind": "behind",
    "next to": "next_to",
    "containing": "containing",
    "blocked by": "blocked_by",
}
