"""Motions that last only while somebody keeps asking for them: driving and jogging by hand or by a controller.

Each command lives for its own time (TTL). When no fresh one comes, the component is brought to rest at once: whoever
was steering may have died, hung, or lost the network.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from hw.arm import ServoArm
from hw.base import Base
from hw.channel import Channel
from hw.device import Component
from hw.device_faults import FaultCode
from hw.limits import LimitError, check_workspace
from hw.motion import Positions, approach_velocity, ramp
from hw.running_goals import PATIENCE, RunningGoal
from hw.state import GoalState, Twist

TTL = 0.2
"""Seconds that a command lives unless it says otherwise."""
LONGEST_TTL = 1.0


class StreamGoal(RunningGoal):
    """Runs until its last command has expired."""

    def __init__(self, component: Component, claim: str, clamped: tuple[str, ...]) -> None:
        super().__init__(component, claim, clamped)
        self._left = 0.0
        """Seconds that the last command still lives."""

    @property
    def takes_commands(self) -> bool:
        return self.state in (GoalState.ACCEPTED, GoalState.EXECUTING) and not self.paused

    def live(self, ttl: float, clamped: tuple[str, ...]) -> None:
        """A fresh command has come."""
        self._left = ttl
        self.clamped = clamped

    def _step(self, now: float, dt: float) -> None:
        self._left -= dt
        if self._left > 0 or self.state is GoalState.CANCELING:
            self._go_on(dt)
        elif self.at_rest():
            self.end(GoalState.SUCCEEDED, "at rest, and nothing more was asked")
        else:
            self.halt()
            self.component.warn(FaultCode.COMMAND_STALE, f"{self.claim} was halted: no fresh command came")
            self.abort("halted: no fresh command came", "send the next command before the last one expires")

    def displaced(self) -> bool:
        return False  # there is no place that it is on its way to

    def replan(self) -> None:
        """The next command says what happens."""

    @abstractmethod
    def _go_on(self, dt: float) -> None: ...

    @abstractmethod
    def at_rest(self) -> bool:
        """Return whether nothing is asked for, and nothing moves."""

    @abstractmethod
    def halt(self) -> None:
        """Come to rest at once."""


class TwistGoal(StreamGoal):
    """The base drives and turns at a speed."""

    def __init__(self, base: Base) -> None:
        super().__init__(base, "base", ())
        self._base = base

    def command(self, twist: Twist, ttl: float, clamped: tuple[str, ...]) -> None:
        """Drive as `twist` says, which is within the limits; seconds."""
        self._base.wanted = twist
        self.live(ttl, clamped)

    def brake(self) -> None:
        self._base.wanted = Twist()

    def braked(self) -> bool:
        return self.at_rest()

    def at_rest(self) -> bool:
        return not any(self._base.wanted) and self._base.at_rest

    def halt(self) -> None:
        self._base.halt()

    def abort(self, detail: str, hint: str = "") -> None:
        self.brake()
        super().abort(detail, hint)

    def feedback(self) -> dict[str, Any]:
        return {"twist": list(self._base.twist)}

    def _go_on(self, dt: float) -> None:
        """The base itself ramps towards what is wanted."""


class JogGoal(StreamGoal):
    """The joints of an arm turn at speeds."""

    def __init__(self, arm: ServoArm) -> None:
        super().__init__(arm, arm.name, ())
        self._arm = arm
        self._channel: Channel = arm.arm
        self._wanted = self._none
        self._late = 0.0

    def command(self, velocities: Sequence[float], ttl: float) -> None:
        """rad/s of each joint; seconds."""
        self._wanted = tuple(velocities)
        self.live(ttl, ())

    def brake(self) -> None:
        self._wanted = self._none

    def braked(self) -> bool:
        return self.at_rest()

    def at_rest(self) -> bool:
        return not any(self._channel.velocity) and not any(self._wanted)

    def halt(self) -> None:
        self._channel.freeze()

    def feedback(self) -> dict[str, Any]:
        return {"velocity": list(self._channel.velocity)}

    @property
    def _none(self) -> Positions:
        return (0.0,) * len(self._channel.limits)

    def _go_on(self, dt: float) -> None:
        channel = self._channel
        self._late = self._late + dt if channel.behind else 0.0
        if self._late > PATIENCE:
            channel.pin()
            self.fail(FaultCode.FOLLOWING_ERROR, "the joints cannot follow")
        if channel.behind:
            return
        velocity = self._velocity(dt)
        ahead = tuple(
            limit.clamp(at + v * dt) for at, v, limit in zip(channel.setpoint, velocity, channel.limits, strict=True)
        )
        try:
            check_workspace(self._arm.description.kinematics, channel.setpoint, ahead, samples=1)
        except LimitError as error:
            channel.velocity = self._none
            self.abort(str(error), "jog back the way it came")
            return
        channel.setpoint, channel.velocity = ahead, velocity

    def _velocity(self, dt: float) -> Positions:
        """Towards what is wanted, in its direction, as fast as limits and the ends of the ranges allow."""
        channel = self._channel
        excess = max(1.0, *(abs(v) / limit.velocity for v, limit in zip(self._wanted, channel.limits, strict=True)))
        velocity = []
        for want, now, at, limit in zip(self._wanted, channel.velocity, channel.setpoint, channel.limits, strict=True):
            room = (limit.upper if want > 0 else limit.lower) - at
            nearest = abs(approach_velocity(room, limit.velocity, limit.acceleration))
            bounded = min(max(want / excess, -nearest), nearest)
            velocity.append(ramp(now, bounded, limit.acceleration * dt))
        return tuple(velocity)
