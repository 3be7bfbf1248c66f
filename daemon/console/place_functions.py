"""What a mind calls to learn where it is: places that a person names, kept with where the base stands there.

Needs no camera: the person drives or pushes the robot somewhere, and says what that is.
"""

import re
from collections.abc import Callable
from typing import Any, Protocol

from daemon.console.builtins import Conversation
from daemon.console.learning.memory_calls import NOT_REMEMBERED, require_yes, require_yes_to_forget
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.place_book import KINDS, Place
from daemon.names import spoken
from skills.scene import Scene
from skills.skill import Observation, Skill, SkillError

HIGHEST = 2.0
"""Metres: nothing that stands higher is reached."""


class Book(Protocol):
    """Where places are kept; see PlaceBook."""

    def places(self) -> list[Place]: ...
    def keep(self, place: Place) -> None: ...
    def forget(self, name: str) -> bool: ...


class Body(Protocol):
    """What places need of the body."""

    def pose(self) -> tuple[float, float, float] | None:
        """Return where the base stands: x, y in metres, theta in radians, map frame; None while nobody knows."""
        ...

    def observe(self) -> Observation: ...

    def stands_at(self, pose: tuple[float, float, float], by: str) -> None:
        """Take it from a person that the base stands there. Raises SkillError, as while anything moves."""
        ...


class Places:
    """Functions for the console; nothing is kept or forgotten before the person has said yes."""

    def __init__(self, conversation: Conversation, book: Book, body: Body, confirm: bool = True) -> None:
        """Without `confirm` nobody is asked (config.toml)."""
        self._conversation = conversation
        self._book = book
        self._body = body
        self._confirm = confirm

    def keep_place(self, name: str, kind: str = "surface", height: float = 0.0) -> str:
        """Keep where you stand as a place: 'surface' or 'container' with the metres at which things stand, 'spot' or
        'person'.
        """
        called = "_".join(re.findall(r"[a-z0-9]+", name.lower().removeprefix("the ")))
        if not called or kind not in KINDS:
            raise SkillError(f"there is no place {name!r} of the kind {kind!r}", f"use one of {', '.join(KINDS)}")
        pose = self._body.pose()
        if pose is None:
            raise SkillError("I do not know where I stand", "ask at which place that is, and stand_at() it")
        if any(place.name == called for place in self._seen_places()):
            raise SkillError(f"{called} is known already, and I see where it is", "choose another name")
        holds = kind in ("surface", "container")
        high = self._height(height, called) if holds else 0.0
        place = Place(called, kind, *pose, high, self._conversation.speaker or "owner")
        if self._confirm:
            require_yes(self._conversation, f"{_told(place)} Shall I remember that?", NOT_REMEMBERED)
        self._written(lambda: self._book.keep(place))
        self._conversation.say("Thank you, I will remember that.")
        return "success"

    def stand_at(self, place: str) -> str:
        """Know that you stand at a place. The person says so."""
        known = Scene.from_observation(self._body.observe()).location(place)
        self._body.stands_at(known.approach, self._conversation.speaker or "a person")
        return "success"

    def forget_place(self, place: str) -> str:
        """Forget a taught place."""
        known = next((one for one in self._book.places() if spoken(one.name) == spoken(place.strip().lower())), None)
        if known is None:
            raise SkillError(f"nobody taught me a place {place!r}", "list_locations() tells which there are")
        if self._confirm:
            question = f"Shall I forget where the {spoken(known.name)} is?"
            require_yes_to_forget(self._conversation, question)
        self._written(lambda: self._book.forget(known.name))
        self._conversation.say("I have forgotten it.")
        return "success"

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return what the console offers."""
        return {skill.name: getattr(self, skill.name) for skill in PLACES}

    def _seen_places(self) -> list[Any]:
        """Those that are known without having been taught."""
        taught = {place.name for place in self._book.places()}
        seen = Scene.from_observation(self._body.observe())
        return [place for place in seen.locations if place.name not in taught]

    def _height(self, height: float, name: str) -> float:
        """The height that was given, else what the person says, in metres."""
        if not height:
            asked = f"How high above the floor do things stand there, at the {spoken(name)}? In centimetres, please."
            answer = self._conversation.ask(asked)
            number = re.search(r"\d+(?:[.,]\d+)?", answer)
            if number is None:
                raise SkillError(f"nothing was kept: the person answered {answer!r}", "ask how high it is, in metres")
            height = float(number.group().replace(",", "."))
            height = height / 100 if height > HIGHEST else height
        if not 0.0 < height <= HIGHEST:
            raise SkillError(f"{height:g} m is no height that I reach", f"use a height up to {HIGHEST:g}")
        return height

    def _written(self, write: Callable[[], object]) -> None:
        try:
            write()
        except MemoryFileError as error:
            raise SkillError(
                f"I could not write that down: {error}", "tell the person that my disk may be full"
            ) from error


def _told(place: Place) -> str:
    """A place in words."""
    name = spoken(place.name)
    match place.kind:
        case "person":
            return f"Here I find {name}."
        case "spot":
            return f"This is the {name}."
        case "container":
            return f"This is the {name}, and things lie in it {place.height:g} m above the floor."
    return f"This is the {name}, and things stand on it {place.height:g} m above the floor."


PLACES = tuple(
    Skill(function.__name__, function, uses=(), confirm=False)
    for function in (Places.keep_place, Places.stand_at, Places.forget_place)
)
"""The same in the form of skills, for the API text, the stubs and the executor."""
