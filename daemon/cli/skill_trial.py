"""Holds skills to their contract: on a robot that is only thought of, and on the simulated one, with real bytes."""

import functools
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from daemon.config import ROBOTS, BodyConfig
from daemon.console.builtins import TALK
from daemon.console.reminders import REMINDERS
from daemon.console.tasks import TASKS
from daemon.service.body import RobotBody
from daemon.service.body_setup import SCENES
from hw.description import RobotDescription, load_description
from hw.state import RobotState
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.contract import Interrupted, breaches, working_plan
from skills.skill import Cancelled, SkillContext, SkillError, load_skills

SCENE = "kitchen"
SECONDS = 20.0
"""In which a motion begins, and a cancelled skill ends; both take tenths of a second."""
STILL = 0.02
"""Radians and metres by which a robot at rest may seem to move; a motion begins with ten times that."""
OF_THE_CONSOLE = frozenset(function.name for function in (*TALK, *TASKS, *REMINDERS))
"""Functions that no skill can be called like."""


def breaches_of(name: str) -> list[str]:
    """Return what a skill does not keep in thought, a sentence each. KeyError for a skill that there is not."""
    skills = load_skills()
    found = breaches(skills[name], skills, in_thought)
    return (
        [*found, f"the console has a function {name} itself; choose another name"] if name in OF_THE_CONSOLE else found
    )


def in_thought() -> SkillContext:
    """A robot without time in the kitchen, made anew for each trial."""
    scene, description = _kitchen()
    robot = RehearsalRobot(scene.copy(), description)
    return SkillContext(robot, robot.observe)


@functools.cache
def _kitchen() -> tuple[Scene, RobotDescription]:
    return Scene.load(SCENES / f"{SCENE}.toml"), load_description(ROBOTS / "sim.toml", Path("."))


@contextmanager
def simulated_robot() -> Iterator[RobotBody]:
    """The simulated robot with its own heed-hw, beside any that runs."""
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        body = RobotBody(BodyConfig(scene=SCENE), Path(folder), Path(folder))
        try:
            body.start()
            yield body
        finally:
            body.close()


def breaches_on(body: RobotBody, name: str) -> list[str]:
    """The same for a skill that moves, on a fresh robot: cancelled in the middle of a motion, then stopped."""
    skills = load_skills()
    plan = working_plan(skills[name], skills, in_thought)
    if plan is None:
        return []  # breaches_of() says so
    robot = SkillContext(body, body.observe)
    for call in plan[:-1]:
        call.on(robot, skills)
    trial = _Trial(lambda started: plan[-1].on(replace(robot, body=started), skills), body)
    problems = []
    if not trial.moves():
        problems.append(f"{plan[-1]} did not begin to move")
    body.robot.cancel_all()
    problems += [f"cancelled, {plan[-1]} {what}" for what in trial.ends_with(Cancelled)]
    problems += [f"cancelled, {plan[-1]} left the robot moving"] if not _rests(body) else []
    body.stop("a trial")
    before = body.state()
    stopped = _Trial(lambda started: plan[-1].on(replace(robot, body=started), skills), body)
    problems += [f"while stopped, {plan[-1]} {what}" for what in stopped.ends_with(Cancelled, SkillError)]
    problems += [f"while stopped, {plan[-1]} moved the robot"] if _apart(before, body.state()) > STILL else []
    body.resume("a trial")
    return problems


class _Trial:
    """A call in a thread of its own, on a body that counts its motions."""

    def __init__(self, call: Any, body: RobotBody) -> None:
        self._start = body.state()
        self._body = body
        self._came: BaseException | None = None
        self._counted = Interrupted(body)
        self._thread = threading.Thread(target=self._run, args=(call,), daemon=True)
        self._thread.start()

    def moves(self) -> bool:
        """Return whether the robot is seen to move before the call ends."""
        return _within(
            SECONDS, lambda: _apart(self._start, self._body.state()) > STILL, lambda: not self._thread.is_alive()
        )

    def ends_with(self, *kinds: type[Exception]) -> list[str]:
        self._thread.join(SECONDS)
        if self._thread.is_alive():
            return [f"does not end in {SECONDS:.0f} s"]
        if isinstance(self._came, kinds):
            return []
        return [
            f"ends with {self._came!r}, not with {kinds[0].__name__}" if self._came else "ends as if nothing had been"
        ]

    def _run(self, call: Any) -> None:
        try:
            call(self._counted)
        except Exception as error:
            self._came = error


def _rests(body: RobotBody) -> bool:
    def still() -> bool:
        before = body.state()
        threading.Event().wait(0.2)
        return _apart(before, body.state()) < STILL / 4

    return _within(SECONDS, still, lambda: False)


def _within(seconds: float, condition: Any, over: Any) -> bool:
    """Return whether a condition comes true in time, looked at every hundredth of a second, unless it is over
    before.
    """
    pause = threading.Event()
    for _ in range(int(seconds / 0.01)):
        if condition():
            return True
        if over():
            return bool(condition())
        pause.wait(0.01)
    return False


def _apart(one: RobotState, other: RobotState) -> float:
    """The largest difference of any joint (radians), gripper or the base (metres)."""
    differences = [
        abs(one.base.x - other.base.x),
        abs(one.base.y - other.base.y),
        abs(one.base.theta - other.base.theta),
    ]
    for name, arm in one.arms.items():
        differences += [abs(a - b) for a, b in zip(arm.joints, other.arms[name].joints, strict=True)]
        differences.append(abs(arm.gripper - other.arms[name].gripper))
    return max(differences)
