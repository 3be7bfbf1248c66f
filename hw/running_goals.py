"""Motions under way: each claims a part of the body, goes on at every tick, ends with what was measured."""

import itertools
import math
from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import Any

from hw.arm import ServoArm
from hw.base import Base
from hw.channel import Channel
from hw.device import Component
from hw.device_faults import ComponentError, FaultCode
from hw.motion import Brake, Motion, Move, Positions, approach_velocity, wrap
from hw.servo_limb import ServoLimb
from hw.state import GoalResult, GoalState, Pose2D, Twist

ARRIVED = 0.03
"""Radians a joint may be off when its move has ended: an arm sags a little under its own weight."""
CLOSED = 0.002
"""Metres a gripper may be off."""
PATIENCE = 1.0
"""Seconds that something may be late or blocked before its goal is given up."""
GRIPPED = 0.3
"""Seconds without movement after which fingers that are not where they should be hold something."""
PLACE, HEADING = 0.02, 0.03
"""Metres and radians a base may be off at its goal."""

_ids = itertools.count(1)


class RunningGoal(ABC):
    """One request for motion, from accepted to its end."""

    def __init__(self, component: Component, claim: str, clamped: tuple[str, ...]) -> None:
        self.id = next(_ids)
        self.component = component
        self.claim = claim
        """The part of the body that nobody else may move meanwhile: "left", "left gripper", "base"."""
        self.clamped = clamped
        self.state = GoalState.ACCEPTED
        self.result: GoalResult | None = None
        self.paused = False

    def step(self, now: float, dt: float) -> None:
        """Go on for dt seconds."""
        if self.state.done:
            return
        if self.state is GoalState.ACCEPTED:
            self.state = GoalState.EXECUTING
        if self.state is GoalState.CANCELING and self.braked():
            self.end(GoalState.CANCELED, "cancelled; the motion has been braked")
            return
        if self.paused and self.braked():
            return
        self._step(now, dt)

    def cancel(self) -> None:
        """Decelerate, hold, and end as canceled."""
        if not self.state.done and self.state is not GoalState.CANCELING:
            self.state = GoalState.CANCELING
            self.brake()

    def pause(self) -> None:
        """Decelerate and hold until resume."""
        if self.state in (GoalState.ACCEPTED, GoalState.EXECUTING) and not self.paused:
            self.paused = True
            self.brake()

    def resume(self) -> None:
        """Go on; a body that was moved meanwhile ends the goal instead."""
        if not self.paused or self.state.done:
            return
        self.paused = False
        if self.displaced():
            self.abort("was moved while it paused", "look where everything is, then ask for the motion again")
        else:
            self.replan()

    def abort(self, detail: str, hint: str = "") -> None:
        """End now; the component holds."""
        if not self.state.done:
            self.end(GoalState.ABORTED, f"{self.claim}: {detail}", hint)

    def fail(self, code: FaultCode, detail: str) -> None:
        """End now, with a fault that a person must clear."""
        error = ComponentError(code, detail)
        self.abort(detail, error.hint)
        self.component.fail(error)

    def end(self, state: GoalState, detail: str, hint: str = "") -> None:
        self.state = state
        self.result = GoalResult(state, detail, hint, self.clamped)

    @abstractmethod
    def _step(self, now: float, dt: float) -> None: ...

    @abstractmethod
    def brake(self) -> None:
        """Begin to come to rest within the limits."""

    @abstractmethod
    def braked(self) -> bool: ...

    @abstractmethod
    def displaced(self) -> bool:
        """Return whether somebody moved the body while it paused."""

    @abstractmethod
    def replan(self) -> None:
        """Go on from where the body is."""

    @abstractmethod
    def feedback(self) -> dict[str, Any]:
        """Return what there is to say under way: `remaining`, in radians, metres."""


class ServoGoal(RunningGoal):
    """Joints of an arm or a head, or a gripper, go to positions."""

    def __init__(
        self, limb: ServoLimb, channel: Channel, goal: Positions, speed: float, clamped: tuple[str, ...]
    ) -> None:
        self._channel = channel
        self._is_gripper = isinstance(limb, ServoArm) and channel is limb.gripper
        super().__init__(limb, f"{limb.name} gripper" if self._is_gripper else limb.name, clamped)
        self._goal = goal
        self._speed = speed
        self._late = 0.0
        self.replan()

    def replan(self) -> None:
        if self._is_gripper:
            self._channel.setpoint = self._channel.sent  # fingers that hold something never got to where they were sent
        self._begin(Move(self._channel.setpoint, self._goal, self._channel.limits, self._speed))

    def brake(self) -> None:
        self._begin(Brake(self._channel.setpoint, self._channel.velocity, self._channel.limits))

    def braked(self) -> bool:
        return isinstance(self._motion, Brake) and self._t >= self._motion.duration

    def displaced(self) -> bool:
        return not self._is_gripper and self._error() > 3 * ARRIVED

    def feedback(self) -> dict[str, Any]:
        return {"remaining": self._left()}

    def _begin(self, motion: Motion) -> None:
        self._motion = motion
        self._t = 0.0

    def _step(self, now: float, dt: float) -> None:
        channel = self._channel
        if channel.behind:
            self._late += dt
        elif self._t < self._motion.duration:
            self._t += dt
            self._late = max(0.0, self._late - dt)  # lags that are made up for do not add up to a blocked joint
        channel.setpoint, channel.velocity = self._motion.at(self._t)
        if self._t < self._motion.duration or self.paused or self.state is GoalState.CANCELING:
            self._give_up_when_late()
            return
        if self._left() < (CLOSED if self._is_gripper else ARRIVED):
            self.end(GoalState.SUCCEEDED, "there")
            return
        self._late += dt
        self._give_up_when_late()

    def _give_up_when_late(self) -> None:
        if self._is_gripper and self._late > GRIPPED:
            self._channel.velocity = (0.0,)
            opening = self._channel.measured[0]
            self.end(GoalState.SUCCEEDED, f"the fingers hold something {opening * 100:.1f} cm wide")
        elif self._late > PATIENCE:
            error, joint = max(
                (abs(error), joint.name) for error, joint in zip(self._channel.error, self._channel.joints, strict=True)
            )
            self._channel.pin()
            self.fail(FaultCode.FOLLOWING_ERROR, f"{joint} is blocked, {error:.2f} rad behind")

    def _error(self) -> float:
        return max([abs(error) for error in self._channel.error])

    def _left(self) -> float:
        measured = self._channel.measured
        return max([abs(want - at) for want, at in zip(self._goal, measured, strict=True)])


class _Phase(Enum):
    FACE = auto()
    GO = auto()
    TURN = auto()


class DriveGoal(RunningGoal):
    """The base turns towards its goal, drives there straight, and turns as asked."""

    def __init__(self, base: Base, goal: Pose2D, speed: float, clamped: tuple[str, ...]) -> None:
        super().__init__(base, "base", clamped)
        self._base = base
        self._goal = goal
        self._limits = base.limits
        self._speed = speed
        self._blocked = 0.0
        self._turns_left = 5
        self.replan()

    def replan(self) -> None:
        self._phase = _Phase.FACE
        self._blocked = 0.0

    def brake(self) -> None:
        self._base.wanted = Twist()

    def braked(self) -> bool:
        return not any(self._base.wanted) and self._base.at_rest

    def displaced(self) -> bool:
        return False  # odometry has seen whatever moved the wheels, and the way is planned anew

    def feedback(self) -> dict[str, Any]:
        return {"remaining": self._distance(), "pose": [self._base.pose.x, self._base.pose.y]}

    def abort(self, detail: str, hint: str = "") -> None:
        self.brake()
        super().abort(detail, hint)

    def _step(self, now: float, dt: float) -> None:
        if self.paused or self.state is GoalState.CANCELING:
            return
        match self._phase:
            case _Phase.FACE:
                self._face()
            case _Phase.GO:
                self._go()
            case _Phase.TURN:
                self._turn()
        stuck = any(self._base.twist) and not self._base.moves
        self._blocked = self._blocked + dt if stuck else 0.0
        if self._blocked > PATIENCE:
            self.fail(FaultCode.STALL, "the wheels do not turn")

    def _face(self) -> None:
        if self._distance() < PLACE:
            self._phase = _Phase.TURN
        elif self._turn_by(self._bearing_error(), HEADING):
            self._phase = _Phase.GO

    def _go(self) -> None:
        pose = self._base.pose
        ahead, aside = pose.to_local(self._goal.x, self._goal.y)
        if ahead > PLACE / 4:
            turn = 1.5 * math.atan2(aside, ahead) if ahead > 5 * PLACE else 0.0
            limit = self._limits.angular_velocity / 2
            self._base.wanted = Twist(
                approach_velocity(ahead, self._speed * self._limits.velocity, self._limits.acceleration),
                turn=min(max(turn, -limit), limit),
            )
            return
        self._base.wanted = Twist()
        if self._base.at_rest:
            self._phase = _Phase.TURN if self._distance() < PLACE else _Phase.FACE
            self._count_turn()

    def _count_turn(self) -> None:
        self._turns_left -= 1
        if not self._turns_left:
            self.abort(f"does not get nearer than {self._distance():.2f} m", "ask for a place further away")

    def _turn(self) -> None:
        if self._turn_by(wrap(self._goal.theta - self._base.pose.theta), HEADING / 2):
            off = self._distance()
            self.end(GoalState.SUCCEEDED, f"there, {off * 100:.1f} cm off by odometry")

    def _turn_by(self, angle: float, tolerance: float) -> bool:
        """Turn on the spot; True when it is done and at rest."""
        limits = self._limits
        wanted = approach_velocity(angle, self._speed * limits.angular_velocity, limits.angular_acceleration)
        close = abs(angle) < tolerance
        self._base.wanted = Twist(turn=0.0 if close else wanted)
        return close and self._base.at_rest

    def _bearing_error(self) -> float:
        pose = self._base.pose
        return wrap(math.atan2(self._goal.y - pose.y, self._goal.x - pose.x) - pose.theta)

    def _distance(self) -> float:
        return math.hypot(self._goal.x - self._base.pose.x, self._goal.y - self._base.pose.y)
