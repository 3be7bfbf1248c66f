"""What every skill keeps, tried out on a stage: a robot in a scene, made anew for each trial.

    breaches(SKILLS["wave"], SKILLS, stage)  ->  []

Knows no robot of its own. The stage may be one that is only thought of, since all that is asked here is what a skill
does when its motions are cancelled, refused, fail, or are reported as done and were not; daemon/cli/skills.py tries the
same on the simulated wire, but for the last.
"""

import ast
import inspect
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hw.arm_manner import Manner
from hw.state import GoalResult, GoalState, RobotState, StoppedError
from skills.perception import look
from skills.scene import named_by
from skills.schema import SchemaError, input_schema, result_schema
from skills.skill import Body, Cancelled, Goal, Skill, SkillContext, SkillError

Stage = Callable[[], SkillContext]
NONSENSE = "no such thing"
STEPS = 12
"""Calls that hints may ask for before a skill works; the longest way in a kitchen takes five."""


@dataclass(frozen=True)
class Call:
    """A call of a skill with plain values."""

    name: str
    arguments: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()

    def on(self, robot: SkillContext, skills: Mapping[str, Skill]) -> Any:
        return skills[self.name].bind(robot)(*self.arguments, **dict(self.named))

    def __str__(self) -> str:
        given = [*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.named)]
        return f"{self.name}({', '.join(given)})"


def breaches(skill: Skill, skills: Mapping[str, Skill], stage: Stage) -> list[str]:
    """Return what the skill does not keep, a sentence each; empty when all is well.

    `skills` are those that hints may name.
    """
    if problems := list(_undescribed(skill)):
        return problems
    problems = list(_without_hint(skill, skills, stage))
    if skill.read_only:
        return problems + list(_moves_though_it_says_not(skill, skills, stage))
    plan = working_plan(skill, skills, stage)
    if plan is None:
        return [*problems, _NOT_TRIED.format(name=skill.name)]
    return [*problems, *_goes_on(plan, skills, stage), *_takes_it_for_done(plan, skills, stage)]


def working_plan(skill: Skill, skills: Mapping[str, Skill], stage: Stage) -> list[Call] | None:
    """Return calls that end with one of the skill that moves the robot: its first example, else by following hints."""
    for _, statements in skill.examples:
        if (plan := calls_in(statements)) is not None and plan and plan[-1].name == skill.name:
            return plan
    known = look(stage())
    names = _names(known.objects), _names(known.locations)
    befores: list[list[Call]] = [[]]
    befores += [[Call(other.name)] for other in skills.values() if other.uses and other.name != skill.name]
    for before in befores:
        for arguments in _candidates(skill, *names):
            first = [replace(call, arguments=arguments) for call in before]
            if plan := _by_hints([*first, Call(skill.name, arguments)], skills, stage()):
                return plan
    return None


def calls_in(statements: str) -> list[Call] | None:
    """The calls in "move_to('sink'); grasp('cup')"; None for what is not just that."""
    try:
        nodes = ast.parse(statements).body
        return [_call(node.value) for node in nodes if isinstance(node, ast.Expr)] if nodes else None
    except (SyntaxError, ValueError):
        return None


# --- the rules ---


def _undescribed(skill: Skill) -> Iterator[str]:
    if not skill.summary:
        yield "it has no docstring; the model reads it to know what the skill does"
    if inspect.signature(skill.function).return_annotation is inspect.Signature.empty:
        yield "its result has no type"
    for schema in (input_schema, result_schema):
        try:
            schema(skill)
        except (SchemaError, NameError) as error:
            yield str(error)
    for said, statements in skill.examples:
        if skill.name not in [call.name for call in calls_in(statements) or []]:
            yield f"its example {said!r} does not call it: {statements}"


def _without_hint(skill: Skill, skills: Mapping[str, Skill], stage: Stage) -> Iterator[str]:
    """Called with what does not exist, and called twice, a skill may refuse, but has to say what to do instead."""
    calls = [Call(skill.name, tuple(_nonsense(parameter) for parameter in _required(skill)))]
    calls += [replace(calls[0], named=((p.name, NONSENSE),)) for p in skill.parameters if _is_text(p)]
    trials = [[call] for call in calls if not {n for n, _ in call.named} & {p.name for p in _required(skill)}]
    if skill.uses and (plan := working_plan(skill, skills, stage)):
        trials.append([*plan, plan[-1]])
    for trial in trials:
        robot = stage()
        try:
            for call in trial:
                call.on(robot, skills)
        except SkillError as error:
            if not error.hint:
                yield f"{trial[-1]} fails without a hint: {error}"
        except Exception as error:
            yield f"{trial[-1]} fails with {type(error).__name__}, not with a SkillError: {error}"


def _moves_though_it_says_not(skill: Skill, skills: Mapping[str, Skill], stage: Stage) -> Iterator[str]:
    known = look(stage())
    for arguments in _candidates(skill, _names(known.objects), _names(known.locations)):
        body = Interrupted(stage().body)
        try:
            Call(skill.name, arguments).on(replace(stage(), body=body), skills)
        except Exception:
            continue  # what it raises is looked at elsewhere
        if body.started:
            yield f'it moves the robot, but does not say so; write @skill(uses=("arms",)) or ("base",): {skill.name}'
            return


def _goes_on(plan: Sequence[Call], skills: Mapping[str, Skill], stage: Stage) -> Iterator[str]:
    """Each motion of the skill in turn is cancelled, refused by a stop, and failed."""
    for end, wanted in ENDS.items():
        for at in itertools.count():
            robot = _played(plan[:-1], skills, stage)
            body = Interrupted(robot.body, at, end)
            try:
                plan[-1].on(replace(robot, body=body), skills)
                came: type[BaseException] | None = None
            except Exception as error:
                came = type(error)
                if isinstance(error, SkillError) and not error.hint and end == "fails":
                    yield f"motion {at + 1} of {plan[-1]} fails without a hint: {error}"
            if body.started <= at:
                break  # it has no more motions
            if came not in wanted:
                said = came.__name__ if came else "success"
                yield f"when motion {at + 1} of {plan[-1]} {end}, it ends with {said}, not with {wanted[0].__name__}"
            if body.started > at + 1:
                yield f"it goes on moving after motion {at + 1} of {plan[-1]} {end}"


def _takes_it_for_done(plan: Sequence[Call], skills: Mapping[str, Skill], stage: Stage) -> Iterator[str]:
    """Each motion of the skill in turn is reported as done and was not: without its effect, it must not succeed."""
    robot = _played(plan[:-1], skills, stage)
    plan[-1].on(robot, skills)
    wanted = Effect.seen_by(robot)
    for at in itertools.count():
        robot = _played(plan[:-1], skills, stage)
        body = Interrupted(robot.body, at, CLAIMED)
        try:
            plan[-1].on(replace(robot, body=body), skills)
            claimed = True
        except (SkillError, Cancelled):
            claimed = False
        if body.started <= at:
            return  # it has no more motions
        if claimed and not Effect.seen_by(robot).is_like(wanted):
            yield f"{plan[-1]} ends with success though motion {at + 1} was not made; let it look at what is so"


def _played(plan: Sequence[Call], skills: Mapping[str, Skill], stage: Stage) -> SkillContext:
    robot = stage()
    for call in plan:
        call.on(robot, skills)
    return robot


@dataclass(frozen=True)
class Effect:
    """What a skill may bring about: where things and the robot are, and which doors are open."""

    at: Mapping[str, str]
    """Thing -> its place, or the hand that holds it."""
    points: Mapping[str, tuple[float, float, float]]
    """Where things stand or lie, metres, map frame; not those that a hand or a person has."""
    doors: Mapping[str, str | None]
    robot: str

    @classmethod
    def seen_by(cls, robot: SkillContext) -> "Effect":
        """Return what is so now."""
        scene, base = look(robot), robot.body.state().base
        here = scene.location_at(base.x, base.y)
        had = {place.name for place in scene.locations if place.kind == "person"}
        lying = [thing for thing in scene.objects if not thing.held_by and thing.location not in had]
        return cls(
            {thing.name: thing.held_by or thing.location for thing in scene.objects},
            {thing.name: thing.position for thing in lying},
            {place.name: place.door for place in scene.locations},
            here.name if here else "",
        )

    def is_like(self, other: "Effect") -> bool:
        """Return whether another comes to the same."""
        same = (self.at, self.doors, self.robot) == (other.at, other.doors, other.robot)
        return same and all(math.dist(point, other.points[name]) < CENTIMETRE for name, point in self.points.items())


CENTIMETRE = 0.01
"""Metres: what is apart by less lies in the same spot."""
CLAIMED = "is reported as done and was not"
ENDS: dict[str, tuple[type[Exception], ...]] = {
    "is cancelled": (Cancelled,),
    "is refused by a stop": (SkillError, Cancelled),
    "fails": (SkillError,),
}
"""What may become of a motion, and how the skill then may end."""

_NOT_TRIED = (
    "no call of it moved the robot in the kitchen, so its motions were not tried; "
    'say how to call it: @skill(..., examples={{"what people say": "{name}(...)"}})'
)


class Interrupted:
    """A body whose motions end well, but for one, and counts them. The Body of skills."""

    def __init__(self, body: Body, at: int = -1, end: str = "") -> None:
        self.started = 0
        self.moved = False
        """Whether a motion led anywhere at once, as it does in thought."""
        self._body, self._at, self._end = body, at, end

    def state(self) -> RobotState:
        return self._body.state()

    def manner(self, arm: str) -> Manner:
        return self._body.manner(arm)

    def move_tip(self, arm: str, x: float, y: float, z: float, pitch: float | None = None, speed: float = 1.0) -> Goal:
        return self._start(lambda: self._body.move_tip(arm, x, y, z, pitch, speed))

    def grip(self, arm: str, opening: float) -> Goal:
        return self._start(lambda: self._body.grip(arm, opening))

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> Goal:
        return self._start(lambda: self._body.drive_to(x, y, theta, speed))

    def _start(self, start: Callable[[], Goal]) -> Goal:
        self.started += 1
        if self.started != self._at + 1:
            before = self._body.state()
            goal = start()
            self.moved = self.moved or self._body.state() != before
            return goal
        if self._end == "is refused by a stop":
            raise StoppedError("stopped: a trial", "a person must clear the stop")
        if self._end == "is cancelled":
            return Ended(GoalResult(GoalState.CANCELED, "a trial"))
        if self._end == CLAIMED:
            return Ended(GoalResult(GoalState.SUCCEEDED))
        return Ended(GoalResult(GoalState.ABORTED, "a trial", "try again"))


@dataclass(frozen=True)
class Ended:
    """A goal that has ended so."""

    result: GoalResult

    def wait(self, timeout: float | None = None) -> GoalResult:
        return self.result

    def cancel(self) -> None:
        """Do nothing: it has ended."""


# --- finding calls ---


def _by_hints(plan: list[Call], skills: Mapping[str, Skill], robot: SkillContext) -> list[Call] | None:
    """The plan with what its hints ask for put before; None where its last call never moves the robot."""
    done: list[Call] = []
    waiting = list(plan)
    for _ in range(STEPS):
        body = Interrupted(robot.body)
        try:
            waiting[0].on(replace(robot, body=body), skills)
        except SkillError as error:
            advised = [call for call in calls_in(error.hint) or [] if call.name in skills and call not in waiting]
            if not advised:
                return None
            waiting = [*advised, *waiting]
            continue
        except (Cancelled, TypeError):
            return None
        done.append(waiting.pop(0))
        if not waiting:
            return done if body.moved else None
    return None


def _candidates(skill: Skill, objects: Sequence[str], places: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Arguments that may fit, from what there is in the scene, and from the words in quotes in its docstring."""
    choices = re.findall(r"'([^']+)'", skill.summary)
    known = named_by(objects, places)
    values = [known.get(p.name) or _values(p, [*choices, *objects, *places]) for p in _required(skill)]
    return itertools.product(*values)


def _values(parameter: inspect.Parameter, words: Sequence[str]) -> Sequence[Any]:
    return words if parameter.annotation is str else _PLAIN_VALUES.get(parameter.annotation, ())


_PLAIN_VALUES: dict[Any, Sequence[Any]] = {int: (1,), float: (0.05, 1.0), bool: (True,)}


def _required(skill: Skill) -> list[inspect.Parameter]:
    return [parameter for parameter in skill.parameters if parameter.default is inspect.Parameter.empty]


def _nonsense(parameter: inspect.Parameter) -> Any:
    return NONSENSE if _is_text(parameter) else next(iter(_values(parameter, ())), None)


def _is_text(parameter: inspect.Parameter) -> bool:
    return "str" in inspect.formatannotation(parameter.annotation)


def _names(things: Sequence[Any]) -> list[str]:
    return [thing.name for thing in things]


def _call(node: ast.expr) -> Call:
    """Raises ValueError for anything but a call with plain values."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ValueError("no call")
    named = tuple((keyword.arg or "", ast.literal_eval(keyword.value)) for keyword in node.keywords)
    return Call(node.func.id, tuple(ast.literal_eval(argument) for argument in node.args), named)
