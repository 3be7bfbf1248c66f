"""A veto on harm, after the mind and before the motors: deeds that would do it, and words that ask for nothing else.

No rule that was learned, and no thought of a model, gets past it. What counts as harm is data: lexicon/harm.toml. It
knows names and states: a knife that is called "thing 3", and nothing else, is no knife to it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from daemon.console.moves import closing, moving
from daemon.lexicon.harm import Move, harm_of
from daemon.lexicon.harm_words import refusal
from daemon.lexicon.thing_knowledge import spoken_name
from skills.scene import Location, Scene
from skills.skill import Skill, SkillError

Function = Callable[..., Any]
HINT = "say that you do not do that, and why"


class Veto:
    """Stands before every skill that acts."""

    def __init__(self, words: Callable[[], str], scene: Callable[[], Scene], here: Callable[[], str | None]) -> None:
        """`words` are those that are being acted on; `here` is the place where the robot stands."""
        self._words = words
        self._scene = scene
        self._here = here

    def guarded(self, functions: Mapping[str, Function], skills: Iterable[Skill]) -> dict[str, Function]:
        """Return the functions, those of skills that act with the veto before them."""
        acting = {skill.name: skill for skill in skills if skill.uses}
        return {name: self._before(acting[name], call) if name in acting else call for name, call in functions.items()}

    def _before(self, skill: Skill, function: Function) -> Function:
        def call(*arguments: Any, **named: Any) -> Any:
            if no := refusal(self._words()):
                raise SkillError(no.rstrip("."), HINT)
            self._check(skill.name, _names_given(skill, arguments, named))
            return function(*arguments, **named)

        return call

    def _check(self, skill: str, names: list[str]) -> None:
        """Raise SkillError for a deed that does harm. Of two names the first is moved, and the second is where to."""
        scene = self._scene()
        if skill == "handover" and names and (person := scene.person(self._place(scene))):
            _refuse(moving(scene, names[0], person), f"{spoken_name(names[0])} is not for {person.name}")
        elif skill == "close_door" and names:
            _refuse(closing(scene, names[0]), f"{spoken_name(names[0])} must not be closed")
        elif len(names) > 1:
            told = f"{spoken_name(names[0])} must not go to {spoken_name(names[1])}"
            _refuse(moving(scene, names[0], names[1]), told)

    def _place(self, scene: Scene) -> Location | None:
        here = self._here()
        return next((place for place in scene.locations if place.name == here), None)


def _refuse(move: Move, told: str) -> None:
    if why := harm_of(move):
        raise SkillError(f"{told}: {why}", HINT)


def _names_given(skill: Skill, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> list[str]:
    """Return what a call names, the thing first; nothing for a call that must fail."""
    given = skill.given(arguments, named)
    names = sorted(given, key=lambda name: name != "object")
    return [given[name] for name in names if name != "hand" and isinstance(given[name], str)]
