"""The robot without time: what hw.client.Robot answers, on a scene, at once and without bytes.

For rehearsing a lesson before it is kept, and for benches. Motions end where they were sent; what the limits
would clamp is clamped, what is out of reach is refused, a latched stop refuses everything. Not imitated: the
way there, faults, goals that are still under way.
"""

import itertools
import time
from collections.abc import Sequence
from typing import Any

from hw.description import ArmDescription, RobotDescription
from hw.limits import clamp_positions, clamp_speed, finite
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
)
from sim.scene import Scene

_ids = itertools.count(1)


class RehearsalGoal:
    """A motion that has already ended."""

    def __init__(self, clamped: tuple[str, ...] = ()) -> None:
        self.id = next(_ids)
        self.state = GoalState.SUCCEEDED
        self._result = GoalResult(self.state, clamped=clamped)

    def feedback(self) -> float:
        """The share of the way that is done: all of it."""
        return 1.0

    def wait(self, timeout: float | None = None) -> GoalResult:
        return self._result

    def cancel(self) -> None:
        """Too late."""


class RehearsalRobot:
    """Moves a scene of its own; hand in a copy."""

    def __init__(self, scene: Scene, description: RobotDescription) -> None:
        self.scene = scene
        self._arms = {arm.name: arm for arm in description.arms}
        self._joints = {name: arm.kinematics.home for name, arm in self._arms.items()}
        self._stopped: str | None = None
        self._paused = False
        for name, arm in self._arms.items():
            scene.set_tip(name, arm.kinematics.fk(arm.kinematics.home))

    def state(self) -> RobotState:
        """The body as it is now."""
        return RobotState(
            arms={name: self._arm_state(name) for name in self._arms},
            base=self.scene.base,
            stopped=self._stopped,
            paused=self._paused,
            lifecycle=dict.fromkeys([*self._arms, "base"], Lifecycle.ACTIVE),
        )

    def observe(self) -> dict[str, Any]:
        """What sim.perception.SimCamera would see."""
        return self.scene.observe()

    def move_joints(self, arm: str, joints: Sequence[float], speed: float = 1.0) -> RehearsalGoal:
        """Turn the arm's joints to these angles (radians)."""
        described = self._ready(arm)
        names = [joint.name for joint in described.joints]
        bounded, reasons = clamp_positions(names, [joint.limits for joint in described.joints], joints)
        self._joints[arm] = bounded
        self.scene.set_tip(arm, described.kinematics.fk(bounded))
        return RehearsalGoal(reasons + clamp_speed(speed)[1])

    def move_tip(self, arm: str, x: float, y: float, z: float, pitch: float = 0.0, speed: float = 1.0) -> RehearsalGoal:
        """Bring the tip there (robot frame, metres). Raises UnreachableError."""
        kinematics = self._ready(arm).kinematics
        return self.move_joints(arm, kinematics.ik(x, y, z, pitch, seed=self._joints[arm]), speed)

    def grip(self, arm: str, opening: float) -> RehearsalGoal:
        """Bring the fingers this far apart (metres), or as near as what is between them allows."""
        gripper = self._ready(arm).gripper
        (bounded,), reasons = clamp_positions(["gripper"], [gripper.limits], [opening])
        self.scene.set_gripper(arm, bounded)
        return RehearsalGoal(reasons)

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> RehearsalGoal:
        """Put the base there (map frame)."""
        self._refuse_when_stopped()
        self.scene.set_base(Pose2D(finite("x", x), finite("y", y), finite("theta", theta)))
        return RehearsalGoal(clamp_speed(speed)[1])

    def stop(self, reason: str) -> StopReport:
        """Refuse every motion until clear_stop."""
        self._stopped = reason
        now = time.monotonic()
        return StopReport(accepted_at=now, frame_sent_at=now, standstill=Standstill.TRUE)

    def clear_stop(self, by: str) -> None:
        self._stopped = None

    def activate(self) -> None:
        """Always active."""

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False

    def cancel_all(self) -> None:
        """Nothing is ever under way."""

    def close(self) -> None:
        """Nothing is open."""

    def _arm_state(self, name: str) -> ArmState:
        return ArmState(
            joints=self._joints[name],
            tip=self._arms[name].kinematics.fk(self._joints[name]),
            gripper=self.scene.opening(name),
            gripper_effort=1.0 if self.scene.least_opening(name) else 0.0,
        )

    def _ready(self, arm: str) -> ArmDescription:
        self._refuse_when_stopped()
        if arm not in self._arms:
            raise HardwareError(f"there is no arm {arm!r}", f"use one of {sorted(self._arms)}")
        return self._arms[arm]

    def _refuse_when_stopped(self) -> None:
        if self._stopped is not None:
            raise StoppedError(f"stopped: {self._stopped}", "a person has to clear the stop first")
