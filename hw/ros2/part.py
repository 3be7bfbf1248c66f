"""What an arm and a base behind actions of ROS 2 have in common: a bridge, what is measured, and goals.

Nothing in ROS ends a goal whose client has died. So whatever ends here (a goal, a connection, this process) the bridge
cancels, and whatever ends there is a fault here.
"""

import itertools
import math
from abc import abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw.device import SETTLE, Component
from hw.device_faults import ComponentError, FaultCode
from hw.ros2.link import BridgeLink
from hw.ros2.wire import BEAT
from hw.state import Lifecycle, Standstill

WINDOW = 0.15
"""Seconds over which a speed is measured."""
EXCESS, EXCESS_FOR = 1.5, 0.2
"""Times its limit that a part may be measured to move, and for how many seconds: ROS has limits of its own, or none."""

_ids = itertools.count(1)


@dataclass(frozen=True)
class Outcome:
    """How ROS says that a goal has ended."""

    state: str
    """"succeeded", "canceled", "aborted" or "rejected"."""
    detail: str = ""
    stalled: bool = False
    """Fingers that hold something."""


GONE = Outcome("aborted", "the bridge to ROS 2 has ended")


class ActionPart(Component):
    """A part of a robot that runs ROS 2."""

    def _reach(self, path: Path, join: Mapping[str, Any]) -> None:
        """Begin to be the part that the bridge at `path` knows by the names in `join`."""
        self._path, self._join = path, join
        self._link: BridgeLink | None = None
        self._seen: deque[tuple[float, tuple[float, ...]]] = deque()
        """When by ROS's stamps, and what was measured: of the last WINDOW, the oldest first."""
        self._heard_at = -math.inf
        self._missing: tuple[str, ...] = ()
        self._beaten = -math.inf
        self._open_goals: set[int] = set()
        self._outcomes: dict[int, Outcome] = {}
        self._too_fast = 0.0

    # --- for goals ---

    def begin(self, operation: str, **fields: Any) -> int:
        """Give ROS a goal; its number is for outcome() and cancel()."""
        number = next(_ids)
        if self._link is None:
            self._outcomes[number] = GONE
            return number
        self._open_goals.add(number)
        self._guard(lambda: self._send({"op": operation, "id": number, **fields}))
        return number

    def outcome(self, goal: int) -> Outcome | None:
        """Return how it ended; None while it runs."""
        return self._outcomes.get(goal)

    def cancel(self, goal: int) -> None:
        if goal in self._open_goals:
            self._guard(lambda: self._send({"op": "cancel", "id": goal}))

    def forget(self, goal: int) -> None:
        """Forget it: nobody asks for its outcome any more."""
        self._open_goals.discard(goal)
        self._outcomes.pop(goal, None)

    @property
    def at_rest(self) -> bool:
        """Return whether it is measured to stand."""
        return len(self._seen) > 1 and self._stands()

    # --- for the body ---

    def fileno(self) -> int | None:
        return self._link.fileno() if self._link else None

    @property
    def asking(self) -> bool:
        return False

    @property
    def activating(self) -> bool:
        return False

    @property
    def resting(self) -> bool:
        return not self._open_goals and (self._link is None or self.at_rest)

    def stop(self) -> bool:
        """Cancel all goals of this part, whoever gave them; True when the bridge has been told."""
        if self._link is None:
            return False
        self.deactivate()
        troubles = len(self.troubles)
        self._guard(lambda: self._send({"op": "cancel"}))
        return len(self.troubles) == troubles

    def standstill(self, since: float) -> Standstill:
        if not self._seen or self._heard_at < since + SETTLE or len(self._seen) < 2:
            return Standstill.UNCERTAIN
        return Standstill.TRUE if self._stands() else Standstill.FALSE

    # --- what a part of one kind knows ---

    @abstractmethod
    def _values(self, packet: Mapping[str, Any]) -> tuple[float, ...] | None:
        """What a packet measures; None where it does not."""

    @abstractmethod
    def _measure(self, values: tuple[float, ...]) -> None:
        """Take over what was measured."""

    @abstractmethod
    def _stands(self) -> bool:
        """By `_rates`, it does not move."""

    @abstractmethod
    def _excess(self) -> str:
        """What is measured to move beyond its limit, in words; "" where nothing is."""

    def _rates(self) -> Sequence[float]:
        """How fast each value changes, per second; zeros while too little was seen."""
        (then, before), (now, after) = self._seen[0], self._seen[-1]
        if now <= then:
            return (0.0,) * len(after)
        return [(b - a) / (now - then) for a, b in zip(before, after, strict=True)]

    # --- the life of a component ---

    def _open(self, now: float) -> None:
        self._link = BridgeLink(self._path)
        self._seen.clear()
        self._send({"op": "join", **self._join})

    def _close_port(self) -> None:
        if self._link:
            self._link.close()
        self._link = None
        self._outcomes |= dict.fromkeys(self._open_goals, GONE)
        self._open_goals.clear()

    def _receive(self, now: float) -> None:
        if self._link is None:
            return
        for packet in self._link.receive():
            if "goal" in packet:
                self._end(packet)
            else:
                self._take(packet)

    def _end(self, packet: Mapping[str, Any]) -> None:
        goal = int(packet["goal"])
        if goal in self._open_goals:
            self._open_goals.discard(goal)
            detail, stalled = str(packet.get("detail", "")), bool(packet.get("stalled"))
            self._outcomes[goal] = Outcome(str(packet["state"]), detail, stalled)

    def _take(self, packet: Mapping[str, Any]) -> None:
        self._missing = tuple(packet.get("missing", ()))
        values = self._values(packet)
        if values is None or not all(map(math.isfinite, values)):
            return
        self._heard_at, stamp = float(packet["at"]), float(packet["stamp"])
        if self._seen and stamp < self._seen[-1][0]:
            self._seen.clear()  # their clock was set, or a simulation began anew
        if not self._seen or stamp > self._seen[-1][0]:
            self._seen.append((stamp, values))
        while stamp - self._seen[0][0] > WINDOW and len(self._seen) > 2:
            self._seen.popleft()
        self._measure(values)

    def _tick(self, now: float, dt: float) -> None:
        if now >= self._beaten + BEAT:
            self._beaten = now
            self._send({"op": "alive"})
        if self.lifecycle is Lifecycle.UNCONFIGURED:
            self._look_whether_ready(now)
        elif self.lifecycle is not Lifecycle.FAULT:
            self._check(now, dt)

    def _look_whether_ready(self, now: float) -> None:
        fresh = bool(self._seen) and now - self._heard_at < self._timeout
        if self._missing or not fresh:
            self.reason = f"ROS does not offer {', '.join(self._missing) or 'anything yet'}"
            self.hint = "start the robot's own nodes, and compare the names in robot.toml with `ros2 action list`"
            return
        self.lifecycle = Lifecycle.INACTIVE
        self.reason = self.hint = ""

    def _check(self, now: float, dt: float) -> None:
        """ComponentError for a ROS that has fallen silent, has lost an action, or is too fast."""
        silent = now - self._heard_at
        if silent > self._timeout:
            raise ComponentError(FaultCode.COMM_TIMEOUT, f"ROS has not told for {silent:.1f} s where it is")
        if self._missing:
            raise ComponentError(FaultCode.NOT_READY, f"ROS offers no more: {', '.join(self._missing)}")
        what = self._excess()
        self._too_fast = self._too_fast + dt if what else 0.0
        if self._too_fast > EXCESS_FOR:
            self._too_fast = 0.0
            raise ComponentError(FaultCode.LIMIT_MISMATCH, f"{what}: give ROS the same limits as robot.toml")

    def _activate(self, now: float) -> None:
        """Its controllers run already, or it would not be ready."""
        self.powered = True
        self.lifecycle = Lifecycle.ACTIVE

    def _release(self) -> None:
        """Its power is its own affair; what it does is ended."""
        self._send({"op": "cancel"})

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._link:
            self._link.send(message)
