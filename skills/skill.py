"""What a skill is: a typed Python function with a docstring, offered to the model by @skill.

One registry is the single source for the prompt's API text, the type stubs of the console worker, the schemas that
other programs read (skills/schema.py) and docs/skills.md (skills/reference.py). It is filled from the modules of this
folder, and from installed packages with an entry point in the group heed.skills. A skill's first parameter is the
SkillContext; the model never sees it.
"""

import importlib
import inspect
import logging
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hw.arm_manner import Manner
from hw.state import GoalResult, RobotState

log = logging.getLogger(__name__)

Function = TypeVar("Function", bound=Callable[..., Any])

Observation = dict[str, Any]
"""What perception reports: {"locations": [...], "objects": [...]}, see sim/scene.py for the fields; and what it is seen
from: {"hands": ["left", "right"], "drives": true}.
"""


class SkillError(RuntimeError):
    """A skill could not do it. The text ends with a hint that the model can follow, for example
    "the fridge is closed. Hint: open_door('fridge')".
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message.rstrip('.')}. Hint: {hint}" if hint else message)
        self.message = message
        self.hint = hint


class Cancelled(Exception):
    """A person cancelled the motion or stopped the robot. Not an error; no skill may swallow it."""


class Goal(Protocol):
    """A motion under way."""

    def wait(self, timeout: float | None = None) -> GoalResult: ...
    def cancel(self) -> None: ...


class Body(Protocol):
    """What skills need of hw.client.Robot; the rehearsed robot has the same methods. Units as in hw.state."""

    def state(self) -> RobotState: ...
    def manner(self, arm: str) -> Manner: ...
    def move_tip(
        self, arm: str, x: float, y: float, z: float, pitch: float | None = None, speed: float = 1.0
    ) -> Goal: ...
    def grip(self, arm: str, opening: float) -> Goal: ...
    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> Goal: ...


BRIEF = 60
"""Characters of a sentence that is cut at its first comma or colon."""


@dataclass(frozen=True)
class SkillContext:
    """What a skill may touch: the body, and what is seen."""

    body: Body
    observe: Callable[[], Observation]
    checked: Callable[[float], None] = lambda seconds: None
    """Told after each check of a skill's preconditions how long that took, in seconds."""
    look: Callable[[], None] = lambda: None
    """Returns once something was seen that is newer than the call; raises HardwareError, saying what is wrong."""
    face: Callable[[tuple[float, float, float]], None] = lambda point: None
    """Turns a head that turns to a point of the map before one looks; nothing of a robot whose eyes do not move."""
    trouble: Callable[[], str] = lambda: ""
    """Tells what is wrong with the eyes; "" while they see."""
    labels: Callable[[str], Sequence[tuple[str, str]]] = lambda wanted: ()
    """Reads labels, for something that is wanted or "": their words, and the thing that they are on, "" for none.

    Raises HardwareError where nobody reads.
    """


class Preconditions(Protocol):
    """What must be so before a skill may begin; skills.needs has them."""

    def check(self, robot: SkillContext, arguments: Mapping[str, Any]) -> None:
        """Raise SkillError where something speaks against the call."""
        ...


@dataclass(frozen=True)
class Skill:
    """A function that the model may call."""

    name: str
    function: Callable[..., Any]
    uses: tuple[str, ...]
    """Capabilities that are locked while it runs: "base", "arms"; empty for those that only look or speak."""
    confirm: bool
    """Ask the person before it runs."""
    needs: Preconditions | None = None
    examples: tuple[tuple[str, str], ...] = ()
    """What a person may say for it, and the statements that do it: ("wave to me", "wave()")."""

    @property
    def read_only(self) -> bool:
        return not self.uses

    @cached_property
    def parameters(self) -> list[inspect.Parameter]:
        """The parameters that the model sees."""
        return list(inspect.signature(self.function).parameters.values())[1:]

    @property
    def signature(self) -> str:
        """Return it as in "grasp(object: str, hand: str | None = None) -> str"."""
        returns = inspect.signature(self.function).return_annotation
        inside = ", ".join(str(parameter) for parameter in self.parameters)
        return f"{self.name}({inside}) -> {inspect.formatannotation(returns)}"

    @property
    def brief(self) -> str:
        """Return its name, what it is called with, and briefly what it does: "grasp(object, hand=None)"."""
        inside = ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in self.parameters)
        sentence = _up_to(".", self.summary).rstrip(".")
        shorter = _up_to(",:", sentence) if len(sentence) > BRIEF else sentence
        return f"{self.name}({inside})  # {shorter[0].lower()}{shorter[1:]}"

    @property
    def summary(self) -> str:
        """The docstring, in one paragraph."""
        return " ".join(textwrap.dedent(self.function.__doc__ or "").split())

    def bind(self, context: SkillContext) -> Callable[..., Any]:
        """The function as the console calls it: nothing begins before its preconditions hold."""
        if self.needs is None:
            return lambda *args, **kwargs: self.function(context, *args, **kwargs)
        needs = self.needs

        def call(*args: Any, **kwargs: Any) -> Any:
            bound = self._accepted.bind(context, *args, **kwargs)
            needs.check(context, bound.arguments)
            return self.function(context, *args, **kwargs)

        return call

    def given(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a call gives, by the names and in the order of the parameters; nothing for one that must fail."""
        try:
            return inspect.Signature(self.parameters).bind(*arguments, **named).arguments
        except TypeError:
            return {}

    @cached_property
    def _accepted(self) -> inspect.Signature:
        return inspect.signature(self.function)


def _up_to(marks: str, text: str) -> str:
    """Return a text up to the first of some marks that a space follows, outside brackets; all of it without one."""
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth <= 0 and letter in marks and text[position + 1 : position + 2] == " ":
            return text[:position]
    return text


SKILLS: dict[str, Skill] = {}
"""Every skill, by name, filled by @skill as the modules of this package are imported."""


def skill(
    *,
    uses: Iterable[str] = (),
    confirm: bool = False,
    needs: Preconditions | None = None,
    examples: Mapping[str, str] | None = None,
) -> Callable[[Function], Function]:
    """Offer a function to the model. Its docstring is what the model reads; `needs` is checked before each call.

    `examples` says how people ask for it: {"wave to me": "wave()"}. A new skill is understood by them at once.
    """

    def register(function: Function) -> Function:
        name = function.__name__
        if not function.__doc__:
            raise TypeError(f"skill {name} has no docstring; the model reads it to know what the skill does")
        if name in SKILLS:
            raise TypeError(f"there are two skills named {name}; rename one")
        SKILLS[name] = Skill(name, function, tuple(uses), confirm, needs, tuple((examples or {}).items()))
        return function

    return register


LEFT_OUT: dict[str, str] = {}
"""What could not be imported, file or package, and why."""
GROUP = "heed.skills"
"""The entry points of packages that bring skills; each names a module that registers them when it is imported."""


def load_skills() -> dict[str, Skill]:
    """Import every module of this folder and every installed package of skills, and return the skills by name.

    What cannot be imported is named in LEFT_OUT and in the log, and left out as a whole; the rest works.
    """
    for module in sorted(Path(__file__).parent.glob("*.py")):
        _take(f"skills/{module.name}", partial(importlib.import_module, f"skills.{module.stem}"))
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        _take(entry.dist.name if entry.dist else entry.name, entry.load)
    return SKILLS


def _take(name: str, load: Callable[[], object]) -> None:
    if name in LEFT_OUT:
        return
    before = set(SKILLS)
    try:
        load()
    except (Exception, SystemExit) as error:
        for new in SKILLS.keys() - before:
            if not _imported(SKILLS[new].function.__module__):
                del SKILLS[new]
        LEFT_OUT[name] = f"{type(error).__name__}: {error}"
        log.exception("%s is left out, since it cannot be imported", name)


def _imported(module: str) -> bool:
    """Return whether it and its packages were imported to their end: Python forgets those that were not."""
    parts = module.split(".")
    return all(".".join(parts[:end]) in sys.modules for end in range(1, len(parts) + 1))


def api_text(skills: Iterable[Skill], brief: bool = False) -> str:
    """The skills as the model reads them, one line each, by name; `brief` for those who pay for each token."""
    known = sorted(skills, key=lambda s: s.name)
    if brief:
        return "".join(f"{skill.brief}\n" for skill in known)
    return "".join(f"{s.signature}  # {s.summary}\n" for s in known)


def arguments(skills: Iterable[Skill]) -> Iterator[tuple[str, int | str, str]]:
    """Function, argument by position and by keyword, and name of the parameter, for all that skills are called with."""
    for skill in skills:
        for position, parameter in enumerate(skill.parameters):
            yield skill.name, position, parameter.name
            yield skill.name, parameter.name, parameter.name


def stubs(skills: Iterable[Skill]) -> str:
    """The skills as Python stubs, for the type check before anything moves."""
    return "".join(f"def {s.signature}: ...\n" for s in sorted(skills, key=lambda s: s.name))
