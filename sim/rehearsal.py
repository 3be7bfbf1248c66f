"""The robot without time: what hw.client.Robot answers, on a scene, at once and without bytes.

For rehearsing a lesson before it is kept, and for benches. Motions end where they were sent; what the limits
would clamp is clamped, what is out of reach is refused, a latched stop refuses everything. Not imitated: the
way there, faults, goals that are still under way.
"""

import itertools
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hw.arm_manner import Manner
from hw.description import ArmDescription, RobotDescription
from hw.limits import LimitError, check_workspace, clamp_positions, clamp_speed, finite
from hw.state import (
    ArmState,
    GoalResult,
    GoalState,
    HardwareError,
    Lifecycle,
    Pose2D,
    RobotState,
    Standstill,
    StoppedError,
    StopReport,
    UnreachableError,
)
from sim.scene import Scene

_ids = itertools.count(1)


class RehearsalGoal:
    """A motion that has already ended."""

    def __init__(self, clamped: tuple[str, ...] = ()) -> None:
        self.id = next(_ids)
        self.clamped = clamped
        self.state = GoalState.SUCCEEDED
        self.done = True

    def feedback(self) -> dict[str, Any]:
        """Return nothing: it has ended."""
        return {}

    def wait(self, timeout: float | None = None) -> GoalResult:
        return GoalResult(self.state, clamped=self.clamped)

    def cancel(self) -> None:
        """Do nothing: it is too late."""


class RehearsalRobot:
    """Moves a scene of its own; hand in a copy. It begins active, with its arms folded."""

    def __init__(self, scene: Scene, description: RobotDescription) -> None:
        self.scene = scene
        self.description = dict(description.table)
        """The robot description, as parsed from its TOML file."""
        self._embodiment = description.embodiment
        self._parts = [arm.name for arm in description.arms] + (["base"] if description.base else [])
        self._arms = {arm.name: arm for arm in description.arms}
        self._joints = {name: arm.kinematics.home for name, arm in self._arms.items()}
        self._stopped: str | None = None
        self._paused = False
        self._active = True
        for name, arm in self._arms.items():
            scene.set_tip(name, arm.kinematics.fk(arm.kinematics.home))

    def state(self) -> RobotState:
        """The body as it is now."""
        return RobotState(
            arms={name: self._arm_state(name) for name in self._arms},
            base=self.scene.base,
            stopped=self._stopped,
            paused=self._paused,
            lifecycle=dict.fromkeys(self._parts, Lifecycle.ACTIVE if self._active else Lifecycle.INACTIVE),
        )

    def observe(self) -> dict[str, Any]:
        """Return what sim.perception.SimCamera would see, with what it is seen from."""
        return self.scene.observe() | self._embodiment

    def manner(self, arm: str) -> Manner:
        """Return how that arm goes about its work."""
        return Manner.from_description(self.description, self._arm(arm).name)

    def move_joints(self, arm: str, joints: Sequence[float], speed: float = 1.0) -> RehearsalGoal:
        """Turn the arm's joints to these angles (radians). Raises UnreachableError for a way out of its workspace."""
        described = self._ready(arm)
        names = [joint.name for joint in described.joints]
        with _limits():
            bounded, clamped = clamp_positions(names, [joint.limits for joint in described.joints], joints)
            _, slowed = clamp_speed(speed)
            check_workspace(described.kinematics, self._joints[arm], bounded)
        self._joints[arm] = bounded
        self.scene.set_tip(arm, described.kinematics.fk(bounded))
        return RehearsalGoal(clamped + slowed)

    def move_tip(
        self, arm: str, x: float, y: float, z: float, pitch: float | None = None, speed: float = 1.0
    ) -> RehearsalGoal:
        """Bring the tip there (robot frame, metres). Raises UnreachableError."""
        kinematics = self._arm(arm).kinematics
        return self.move_joints(arm, kinematics.ik(x, y, z, pitch, seed=self._joints[arm]), speed)

    def grip(self, arm: str, opening: float) -> RehearsalGoal:
        """Bring the fingers this far apart (metres), or as near as what is between them allows."""
        gripper = self._ready(arm).gripper
        with _limits():
            (bounded,), clamped = clamp_positions(["gripper"], [gripper.limits], [opening])
        self.scene.set_gripper(arm, bounded)
        return RehearsalGoal(clamped)

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> RehearsalGoal:
        """Put the base there (map frame)."""
        self._refuse()
        if not self._embodiment["drives"]:
            raise HardwareError("this robot has no base", "ask the person to hand it to you where you stand")
        with _limits():
            pose = Pose2D(finite("x", x), finite("y", y), finite("theta", theta))
            _, slowed = clamp_speed(speed)
        self.scene.set_base(pose)
        return RehearsalGoal(slowed)

    def stop(self, reason: str) -> StopReport:
        """Refuse every motion until clear_stop and activate."""
        self._stopped = self._stopped or reason
        self._active = self._paused = False
        now = time.monotonic()
        return StopReport(accepted_at=now, frame_sent_at=now, standstill=Standstill.TRUE)

    def clear_stop(self, by: str) -> None:
        """Release the stop, in the name of a person. Nothing moves before activate()."""
        self._stopped = None

    def activate(self) -> None:
        """Activate it. Raises StoppedError while a stop is latched."""
        self._refuse_when_stopped()
        self._active = True

    def pause(self) -> None:
        """Refuse every motion until resume."""
        self._refuse_when_stopped()
        self._paused = True

    def resume(self) -> None:
        self._refuse_when_stopped()
        self._paused = False

    def cancel_all(self) -> None:
        """Do nothing: nothing is ever under way."""
        self._paused = False

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _arm_state(self, name: str) -> ArmState:
        return ArmState(
            joints=self._joints[name],
            tip=self._arms[name].kinematics.fk(self._joints[name]),
            gripper=self.scene.opening(name),
            gripper_effort=self._arms[name].gripper_torque if self.scene.least_opening(name) else 0.0,
        )

    def _arm(self, name: str) -> ArmDescription:
        if name not in self._arms:
            raise HardwareError(f"there is no arm {name!r}", f"use one of {', '.join(self._arms)}")
        return self._arms[name]

    def _ready(self, arm: str) -> ArmDescription:
        described = self._arm(arm)
        self._refuse()
        return described

    def _refuse(self) -> None:
        self._refuse_when_stopped()
        if self._paused:
            raise HardwareError("the robot is paused", "resume() first")
        if not self._active:
            raise HardwareError("the robot is inactive", "activate() first")

    def _refuse_when_stopped(self) -> None:
        if self._stopped is not None:
            raise StoppedError(f"stopped: {self._stopped}", "a person must clear the stop, then activate")


@contextmanager
def _limits() -> Iterator[None]:
    """Take what the limits refuse for out of reach, as hw.client does. Raises UnreachableError."""
    try:
        yield
    except LimitError as error:
        raise UnreachableError(str(error)) from error
