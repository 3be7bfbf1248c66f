"""A veto on harm, after the mind and before the motors: words that ask for harm, and deeds that would do it.

No rule that was learned, and no thought of a model, gets past it. What counts as harm is data: harm.toml, and in
things.txt what must never go where (daemon/lexicon).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from daemon.lexicon.harm import not_given, refusal
from daemon.lexicon.thing_knowledge import knowledge, spoken_name
from skills.scene import Scene
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
        acting = {skill.name for skill in skills if skill.uses}
        return {name: self._before(name, call) if name in acting else call for name, call in functions.items()}

    def _before(self, name: str, function: Function) -> Function:
        def call(*arguments: Any, **named: Any) -> Any:
            if no := refusal(self._words()):
                raise SkillError(no.rstrip("."), HINT)
            thing, where, *_ = [*map(str, [*arguments, *named.values()]), "", ""]
            if name == "place" and (why := self._kept_from(thing, where)):
                raise SkillError(f"{spoken_name(thing)} must not go to {spoken_name(where)}: {why}", HINT)
            if name == "handover" and (why := not_given(thing, self._here() or "")):
                raise SkillError(f"{spoken_name(thing)} is not for {self._here()}: {why}", HINT)
            return function(*arguments, **named)

        return call

    def _kept_from(self, thing: str, place: str) -> str:
        """Why a thing must not go to a place, by their names and what the thing is."""
        known = next((seen for seen in self._scene().objects if thing in (seen.name, *seen.aliases)), None)
        names = [thing, *([known.name] if known else [])]
        return next((why for name in names if (why := knowledge().forbids(name, place))), "")
