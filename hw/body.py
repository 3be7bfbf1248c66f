"""The whole robot: components, goals under way, and the stop that latches.

Knows no sockets and no requests; the server hands in time. Nothing here ever waits: an answer that takes a while
(to activate, to stop) is given through `reply` when it is known.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from hw.base import Base
from hw.device import Component
from hw.device_faults import ComponentError, FaultCode, FaultList
from hw.estop import EmergencyStop
from hw.head import Head
from hw.motions import AnyArm
from hw.running_goals import RunningGoal
from hw.state import Severity, Standstill

LONGEST_STEP = 0.02
"""Seconds of motion per tick at most: after a late tick the robot is late too, and makes no leap."""
PERIOD = 0.01
"""Seconds between ticks: 100 Hz."""
REST_PERIOD = 0.05
"""The same while nothing moves and nobody waits. Shorter than any watchdog that must be fed (a fifth of the axes'),
and a cable that is pulled is still noticed within a tenth of a second."""
OVERRUN = 0.04
"""Seconds that a tick may be late before it is worth a warning: four of them were missed."""
STOPPING = 0.6
"""Seconds in which a stop should have been measured; then the answer says false, or uncertain."""

Reply = Callable[[dict[str, Any]], None]
Owner = object
"""Whoever gave a goal: the server's connection."""


@dataclass
class _Pending:
    deadline: float
    answer: Callable[[bool], dict[str, Any] | None]
    """Called with whether the deadline has passed; None means not yet."""
    reply: Reply


@dataclass
class Owned:
    """A goal, and who asked for it."""

    goal: RunningGoal
    owner: Owner
    told: str = ""


class Body:
    """Arms and base, what moves them, and what keeps them from moving."""

    def __init__(
        self,
        arms: Mapping[str, AnyArm],
        base: Base | None,
        description: Mapping[str, Any],
        client_timeout: float,
        estop: EmergencyStop | None = None,
        head: Head | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.arms = dict(arms)
        self.base = base
        self.head = head
        self.components: dict[str, Component] = {
            **self.arms,
            **({"base": base} if base else {}),
            **({"head": head} if head else {}),
        }
        self.stopped: str | None = None
        self.paused = False
        self.faults = FaultList()
        self.emergency: str | None = None
        """Why the emergency stop counts as pressed, while it does."""
        self.goals: list[Owned] = []
        self.description = description
        """What it was built from, for whoever asks."""
        self.clock = clock
        """Monotonic seconds."""
        self._estop = estop or EmergencyStop()
        self._client_timeout = client_timeout
        self._heard: dict[Owner, float] = {}
        self._pending: list[_Pending] = []
        self._last_tick: float | None = None
        self.off: deque[float] = deque(maxlen=1000)
        """Seconds that each of the last ticks was off its time, those at rest not counted."""
        self._due: tuple[float, float] | None = None
        """When the next tick is expected, and how long after the last one."""

    @property
    def period(self) -> float:
        """Seconds from the last tick to the next one, as things are at this moment."""
        at_rest = not self.goals and not self._pending and all(c.resting for c in self.components.values())
        return REST_PERIOD if at_rest else PERIOD

    def hear(self, owner: Owner) -> None:
        """A sign of life."""
        self._heard[owner] = self.clock()

    def begin(self, goal: RunningGoal, owner: Owner) -> None:
        """Set something in motion; whoever calls has looked whether it may be."""
        self.goals.append(Owned(goal, owner))
        if goal.clamped:
            self.warn("request", FaultCode.LIMIT_CLAMPED, "; ".join(goal.clamped))

    def pause(self) -> None:
        """Decelerate and hold until resume()."""
        self.paused = True
        for owned in self.goals:
            owned.goal.pause()

    def resume(self) -> None:
        self.paused = False
        for owned in self.goals:
            owned.goal.resume()

    def cancel_all(self) -> None:
        """Decelerate and hold; every goal ends as canceled."""
        self.paused = False
        for owned in self.goals:
            owned.goal.paused = False
            owned.goal.cancel()

    def stop(self, reason: str, reply: Reply | None = None) -> None:
        """Protective stop: everything comes to rest at once, holds, and stays until a person clears it.

        reply gets accepted_at, frame_sent_at and standstill, once that is measured or overdue.
        """
        accepted_at = self.clock()
        written = [component.stop() for component in self.components.values()]
        frame_sent_at = self.clock() if any(written) else None
        self.stopped = self.stopped or reason
        self.paused = False
        for owned in self.goals:
            owned.goal.abort(f"stopped ({reason})", "a person must clear the stop first")
        if reply:
            self._pending.append(self._stop_report(accepted_at, frame_sent_at, reply))

    def clear_stop(self) -> None:
        """A person has seen why; nothing moves before it is activated."""
        self.stopped = None
        self.faults.clear()
        for component in self.components.values():
            component.clear()

    def clear_fault(self, name: str) -> None:
        """The same for one component; the stop stays."""
        self.faults.clear(name)
        if name in self.components:
            self.components[name].clear()

    def answer_later(self, seconds: float, answer: Callable[[bool], dict[str, Any] | None], reply: Reply) -> None:
        """Reply with the first answer that is not None; it is asked for at every tick, with whether it is overdue."""
        self._pending.append(_Pending(self.clock() + seconds, answer, reply))

    def warn(self, component: str, code: FaultCode, detail: str) -> None:
        """Tell and count it; motion goes on."""
        self.faults.add(component, ComponentError(code, detail))

    def tick(self, now: float) -> list[tuple[Owner, dict[str, Any]]]:
        """One hundredth of a second of life; returns what goals' owners should hear."""
        dt = min(now - self._last_tick, LONGEST_STEP) if self._last_tick is not None else 0.0
        self._look_at_clock(now)
        self._last_tick = now
        for owned in self.goals:
            owned.goal.step(now, dt)
        claims = {owned.goal.claim for owned in self.goals}
        for name, arm in self.arms.items():
            arm.held = name not in claims
        for component in self.components.values():
            component.tick(now, dt)
        self.take_troubles()
        self._watch_estop()
        self._watch_owners(now)
        self._pending = [pending for pending in self._pending if not self._answered(pending, now)]
        news = self._news()
        period = self.period
        self._due = now + period, period
        return news

    def _look_at_clock(self, now: float) -> None:
        if self._due is None:
            return
        due, period = self._due
        if period == PERIOD:
            self.off.append(abs(now - due))
        if now - due > OVERRUN:
            self.warn("loop", FaultCode.LOOP_OVERRUN, f"a tick came {now - due:.2f} s late")

    def take_troubles(self) -> None:
        """Faults of components become named, latched, and a stop; warnings are told and counted."""
        for component in self.components.values():
            troubles, component.troubles = component.troubles, []
            for trouble in troubles:
                self.faults.add(component.name, trouble)
                if trouble.code is FaultCode.ESTOP_ACTIVE:
                    self._emergency_stop(f"{component.name}: {trouble.detail}")
                elif trouble.code is FaultCode.COMM_TIMEOUT and component.name in self._estop.silent:
                    self._emergency_stop(f"{component.name} is silent")
                elif trouble.severity is not Severity.WARNING:
                    self.stop(f"{trouble.code} of {component.name}: {trouble.detail}")

    def owner_gone(self, owner: Owner) -> None:
        """A connection ended; what it had set in motion stops."""
        self._heard.pop(owner, None)
        if any(owned.owner is owner and not owned.goal.state.done for owned in self.goals):
            self._client_lost("whoever asked for the motion is gone")
        self.goals = [owned for owned in self.goals if owned.owner is not owner]

    @property
    def at_rest(self) -> bool:
        """Return whether no component is powered and measured to move."""
        return all(
            component.standstill(0.0) is not Standstill.FALSE
            for component in self.components.values()
            if component.powered
        )

    def close(self) -> None:
        """Give the ports back. Arms go on holding; the base is disarmed, standing."""
        if self.base:
            self.base.release()
        for component in self.components.values():
            component.close()
        self._estop.close()

    def _stop_report(self, accepted_at: float, frame_sent_at: float | None, reply: Reply) -> _Pending:
        def answer(late: bool) -> dict[str, Any] | None:
            standstill = self._standstill(frame_sent_at or accepted_at)
            if standstill is not Standstill.TRUE and not late:
                return None
            return {"accepted_at": accepted_at, "frame_sent_at": frame_sent_at, "standstill": standstill}

        return _Pending(accepted_at + STOPPING, answer, reply)

    def _standstill(self, since: float) -> Standstill:
        measured = {component.standstill(since) for component in self.components.values()}
        for verdict in (Standstill.FALSE, Standstill.UNCERTAIN):
            if verdict in measured:
                return verdict
        return Standstill.TRUE

    def _answered(self, pending: _Pending, now: float) -> bool:
        answer = pending.answer(now > pending.deadline)
        if answer is not None:
            pending.reply(answer)
        return answer is not None

    def _watch_estop(self) -> None:
        sign = self._estop.sign(self.components.values())
        if sign and not self.emergency:
            self._emergency_stop(sign)
        self.emergency = sign

    def _emergency_stop(self, sign: str) -> None:
        """The power is gone: latch it, and ask nothing more of any motor."""
        self.faults.add("estop", ComponentError(FaultCode.ESTOP_ACTIVE, sign))
        self.stopped = f"{FaultCode.ESTOP_ACTIVE}: emergency stop, {sign}"
        self.stop(self.stopped)
        for component in self.components.values():
            component.cut()

    def _client_lost(self, detail: str) -> None:
        self.faults.add("client", ComponentError(FaultCode.CLIENT_LOST, detail))
        self.stop(detail)

    def _watch_owners(self, now: float) -> None:
        for owned in self.goals:
            silent = now - self._heard.get(owned.owner, now)
            if silent > self._client_timeout and not owned.goal.state.done:
                self._client_lost(f"whoever asked for the motion has been silent for {silent:.1f} s")

    def _news(self) -> list[tuple[Owner, dict[str, Any]]]:
        """Changes of goals' states; goals that have ended are forgotten."""
        news: list[tuple[Owner, dict[str, Any]]] = []
        for owned in self.goals:
            goal = owned.goal
            if owned.told != goal.state:
                owned.told = goal.state
                result = asdict(goal.result) if goal.result else None
                news.append((owned.owner, {"goal": goal.id, "state": goal.state, "result": result, **goal.feedback()}))
        self.goals = [owned for owned in self.goals if not owned.goal.state.done]
        return news
