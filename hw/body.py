"""The whole robot behind one table of requests: components, goals under way, and the stop that latches.

Knows no sockets; the server hands in requests and time. Nothing here ever waits: an answer that takes a while
(to activate, to stop) is given through `reply` when it is known.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from hw.arm import ServoArm
from hw.base import DifferentialDrive
from hw.device import Component
from hw.estop import EmergencyStop
from hw.faults import ComponentError, FaultCode, FaultList
from hw.goals import DriveGoal, PathGoal, RunningGoal, ServoGoal
from hw.limits import (
    LimitError,
    check_path,
    check_payload,
    check_stays_inside,
    check_workspace,
    clamp_positions,
    clamp_speed,
    clamp_tip_twist,
    clamp_twist,
    finite,
    loaded_speed,
)
from hw.state import Lifecycle, Pose2D, Severity, Standstill
from hw.streams import LONGEST_TTL, TTL, JogGoal, StreamGoal, TwistGoal

Stream = TypeVar("Stream", bound=StreamGoal)

LONGEST_STEP = 0.02
"""Seconds of motion per tick at most: after a late tick the robot is late too, and makes no leap."""
ACTIVATION = 5.0
"""Seconds until activate() is answered with what is missing: ports open every half a second."""
OVERRUN = 0.05
"""Seconds between two ticks that are worth a warning: five of them were missed."""
STOPPING = 0.6
"""Seconds in which a stop should have been measured; then the answer says false, or uncertain."""

Reply = Callable[[dict[str, Any]], None]
Owner = object
"""Whoever gave a goal: the server's connection."""


class Refusal(Exception):
    """A request that cannot be carried out; `kind` tells the client which error to raise."""

    def __init__(self, kind: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.answer = {"ok": False, "kind": kind, "message": message, "hint": hint}


@dataclass
class _Pending:
    deadline: float
    answer: Callable[[bool], dict[str, Any] | None]
    """Called with whether the deadline has passed; None means not yet."""
    reply: Reply


@dataclass
class _Owned:
    goal: RunningGoal
    owner: Owner
    told: str = ""


class Body:
    """Arms and base, what moves them, and what keeps them from moving."""

    def __init__(
        self,
        arms: Mapping[str, ServoArm],
        base: DifferentialDrive | None,
        description: Mapping[str, Any],
        client_timeout: float,
        estop: EmergencyStop | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.arms = dict(arms)
        self.base = base
        self.components: dict[str, Component] = {**self.arms} | ({"base": base} if base else {})
        self.stopped: str | None = None
        self.paused = False
        self.faults = FaultList()
        self.emergency: str | None = None
        """Why the emergency stop counts as pressed, while it does."""
        self._estop = estop or EmergencyStop()
        self._description = description
        self._client_timeout = client_timeout
        self._clock = clock
        self._goals: list[_Owned] = []
        self._heard: dict[Owner, float] = {}
        self._pending: list[_Pending] = []
        self._last_tick: float | None = None
        self._requests: dict[str, Callable[[dict[str, Any], Owner, Reply], dict[str, Any] | None]] = {
            "describe": self._describe,
            "state": self._state,
            "devices": self._devices,
            "alive": lambda message, owner, reply: {},
            "move_joints": self._move_joints,
            "grip": self._grip,
            "carry": self._carry,
            "drive_to": self._drive_to,
            "move_path": self._move_path,
            "drive": self._drive,
            "jog": self._jog,
            "move_twist": self._move_twist,
            "feedback": self._feedback,
            "cancel": self._cancel,
            "cancel_all": self._cancel_all,
            "pause": self._pause,
            "resume": self._resume,
            "clear_stop": self._clear_stop,
            "clear_fault": self._clear_fault,
            "activate": self._activate,
        }

    def request(self, message: Mapping[str, Any], owner: Owner, reply: Reply) -> None:
        """Carry out one request; reply gets {"ok": true, ...} or {"ok": false, kind, message, hint}."""
        self._heard[owner] = self._clock()
        known = self._requests.get(str(message.get("op")))
        try:
            if known is None:
                raise Refusal(
                    "request",
                    f"no request is called {message.get('op')!r}",
                    f"use {', '.join(self._requests)}",
                )
            answer = known(dict(message), owner, reply)
        except Refusal as refusal:
            answer = refusal.answer
        except LimitError as error:
            self._warn("request", FaultCode.LIMIT_REJECTED, str(error))
            answer = Refusal("limit", str(error), "").answer
        except (KeyError, TypeError, ValueError) as error:
            answer = Refusal("request", f"malformed request: {error!r}", "see hw/client.py").answer
        if answer is not None:
            reply({"ok": True} | answer)

    def stop(self, reason: str, reply: Reply | None = None) -> None:
        """Protective stop: everything comes to rest at once, holds, and stays until a person clears it.

        reply gets accepted_at, frame_sent_at and standstill, once that is measured or overdue.
        """
        accepted_at = self._clock()
        written = [component.stop() for component in self.components.values()]
        frame_sent_at = self._clock() if any(written) else None
        self.stopped = self.stopped or reason
        self.paused = False
        for owned in self._goals:
            owned.goal.abort(f"stopped ({reason})", "a person must clear the stop first")
        if reply:
            self._pending.append(self._stop_report(accepted_at, frame_sent_at, reply))

    def tick(self, now: float) -> list[tuple[Owner, dict[str, Any]]]:
        """One hundredth of a second of life; returns what goals' owners should hear."""
        dt = min(now - self._last_tick, LONGEST_STEP) if self._last_tick is not None else 0.0
        if self._last_tick is not None and now - self._last_tick > OVERRUN:
            self._warn("loop", FaultCode.LOOP_OVERRUN, f"a tick came {now - self._last_tick:.2f} s after the last one")
        self._last_tick = now
        for owned in self._goals:
            owned.goal.step(now, dt)
        for component in self.components.values():
            component.tick(now, dt)
        self.take_troubles()
        self._watch_estop()
        self._watch_owners(now)
        self._pending = [pending for pending in self._pending if not self._answered(pending, now)]
        return self._news()

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
        if any(owned.owner is owner and not owned.goal.state.done for owned in self._goals):
            self._client_lost("whoever asked for the motion is gone")
        self._goals = [owned for owned in self._goals if owned.owner is not owner]

    @property
    def at_rest(self) -> bool:
        """No component is powered and measured to move."""
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

    def _describe(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        return {"description": self._description}

    def _state(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        return {
            "arms": {
                name: {
                    "joints": arm.arm.measured,
                    "gripper": arm.gripper.measured[0],
                    "effort": arm.gripper.load,
                }
                for name, arm in self.arms.items()
            },
            "base": asdict(self.base.pose) if self.base else asdict(Pose2D()),
            "stopped": self.stopped,
            "paused": self.paused,
            "lifecycle": {name: component.lifecycle for name, component in self.components.items()},
            "faults": [asdict(fault) for fault in self.faults],
            "buses": {name: asdict(arm.counters) for name, arm in self.arms.items()},
        }

    def _devices(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        return {
            "devices": {
                name: {"lifecycle": component.lifecycle, "reason": component.reason, "motors": component.details()}
                for name, component in self.components.items()
            }
        }

    def _move_joints(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        arm = self._arm(message)
        names = [joint.name for joint in arm.arm.joints]
        joints, clamped = clamp_positions(names, arm.arm.limits, message["joints"])
        speed, slowed = _speed(arm, message)
        self._ready(arm, arm.name)
        check_workspace(arm.description.kinematics, arm.arm.setpoint, joints)
        return self._begin(ServoGoal(arm, arm.arm, joints, speed, clamped + slowed), owner)

    def _grip(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        arm = self._arm(message)
        opening, clamped = clamp_positions(["gripper"], arm.gripper.limits, [message["opening"]])
        self._ready(arm, f"{arm.name} gripper")
        return self._begin(ServoGoal(arm, arm.gripper, opening, 1.0, clamped), owner)

    def _carry(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        arm = self._arm(message)
        arm.carried = check_payload(arm.name, arm.description.payload, message["mass"])
        return {}

    def _drive_to(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        pose = Pose2D(*(finite(name, message[name]) for name in ("x", "y", "theta")))
        speed, clamped = clamp_speed(message.get("speed", 1.0))
        if self.base is None:
            raise Refusal("request", "this robot has no base", "ask for something that needs no driving")
        self._ready(self.base, "base")
        return self._begin(DriveGoal(self.base, pose, speed, clamped), owner)

    def _move_path(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        arm = self._arm(message)
        names = [joint.name for joint in arm.arm.joints]
        speed, slowed = _speed(arm, message)
        self._ready(arm, arm.name)
        points = check_path(names, arm.arm.limits, [arm.arm.setpoint, *message["points"]])
        check_stays_inside(arm.description.kinematics, points)
        return self._begin(PathGoal(arm, points, speed, slowed), owner)

    def _drive(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        if self.base is None:
            raise Refusal("request", "this robot has no base", "ask for something that needs no driving")
        twist, clamped = clamp_twist(self.base.limits, message["forward"], message["turn"])
        goal = self._stream(TwistGoal(self.base), owner)
        goal.command(twist, _ttl(message), clamped)
        return {"goal": goal.id, "clamped": clamped}

    def _jog(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        arm = self._arm(message)
        velocities = [finite(joint.name, v) for joint, v in zip(arm.arm.joints, message["velocities"], strict=True)]
        goal = self._stream(JogGoal(arm), owner)
        goal.command(lambda positions: velocities, _ttl(message))
        return {"goal": goal.id, "clamped": ()}

    def _move_twist(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        arm = self._arm(message)
        twist, clamped = clamp_tip_twist(message)
        still = not any(twist)
        goal = self._stream(JogGoal(arm), owner)
        kinematics = arm.description.kinematics
        zero = (0.0,) * len(arm.arm.joints)
        goal.command(lambda positions: zero if still else kinematics.rates(positions, twist), _ttl(message), clamped)
        return {"goal": goal.id, "clamped": clamped}

    def _stream(self, fresh: Stream, owner: Owner) -> Stream:
        """The stream of this owner that runs already, or the fresh one."""
        self._refuse_when_stopped()
        for owned in self._goals:
            same = type(owned.goal) is type(fresh) and owned.goal.claim == fresh.claim and owned.owner is owner
            if same and isinstance(owned.goal, type(fresh)) and owned.goal.takes_commands:
                return owned.goal
        self._ready(fresh.component, fresh.claim)
        self._begin(fresh, owner)
        return fresh

    def _feedback(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        for owned in self._goals:
            if owned.goal.id == message["goal"]:
                return {"feedback": {"state": owned.goal.state} | owned.goal.feedback()}
        return {"feedback": {}}

    def _cancel(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        for owned in self._goals:
            if owned.goal.id == message["goal"]:
                owned.goal.cancel()
        return {}

    def _cancel_all(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        self.paused = False
        for owned in self._goals:
            owned.goal.paused = False
            owned.goal.cancel()
        return {}

    def _pause(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        self._refuse_when_stopped()
        self.paused = True
        for owned in self._goals:
            owned.goal.pause()
        return {}

    def _resume(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        self._refuse_when_stopped()
        self.paused = False
        for owned in self._goals:
            owned.goal.resume()
        return {}

    def _clear_stop(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        _person(message)
        self._refuse_in_emergency()
        self.stopped = None
        self.faults.clear()
        for component in self.components.values():
            component.clear()
        return {}

    def _clear_fault(self, message: dict[str, Any], owner: Owner, reply: Reply) -> dict[str, Any]:
        """The stop stays: it is cleared by itself."""
        _person(message)
        self._refuse_in_emergency()
        name = message["component"]
        self.faults.clear(name)
        if name in self.components:
            self.components[name].clear()
        return {}

    def _activate(self, message: dict[str, Any], owner: Owner, reply: Reply) -> None:
        self._refuse_when_stopped()
        asked: set[str] = set()

        def answer(late: bool) -> dict[str, Any] | None:
            if self.stopped is not None:
                return self._stopped_refusal().answer
            for name, component in self.components.items():
                if component.lifecycle is Lifecycle.INACTIVE and not component.activating and name not in asked:
                    asked.add(name)
                    component.activate(self._clock())
            missing = [c for c in self.components.values() if not c.active]
            if not missing:
                return {"ok": True}
            return _not_ready(missing).answer if late else None

        self._pending.append(_Pending(self._clock() + ACTIVATION, answer, reply))

    def _arm(self, message: dict[str, Any]) -> ServoArm:
        name = message["arm"]
        if name not in self.arms:
            raise Refusal("request", f"there is no arm {name!r}", f"use one of {', '.join(self.arms)}")
        return self.arms[name]

    def _ready(self, component: Component, claim: str) -> None:
        """Refusal unless this part may be set in motion now."""
        self._refuse_when_stopped()
        if self.paused:
            raise Refusal("refused", "the robot is paused", "resume() first")
        if not component.active:
            raise _not_ready([component])
        for owned in self._goals:
            if owned.goal.claim == claim and not owned.goal.state.done:
                raise Refusal(
                    "refused",
                    f"the {claim} is busy with goal {owned.goal.id}",
                    "wait for it, or cancel it first",
                )

    def _refuse_when_stopped(self) -> None:
        if self.stopped is not None:
            raise self._stopped_refusal()

    def _refuse_in_emergency(self) -> None:
        if self.emergency:
            raise Refusal(
                "stopped",
                f"the emergency stop is pressed: {self.emergency}",
                "see that nobody is in danger and release the emergency stop first",
            )

    def _stopped_refusal(self) -> Refusal:
        return Refusal("stopped", f"stopped: {self.stopped}", "a person must clear the stop, then activate")

    def _begin(self, goal: RunningGoal, owner: Owner) -> dict[str, Any]:
        self._goals.append(_Owned(goal, owner))
        if goal.clamped:
            self._warn("request", FaultCode.LIMIT_CLAMPED, "; ".join(goal.clamped))
        return {"goal": goal.id, "clamped": goal.clamped}

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

    def _warn(self, component: str, code: FaultCode, detail: str) -> None:
        self.faults.add(component, ComponentError(code, detail))

    def _watch_owners(self, now: float) -> None:
        for owned in self._goals:
            silent = now - self._heard.get(owned.owner, now)
            if silent > self._client_timeout and not owned.goal.state.done:
                self._client_lost(f"whoever asked for the motion has been silent for {silent:.1f} s")

    def _news(self) -> list[tuple[Owner, dict[str, Any]]]:
        """Changes of goals' states; goals that have ended are forgotten."""
        news: list[tuple[Owner, dict[str, Any]]] = []
        for owned in self._goals:
            goal = owned.goal
            if owned.told != goal.state:
                owned.told = goal.state
                result = asdict(goal.result) if goal.result else None
                news.append((owned.owner, {"goal": goal.id, "state": goal.state, "result": result, **goal.feedback()}))
        self._goals = [owned for owned in self._goals if not owned.goal.state.done]
        return news


def _speed(arm: ServoArm, message: dict[str, Any]) -> tuple[float, tuple[str, ...]]:
    """The factor that was asked for, within what the load in the hand allows."""
    speed, clamped = clamp_speed(message.get("speed", 1.0))
    allowed = loaded_speed(arm.carried, arm.description.payload)
    if speed <= allowed:
        return speed, clamped
    return allowed, (*clamped, f"speed clamped from {speed:g} to {allowed:.2g} with {arm.carried:g} kg in the hand")


def _ttl(message: dict[str, Any]) -> float:
    """Seconds that a command lives."""
    ttl = finite("ttl", message.get("ttl", TTL))
    if not 0 < ttl <= LONGEST_TTL:
        raise LimitError(f"ttl is {ttl:g}; a command lives for at most {LONGEST_TTL:g} s, so send it again and again")
    return ttl


def _person(message: dict[str, Any]) -> str:
    by = message.get("by")
    if not isinstance(by, str) or not by.strip():
        raise Refusal("request", "a stop and a fault are cleared by a person", "say who: by=...")
    return by


def _not_ready(components: list[Component]) -> Refusal:
    what = "; ".join(f"{c.name} is {c.lifecycle}" + (f" ({c.reason})" if c.reason else "") for c in components)
    states = {component.lifecycle for component in components}
    hints = [component.hint for component in components if component.hint]
    if hints:
        return Refusal("refused", what, hints[0])
    if Lifecycle.FAULT in states:
        hint = "a person must see to the fault and clear it, then activate"
    elif Lifecycle.UNCONFIGURED in states:
        hint = "check cables, power and the device paths in the robot description"
    else:
        hint = "activate() first"
    return Refusal("refused", what, hint)
