"""What one may ask of the body: a table of requests, each checked against limits and states before anything moves.

An answer is {"ok": true, ...} or {"ok": false, kind, message, hint}; hw/client.py is the other side of it.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from hw import motions
from hw.arm import ServoArm
from hw.base import Base
from hw.body import Body, Owner, Reply
from hw.device import Component
from hw.device_faults import FaultCode
from hw.limits import (
    LimitError,
    check_payload,
    check_workspace,
    clamp_positions,
    clamp_speed,
    clamp_twist,
    finite,
    loaded_speed,
)
from hw.motion import wrap
from hw.motions import AnyArm
from hw.running_goals import RunningGoal
from hw.state import Lifecycle, Pose2D
from hw.streams import LONGEST_TTL, TTL, JogGoal, StreamGoal, TwistGoal

Stream = TypeVar("Stream", bound=StreamGoal)
Message = dict[str, Any]

NEAR = 0.3
NEAR_TURN = math.radians(15)
"""Metres and radians by which whoever is no person may correct where the base stands."""
ACTIVATION = 5.0
"""Seconds until activate() is answered with what is missing: ports open every half a second."""


class Refusal(Exception):
    """A request that cannot be carried out; `kind` tells the client which error to raise."""

    def __init__(self, kind: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.answer = {"ok": False, "kind": kind, "message": message, "hint": hint}


class Requests:
    """The requests that a body carries out. Nothing here waits: what takes a while is answered when it is known."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.known: dict[str, Callable[[Message, Owner, Reply], Message | None]] = {
            "describe": self._describe,
            "state": self._state,
            "devices": self._devices,
            "alive": lambda message, owner, reply: {},
            "move_joints": self._move_joints,
            "grip": self._grip,
            "look_at": self._look_at,
            "carry": self._carry,
            "drive_to": self._drive_to,
            "correct_base": self._correct_base,
            "drive": self._drive,
            "jog": self._jog,
            "feedback": self._feedback,
            "cancel": self._cancel,
            "cancel_all": self._cancel_all,
            "pause": self._pause,
            "resume": self._resume,
            "clear_stop": self._clear_stop,
            "clear_fault": self._clear_fault,
            "activate": self._activate,
        }

    def carry_out(self, message: Mapping[str, Any], owner: Owner, reply: Reply) -> None:
        """One request of `owner`, who is alive therefore; reply gets the answer, at once or later."""
        self._body.hear(owner)
        known = self.known.get(str(message.get("op")))
        try:
            if known is None:
                raise Refusal("request", f"no request is called {message.get('op')!r}", f"use {', '.join(self.known)}")
            answer = known(dict(message), owner, reply)
        except Refusal as refusal:
            answer = refusal.answer
        except LimitError as error:
            self._body.warn("request", FaultCode.LIMIT_REJECTED, str(error))
            answer = Refusal("limit", str(error), "").answer
        except (KeyError, TypeError, ValueError) as error:
            answer = Refusal("request", f"malformed request: {error!r}", "see hw/client.py").answer
        if answer is not None:
            reply({"ok": True} | answer)

    def _describe(self, message: Message, owner: Owner, reply: Reply) -> Message:
        return {"description": self._body.description}

    def _state(self, message: Message, owner: Owner, reply: Reply) -> Message:
        return {
            "arms": {
                name: {
                    "joints": arm.arm.measured,
                    "gripper": arm.gripper.measured[0],
                    "effort": arm.gripper.load,
                }
                for name, arm in self._body.arms.items()
            },
            "base": asdict(self._body.base.pose) if self._body.base else asdict(Pose2D()),
            "head": self._body.head.angles if self._body.head else None,
            "localised": self._body.base.localised if self._body.base else True,
            "stopped": self._body.stopped,
            "paused": self._body.paused,
            "lifecycle": {name: component.lifecycle for name, component in self._body.components.items()},
            "faults": [asdict(fault) for fault in self._body.faults],
            "loop": _milliseconds(self._body.off),
            "buses": {name: asdict(arm.counters) for name, arm in self._body.arms.items()},
        }

    def _devices(self, message: Message, owner: Owner, reply: Reply) -> Message:
        return {
            "devices": {
                name: {"lifecycle": component.lifecycle, "reason": component.reason, "motors": component.details()}
                for name, component in self._body.components.items()
            }
        }

    def _move_joints(self, message: Message, owner: Owner, reply: Reply) -> Message:
        arm = self._arm(message)
        names = [joint.name for joint in arm.arm.joints]
        joints, clamped = clamp_positions(names, arm.arm.limits, message["joints"])
        speed, slowed = _speed(arm, message)
        self._ready(arm, arm.name)
        check_workspace(arm.description.kinematics, arm.arm.setpoint, joints)
        return self._begin(motions.move(arm, joints, speed, clamped + slowed), owner)

    def _grip(self, message: Message, owner: Owner, reply: Reply) -> Message:
        arm = self._arm(message)
        opening, clamped = clamp_positions(["gripper"], arm.gripper.limits, [message["opening"]])
        self._ready(arm, f"{arm.name} gripper")
        return self._begin(motions.grip(arm, opening, clamped), owner)

    def _look_at(self, message: Message, owner: Owner, reply: Reply) -> Message:
        head = self._body.head
        if head is None:
            raise Refusal("request", "this robot has no head that turns", "it sees what is before it")
        x, y, z = (finite(name, message[name]) for name in ("x", "y", "z"))
        wanted = head.description.towards((x, y, z))
        angles, clamped = clamp_positions(["pan", "tilt"], head.neck.limits, wanted)
        speed, slowed = clamp_speed(message.get("speed", 1.0))
        self._ready(head, head.name)
        return self._begin(motions.look(head, angles, speed, clamped + slowed), owner)

    def _carry(self, message: Message, owner: Owner, reply: Reply) -> Message:
        arm = self._arm(message)
        arm.carried = check_payload(arm.name, arm.description.payload, message["mass"])
        return {}

    def _drive_to(self, message: Message, owner: Owner, reply: Reply) -> Message:
        pose = Pose2D(*(finite(name, message[name]) for name in ("x", "y", "theta")))
        speed, clamped = clamp_speed(message.get("speed", 1.0))
        base = self._base()
        self._ready(base, "base")
        if not base.localised:
            raise Refusal(
                "refused", "I do not know where I stand since my wheels were restarted", 'say: "you are at the ..."'
            )
        return self._begin(motions.drive(base, pose, speed, clamped), owner)

    def _correct_base(self, message: Message, owner: Owner, reply: Reply) -> Message:
        pose = Pose2D(*(finite(name, message[name]) for name in ("x", "y", "theta")))
        base = self._base()
        if self._body.goals or not base.at_rest:
            raise Refusal("refused", "where the base stands is corrected at standstill only", "wait until it stands")
        away = math.hypot(pose.x - base.pose.x, pose.y - base.pose.y)
        turned = abs(wrap(pose.theta - base.pose.theta))
        if not str(message.get("by", "")).strip() and base.localised and (away > NEAR or turned > NEAR_TURN):
            raise Refusal(
                "refused",
                f"that is {away:.2f} m and {math.degrees(turned):.0f} degrees from where the wheels say",
                "a person must say where the robot stands: by=...",
            )
        base.correct(pose)
        return {}

    def _drive(self, message: Message, owner: Owner, reply: Reply) -> Message:
        base = self._base()
        twist, clamped = clamp_twist(base.limits, message["forward"], message["turn"], message.get("left", 0.0))
        if not base.steerable:
            raise Refusal("refused", "this base is not steered", "write `velocity`, a topic of ROS, into [base]")
        goal = self._stream(TwistGoal(base), owner)
        goal.command(twist, _ttl(message), clamped)
        return {"goal": goal.id, "clamped": clamped}

    def _jog(self, message: Message, owner: Owner, reply: Reply) -> Message:
        arm = self._arm(message)
        velocities = [finite(joint.name, v) for joint, v in zip(arm.arm.joints, message["velocities"], strict=True)]
        if not isinstance(arm, ServoArm):
            raise Refusal("refused", f"ROS moves the {arm.name} arm, and it is not jogged", "use move_joints()")
        goal = self._stream(JogGoal(arm), owner)
        goal.command(velocities, _ttl(message))
        return {"goal": goal.id, "clamped": ()}

    def _begin(self, goal: RunningGoal, owner: Owner) -> Message:
        self._body.begin(goal, owner)
        return {"goal": goal.id, "clamped": goal.clamped}

    def _stream(self, fresh: Stream, owner: Owner) -> Stream:
        """The stream of this owner that runs already, or the fresh one."""
        self._refuse_when_stopped()
        for owned in self._body.goals:
            same = type(owned.goal) is type(fresh) and owned.goal.claim == fresh.claim and owned.owner is owner
            if same and isinstance(owned.goal, type(fresh)) and owned.goal.takes_commands:
                return owned.goal
        self._ready(fresh.component, fresh.claim)
        self._body.begin(fresh, owner)
        return fresh

    def _feedback(self, message: Message, owner: Owner, reply: Reply) -> Message:
        for owned in self._body.goals:
            if owned.goal.id == message["goal"]:
                return {"feedback": {"state": owned.goal.state} | owned.goal.feedback()}
        return {"feedback": {}}

    def _cancel(self, message: Message, owner: Owner, reply: Reply) -> Message:
        for owned in self._body.goals:
            if owned.goal.id == message["goal"]:
                owned.goal.cancel()
        return {}

    def _cancel_all(self, message: Message, owner: Owner, reply: Reply) -> Message:
        self._body.cancel_all()
        return {}

    def _pause(self, message: Message, owner: Owner, reply: Reply) -> Message:
        self._refuse_when_stopped()
        self._body.pause()
        return {}

    def _resume(self, message: Message, owner: Owner, reply: Reply) -> Message:
        self._refuse_when_stopped()
        self._body.resume()
        return {}

    def _clear_stop(self, message: Message, owner: Owner, reply: Reply) -> Message:
        _person(message)
        self._refuse_in_emergency()
        self._body.clear_stop()
        return {}

    def _clear_fault(self, message: Message, owner: Owner, reply: Reply) -> Message:
        """The stop stays: it is cleared by itself."""
        _person(message)
        self._refuse_in_emergency()
        self._body.clear_fault(message["component"])
        return {}

    def _activate(self, message: Message, owner: Owner, reply: Reply) -> None:
        self._refuse_when_stopped()
        asked: set[str] = set()

        def answer(late: bool) -> Message | None:
            if self._body.stopped is not None:
                return self._stopped_refusal().answer
            for name, component in self._body.components.items():
                if component.lifecycle is Lifecycle.INACTIVE and not component.activating and name not in asked:
                    asked.add(name)
                    component.activate(self._body.clock())
            missing = [c for c in self._body.components.values() if not c.active]
            if not missing:
                return {"ok": True}
            return _not_ready(missing).answer if late else None

        self._body.answer_later(ACTIVATION, answer, reply)

    def _arm(self, message: Message) -> AnyArm:
        name = message["arm"]
        if name not in self._body.arms:
            raise Refusal("request", f"there is no arm {name!r}", f"use one of {', '.join(self._body.arms)}")
        return self._body.arms[name]

    def _base(self) -> Base:
        if self._body.base is None:
            raise Refusal("request", "this robot has no base", "ask the person to hand it to you where you stand")
        return self._body.base

    def _ready(self, component: Component, claim: str) -> None:
        """Refusal unless this part may be set in motion now."""
        self._refuse_when_stopped()
        if self._body.paused:
            raise Refusal("refused", "the robot is paused", "resume() first")
        if not component.active:
            raise _not_ready([component])
        for owned in self._body.goals:
            if owned.goal.claim == claim and not owned.goal.state.done:
                raise Refusal(
                    "refused",
                    f"the {claim} is busy with goal {owned.goal.id}",
                    "wait for it, or cancel it first",
                )

    def _refuse_when_stopped(self) -> None:
        if self._body.stopped is not None:
            raise self._stopped_refusal()

    def _refuse_in_emergency(self) -> None:
        if self._body.emergency:
            raise Refusal(
                "stopped",
                f"the emergency stop is pressed: {self._body.emergency}",
                "see that nobody is in danger and release the emergency stop first",
            )

    def _stopped_refusal(self) -> Refusal:
        return Refusal("stopped", f"stopped: {self._body.stopped}", "a person must clear the stop, then activate")


def _milliseconds(off: Iterable[float]) -> Message:
    """Return how far ticks were off their time: 99 of 100 no further than p99."""
    ordered = sorted(off) or [0.0]
    return {"off_p99_ms": 1000 * ordered[int(0.99 * (len(ordered) - 1))], "off_max_ms": 1000 * ordered[-1]}


def _speed(arm: AnyArm, message: Message) -> tuple[float, tuple[str, ...]]:
    """The factor that was asked for, within what the load in the hand allows."""
    speed, clamped = clamp_speed(message.get("speed", 1.0))
    allowed = loaded_speed(arm.carried, arm.description.payload)
    if speed <= allowed:
        return speed, clamped
    return allowed, (*clamped, f"speed clamped from {speed:g} to {allowed:.2g} with {arm.carried:g} kg in the hand")


def _ttl(message: Message) -> float:
    """Seconds that a command lives."""
    ttl = finite("ttl", message.get("ttl", TTL))
    if not 0 < ttl <= LONGEST_TTL:
        raise LimitError(f"ttl is {ttl:g}; a command lives for at most {LONGEST_TTL:g} s, so send it again and again")
    return ttl


def _person(message: Message) -> str:
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
