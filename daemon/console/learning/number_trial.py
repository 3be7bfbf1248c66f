"""Tries a number once on a body that is only thought of, before it is offered: what does not work is never kept."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from skills.scene import Scene, Thing
from skills.skill import Observation, Skill, SkillContext, SkillError

Call = tuple[str, Mapping[str, Any]]
"""Skill and arguments."""


class Trial:
    """Does what a number is about in a copy of what is seen, with the number and without it."""

    def __init__(
        self,
        skills: Mapping[str, Skill],
        imagine: Callable[[Observation], SkillContext],
        observe: Callable[[], Observation],
    ) -> None:
        """`imagine` makes a body in a copy of an observed scene."""
        self._skills = skills
        self._imagine = imagine
        self._observe = observe

    def require(self, skill: str, value: float, thing: str = "", end: str = "") -> None:
        """Raise SkillError where there is no such place, and where what works as usual fails with this number."""
        scene = Scene.from_observation(self._observe())
        if end:
            scene.location(end)
        usual, name = _usual(skill, thing, end, scene)
        *before, (last, arguments) = usual
        trouble = self._trouble([*before, (last, {**arguments, name: value})])
        if trouble and str(trouble) != str(self._trouble(usual)):
            raise SkillError(f"I imagined that, and it would not work: {trouble.message}", trouble.hint)

    def _trouble(self, calls: Sequence[Call]) -> SkillError | None:
        context = self._imagine(self._observe())
        try:
            for name, arguments in calls:
                self._skills[name].bind(context)(**arguments)
        except SkillError as error:
            return error
        return None


def _usual(skill: str, thing: str, end: str, scene: Scene) -> tuple[list[Call], str]:
    """Return what is done without the number, and the name of the last call's argument that it is."""
    if skill == "move_to":
        return [_go(end or scene.locations[0].name)], "speed"
    if skill == "grasp":
        taken = _one_of(thing, scene)
        return [*_at(taken.location, "open", scene), ("grasp", {"object": taken.name})], "higher"
    door, before = ("close_door", "open") if skill == "close_door" else ("open_door", "closed")
    return [*_at(end, before, scene), (door, {"container": end})], "further" if skill == "pull" else "speed"


def _at(place: str, door: str, scene: Scene) -> list[Call]:
    """Go there, and see to it that its door, if it has one, is open or closed."""
    seen = scene.location(place).door
    change = {"open": "open_door", "closed": "close_door"}[door]
    return [_go(place), *([(change, {"container": place})] if seen not in (None, door) else [])]


def _go(place: str) -> Call:
    return "move_to", {"location": place}


def _one_of(thing: str, scene: Scene) -> Thing:
    """The thing, else one of the kind, else any: limits are the same for all."""
    fits = (lambda one: thing in (one.name, *one.aliases), lambda one: one.category == thing, lambda one: True)
    lying = [one for one in scene.objects if not one.held_by]
    return next(one for fit in fits for one in lying if fit(one))
