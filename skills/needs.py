"""What a skill needs before it may begin: declared with @skill(needs=...), and checked before each call.

The first stage of looking before one leaps: no model, microseconds beside the look itself. A precondition holds, or
raises a SkillError that says why not and, where there is one, the call that puts it right. What an order makes of
things beyond that, a condition, a state, common sense, is the second stage's (daemon/console/raider).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hw.state import HardwareError, RobotState
from skills.perception import look, look_afresh
from skills.scene import Location, Scene
from skills.skill import SkillContext, SkillError

Point = tuple[float, float, float]
"""x, y, z in metres, map frame."""


@dataclass(frozen=True)
class Moment:
    """What is seen and measured when a skill is called, and with what it is called."""

    scene: Scene
    state: RobotState
    arguments: Mapping[str, Any]
    reaches: Callable[[Point], bool] = lambda point: True
    """Whether an arm reaches a point of the map from where the robot stands."""

    @property
    def person(self) -> Location | None:
        """The person whom the robot is with, else the first one."""
        return self.scene.person(self.scene.location_at(self.state.base.x, self.state.base.y))


@dataclass(frozen=True)
class Precondition:
    """One thing that must be so."""

    name: str
    """In two or three words, for people: "hand free"."""
    check: Callable[[Moment], None]
    """Raises SkillError where it is not so."""
    lasting: bool = False
    """Nothing that the robot does would make it so."""
    by_robot: bool = False
    """The robot makes it so without being asked, by calls such as the hint of the refusal names."""
    sees: bool = False
    """It is about what is seen at this moment: one looks afresh before it is checked."""


@dataclass(frozen=True)
class Needs:
    """The preconditions of one skill, in the order in which a person would put them right."""

    conditions: tuple[Precondition, ...]

    def check(self, robot: SkillContext, arguments: Mapping[str, Any]) -> None:
        """Raise the SkillError of the first that does not hold; tell the context what that took, but for the look."""
        if any(condition.sees for condition in self.conditions):
            look_afresh(robot, _where_it_was(robot, arguments.get("object")))
        now = moment(robot, arguments)
        began = time.perf_counter()
        refusal = self.refusal(now)
        robot.checked(time.perf_counter() - began)
        if refusal is not None:
            raise refusal

    def refusal(self, now: Moment, lasting: bool = False) -> SkillError | None:
        """Return what speaks against a call at this moment; `lasting`: only what nothing that the robot does would
        change.
        """
        for condition in self.conditions:
            try:
                if condition.lasting or not lasting:
                    condition.check(now)
            except SkillError as refusal:
                return refusal
        return None


def moment(robot: SkillContext, arguments: Mapping[str, Any]) -> Moment:
    """Return what is so now, for a call with these arguments."""
    scene, state = look(robot), robot.body.state()

    def reaches(point: Point) -> bool:
        there = (*state.base.to_local(point[0], point[1]), point[2])
        return any(robot.body.manner(hand).reaches(there) for hand in scene.hands)

    return Moment(scene, state, arguments, reaches)


def _where_it_was(robot: SkillContext, name: str | None) -> Point | None:
    """Return where a thing is by what is known already; None where nothing is."""
    if name is None:
        return None
    try:
        return look(robot).object(name).position
    except (SkillError, HardwareError):
        return None


def needs(*conditions: Precondition) -> Needs:
    """Put conditions in a row: @skill(needs=needs(present("object"), ...))."""
    return Needs(conditions)
