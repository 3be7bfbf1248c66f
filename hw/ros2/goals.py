"""Motions that ROS 2 carries out: given once, watched, cancelled. Limits are in what is asked, arrival is measured."""

import math
from abc import abstractmethod
from typing import Any

from hw.device_faults import FaultCode
from hw.motion import Move, Positions, wrap
from hw.ros2.arm import ActionArm
from hw.ros2.base import ActionBase
from hw.ros2.part import ActionPart, Outcome
from hw.running_goals import ARRIVED, RunningGoal
from hw.state import GoalState, Pose2D

POINT_EVERY, MOST_POINTS = 0.05, 200
"""Seconds between points of a trajectory, and how many there are at most."""
BRAKES_WITHIN = 2.0
"""Seconds after a cancel in which a part should be measured to stand."""
SETTLES_WITHIN = 1.0
"""The same after ROS has said that it has arrived."""
LATE = 5.0
"""Seconds that a trajectory may take longer than was asked."""
STUCK = 30.0
"""Seconds that a base may stand on its way: it may wait for somebody who stands there, or try another way."""
PLACE, HEADING = 0.35, 0.35
"""Metres and radians that a base may be off where ROS says that it has arrived: Nav2's own tolerance is 0.25 each."""
OPEN = 0.005
"""Metres that fingers may be off."""


class ActionGoal(RunningGoal):
    """One goal of an action, from its being sent to a part that rests."""

    def __init__(self, part: ActionPart, claim: str, clamped: tuple[str, ...]) -> None:
        super().__init__(part, claim, clamped)
        self._part = part
        self._number = 0
        self._waited = 0.0
        """Seconds since it was to come to rest."""
        self._going = 0.0
        """Seconds since ROS was given it."""
        self.replan()

    def replan(self) -> None:
        self._part.forget(self._number)
        self._number = self._send()
        self._waited = self._going = 0.0

    def brake(self) -> None:
        self._part.cancel(self._number)
        self._waited = 0.0

    def braked(self) -> bool:
        return self._outcome is not None and self._part.at_rest

    def displaced(self) -> bool:
        return False  # the way is planned anew from where it is measured to be

    def abort(self, detail: str, hint: str = "") -> None:
        self._part.cancel(self._number)
        super().abort(detail, hint)

    def end(self, state: GoalState, detail: str, hint: str = "") -> None:
        super().end(state, detail, hint)
        self._part.forget(self._number)

    @property
    def _outcome(self) -> Outcome | None:
        return self._part.outcome(self._number)

    def _step(self, now: float, dt: float) -> None:
        if self.paused or self.state is GoalState.CANCELING:
            self._wait_for_rest(dt, BRAKES_WITHIN)
            return
        outcome = self._outcome
        if outcome is None:
            self._going += dt
            self._watch(dt)
        elif outcome.state != "succeeded" and not outcome.stalled:
            self.abort(
                f"ROS says {outcome.state}: {outcome.detail or 'and gives no reason'}", "see the log of its nodes"
            )
        elif self._part.at_rest:
            self._arrive(outcome)
        else:
            self._wait_for_rest(dt, SETTLES_WITHIN)

    def _wait_for_rest(self, dt: float, patience: float) -> None:
        self._waited += dt
        if self._waited > patience:
            self.fail(FaultCode.DEVICE_ERROR, f"ROS does not bring it to rest within {patience:.0f} s")

    @abstractmethod
    def _send(self) -> int:
        """Give ROS the goal, from where the part is now."""

    @abstractmethod
    def _watch(self, dt: float) -> None:
        """Give it up where it takes too long."""

    @abstractmethod
    def _arrive(self, outcome: Outcome) -> None:
        """ROS says that it is there, and it rests: end as what was measured."""


class TrajectoryGoal(ActionGoal):
    """The joints of an arm go to positions, within the limits of velocity and acceleration of its description."""

    def __init__(self, arm: ActionArm, goal: Positions, speed: float, clamped: tuple[str, ...]) -> None:
        self._arm, self._goal, self._speed = arm, goal, speed
        super().__init__(arm, arm.name, clamped)

    def feedback(self) -> dict[str, Any]:
        return {"remaining": self._left}

    @property
    def _left(self) -> float:
        return max(abs(want - at) for want, at in zip(self._goal, self._arm.arm.measured, strict=True))

    def _send(self) -> int:
        channel = self._arm.arm
        self._motion = Move(channel.measured, self._goal, channel.limits, self._speed)
        return self._arm.begin("follow", points=self._points(self._motion))

    def _points(self, motion: Move) -> list[tuple[float, list[float], list[float]]]:
        """As ROS has them: seconds, positions, velocities; where it stands already, a moment of standing."""
        joints = self._arm.arm.joints
        count = min(max(math.ceil(motion.duration / POINT_EVERY), 1), MOST_POINTS)
        duration = max(motion.duration, POINT_EVERY)
        points = []
        for number in range(1, count + 1):
            seconds = duration * number / count
            positions, velocities = motion.at(seconds)
            there = [round(joint.to_steps(at), 6) for joint, at in zip(joints, positions, strict=True)]
            rates = [round(rate / joint.scale, 6) for joint, rate in zip(joints, velocities, strict=True)]
            points.append((round(seconds, 4), there, rates))
        return points

    def _watch(self, dt: float) -> None:
        if self._going > self._motion.duration + LATE:
            self.fail(
                FaultCode.FOLLOWING_ERROR, f"it should have arrived {LATE:.0f} s ago, {self._left:.2f} rad are left"
            )

    def _arrive(self, outcome: Outcome) -> None:
        if self._left < ARRIVED:
            self.end(GoalState.SUCCEEDED, "there")
        else:
            self.abort(f"ROS says that it is there, and it is {self._left:.2f} rad off", "look what holds it back")


class GripGoal(ActionGoal):
    """The fingers of a gripper open or close."""

    def __init__(self, arm: ActionArm, opening: float, clamped: tuple[str, ...]) -> None:
        self._arm, self._opening = arm, opening
        super().__init__(arm, f"{arm.name} gripper", clamped)

    def feedback(self) -> dict[str, Any]:
        return {"remaining": abs(self._opening - self._arm.gripper.measured[0])}

    def _send(self) -> int:
        (joint,) = self._arm.gripper.joints
        self._arm.gripper.load = 0.0
        return self._arm.begin("grip", position=joint.to_steps(self._opening))

    def _watch(self, dt: float) -> None:
        (limits,) = self._arm.gripper.limits
        if self._going > limits.upper / limits.velocity + LATE:
            self.fail(FaultCode.FOLLOWING_ERROR, "the fingers do not get on")

    def _arrive(self, outcome: Outcome) -> None:
        opening = self._arm.gripper.measured[0]
        if abs(opening - self._opening) < OPEN:
            self.end(GoalState.SUCCEEDED, "there")
        else:
            self._arm.gripper.load = 1.0  # ROS has no word for how hard they press: they do, or they do not
            self.end(GoalState.SUCCEEDED, f"the fingers hold something {opening * 100:.1f} cm wide")


class NavigateGoal(ActionGoal):
    """The base goes to a place, as ROS finds its way."""

    def __init__(self, base: ActionBase, goal: Pose2D, clamped: tuple[str, ...]) -> None:
        self._base, self._goal = base, goal
        self._stood = 0.0
        super().__init__(base, "base", clamped)

    def feedback(self) -> dict[str, Any]:
        return {"remaining": self._distance, "pose": [self._base.pose.x, self._base.pose.y]}

    @property
    def _distance(self) -> float:
        return math.hypot(self._goal.x - self._base.pose.x, self._goal.y - self._base.pose.y)

    def _send(self) -> int:
        self._stood = 0.0
        return self._base.begin("go", pose=[self._goal.x, self._goal.y, self._goal.theta])

    def _watch(self, dt: float) -> None:
        self._stood = self._stood + dt if self._base.at_rest else 0.0
        if self._stood > STUCK:
            self.abort(f"it has stood for {STUCK:.0f} s, {self._distance:.2f} m away", "look what stands in its way")

    def _arrive(self, outcome: Outcome) -> None:
        turned = abs(wrap(self._goal.theta - self._base.pose.theta))
        off = f"{self._distance * 100:.0f} cm and {math.degrees(turned):.0f} degrees off"
        if self._distance < PLACE and turned < HEADING:
            self.end(GoalState.SUCCEEDED, f"there, {off}, as ROS knows where it stands")
        else:
            self.abort(f"ROS says that it is there, and it is {off}", "compare map_frame in robot.toml with ROS's own")
