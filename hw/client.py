"""What skills call: the body as an object. Talks to heed-hw through the sockets in the runtime directory.

    robot = Robot(runtime_directory)
    robot.activate()
    robot.drive_to(1.0, 0.5, 0.0).wait()

A goal may be waited for in one thread, and cancelled or stopped from any other.
"""

import contextlib
import itertools
import json
import os
import queue
import socket
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hw.arm_manner import Manner
from hw.kinematics import Arm
from hw.state import (
    ArmState,
    Fault,
    GoalResult,
    GoalState,
    HardwareError,
    Lifecycle,
    Pose2D,
    RobotState,
    Severity,
    Standstill,
    StoppedError,
    StopReport,
    UnreachableError,
)

ANSWER = 10.0
"""Seconds to wait for heed-hw; it answers at once, but to activate, which may take five."""
STOP_ANSWER = 2.0
"""... and for its answer to a stop: then only the emergency stop is left."""
SIGN_OF_LIFE = 0.05
"""Seconds between signs of life while a goal is under way: a robot whose master hangs stops."""

_serials = itertools.count(1)


class Goal:
    """A motion that has been asked for."""

    def __init__(self, robot: "Robot", id_: int, clamped: tuple[str, ...]) -> None:
        self.id = id_
        self.clamped = clamped
        """What the limits changed about the request."""
        self._robot = robot
        self._changed = threading.Condition()
        self._state = GoalState.ACCEPTED
        self._result: GoalResult | None = None

    @property
    def state(self) -> GoalState:
        return self._state

    @property
    def done(self) -> bool:
        return self._result is not None

    def feedback(self) -> dict[str, Any]:
        """State, and what remains in radians or metres, as heed-hw says now; empty when it has ended."""
        return {} if self.done else self._robot.goal_feedback(self.id)

    def wait(self, timeout: float | None = None) -> GoalResult:
        """Wait, and return how it ended. Raises TimeoutError after `timeout` seconds; the motion goes on then."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._result is not None, timeout):
                raise TimeoutError(f"goal {self.id} has not ended after {timeout} s; cancel it or wait longer")
            assert self._result is not None
            return self._result

    def cancel(self) -> None:
        """Decelerate and hold; `wait` tells when."""
        if not self.done:
            self._robot.cancel(self.id)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in what heed-hw says; called by the robot's receiving thread."""
        with self._changed:
            self._state = GoalState(event["state"])
            if event.get("result"):
                result = event["result"]
                self._result = GoalResult(self._state, result["detail"], result["hint"], tuple(result["clamped"]))
            self._changed.notify_all()


class Robot:
    """A connection to heed-hw. When it ends, whatever it had set in motion stops."""

    def __init__(self, runtime_dir: Path) -> None:
        """Raises HardwareError when heed-hw does not run there."""
        self._runtime = runtime_dir
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._socket.connect(str(runtime_dir / "hw.sock"))
        except OSError as error:
            self._socket.close()
            raise _not_running(runtime_dir) from error
        self._socket.settimeout(SIGN_OF_LIFE)
        self._lock = threading.Lock()
        self._answers: dict[int, queue.SimpleQueue[dict[str, Any] | None]] = {}
        self._goals: dict[int, Goal] = {}
        self._early: dict[int, list[dict[str, Any]]] = {}
        self._closed = False
        self._receiver = threading.Thread(target=self._receive, name="robot", daemon=True)
        self._receiver.start()
        self.description: dict[str, Any] = self._ask("describe")["description"]
        """The robot description, as parsed from its TOML file."""
        self._arms = {name: Arm.from_description(self.description, name) for name in self.description["arms"]}

    def manner(self, arm: str) -> Manner:
        """Return how that arm goes about its work."""
        return Manner.from_description(self.description, self._kinematics(arm).name)

    @property
    def connected(self) -> bool:
        """Return False for good once heed-hw has gone, or close() was called."""
        return not self._closed

    def state(self) -> RobotState:
        """Return everything as measured, at most a hundredth of a second old while anything moves."""
        answer = self._ask("state")
        return RobotState(
            arms={
                name: ArmState(
                    joints=tuple(arm["joints"]),
                    tip=self._arms[name].fk(arm["joints"]),
                    gripper=arm["gripper"],
                    gripper_effort=arm["effort"],
                )
                for name, arm in answer["arms"].items()
            },
            base=Pose2D(**answer["base"]),
            head=(answer["head"][0], answer["head"][1]) if answer.get("head") else None,
            localised=answer["localised"],
            stopped=answer["stopped"],
            paused=answer["paused"],
            lifecycle={name: Lifecycle(value) for name, value in answer["lifecycle"].items()},
            faults=tuple(Fault(**fault | {"severity": Severity(fault["severity"])}) for fault in answer["faults"]),
        )

    def devices(self) -> dict[str, Any]:
        """Return each component's lifecycle, the reason for it, and what its motors measure; for a person to read."""
        return dict(self._ask("devices")["devices"])

    def move_joints(self, arm: str, joints: Sequence[float], speed: float = 1.0) -> Goal:
        """All joints (radians, from the shoulder outwards) arrive together. speed: 0 to 1 of the limit."""
        return self._start("move_joints", arm=arm, joints=list(joints), speed=speed)

    def move_tip(self, arm: str, x: float, y: float, z: float, pitch: float | None = None, speed: float = 1.0) -> Goal:
        """Bring the point between the fingertips there: robot frame, metres; pitch pi/2 points down, None: as it can.

        Raises UnreachableError with a hint when no joint angles do that.
        """
        kinematics = self._kinematics(arm)
        joints = kinematics.ik(x, y, z, pitch, seed=self.state().arms[arm].joints)
        return self.move_joints(arm, joints, speed)

    def grip(self, arm: str, opening: float) -> Goal:
        """Open or close the fingers: metres, 0 is closed. Succeeds too when they hold something."""
        return self._start("grip", arm=arm, opening=opening)

    def look_at(self, x: float, y: float, z: float, speed: float = 1.0) -> Goal:
        """Turn the head to a point of the robot frame (metres), as far as it goes. HardwareError without a head."""
        return self._start("look_at", x=x, y=y, z=z, speed=speed)

    def carry(self, arm: str, mass: float) -> None:
        """Say how many kilograms are in the hand; the arm is slower with them. UnreachableError for too many."""
        self._ask("carry", arm=arm, mass=mass)

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> Goal:
        """Turn, drive straight, turn: map frame, metres and radians."""
        return self._start("drive_to", x=x, y=y, theta=theta, speed=speed)

    def correct_base(self, pose: Pose2D, by: str = "") -> None:
        """Say where the base stands (map frame): at standstill alone. Where the wheels know better, a person says it.

        Raises HardwareError where it is refused.
        """
        self._ask("correct_base", x=pose.x, y=pose.y, theta=pose.theta, by=by)

    def drive(self, forward: float, turn: float, ttl: float = 0.2, left: float = 0.0) -> Goal:
        """Drive (m/s) and turn (rad/s anticlockwise) for ttl seconds; again before they are over to go on.

        The same goal is returned as long as it goes on. left: m/s to its side, for a base with omni wheels.
        """
        return self._start("drive", forward=forward, turn=turn, left=left, ttl=ttl)

    def jog(self, arm: str, velocities: Sequence[float], ttl: float = 0.2) -> Goal:
        """Turn the joints at these velocities (rad/s); as drive()."""
        return self._start("jog", arm=arm, velocities=list(velocities), ttl=ttl)

    def stop(self, reason: str) -> StopReport:
        """Protective stop, by the same way as everybody's: see send_stop."""
        return send_stop(self._runtime, reason)

    def clear_stop(self, by: str) -> None:
        """Release a latched stop and its faults, in the name of a person. Nothing moves before activate()."""
        self._ask("clear_stop", by=by)

    def clear_fault(self, component: str, by: str) -> None:
        """Forget the faults of one component ("left", "base", "loop") in the name of a person; a stop stays."""
        self._ask("clear_fault", component=component, by=by)

    def activate(self) -> None:
        """Power on, holding the measured pose. Raises StoppedError while a stop is latched."""
        self._ask("activate")

    def pause(self) -> None:
        """Decelerate and hold; goals stay under way."""
        self._ask("pause")

    def resume(self) -> None:
        """Go on after pause(). A goal whose arm was moved meanwhile is aborted instead."""
        self._ask("resume")

    def cancel_all(self) -> None:
        """Decelerate and hold; every goal ends as canceled."""
        self._ask("cancel_all")

    def cancel(self, goal: int) -> None:
        """The same for one goal."""
        self._ask("cancel", goal=goal)

    def goal_feedback(self, goal: int) -> dict[str, Any]:
        """State of a goal and what remains; empty when it has ended."""
        answer = self._ask("feedback", goal=goal)
        return dict(answer["feedback"])

    def close(self) -> None:
        """End the connection; safe to call twice."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        if threading.current_thread() is not self._receiver:
            self._receiver.join()
        self._socket.close()

    def __enter__(self) -> "Robot":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _kinematics(self, arm: str) -> Arm:
        if arm not in self._arms:
            raise HardwareError(f"there is no arm {arm!r}", f"use one of {', '.join(self._arms)}")
        return self._arms[arm]

    def _start(self, operation: str, **parameters: Any) -> Goal:
        answer = self._ask(operation, **parameters)
        with self._lock:
            if (known := self._goals.get(answer["goal"])) is not None:
                known.clamped = tuple(answer["clamped"])
                return known
            goal = Goal(self, answer["goal"], tuple(answer["clamped"]))
            if self._closed:
                goal.hear(_GONE)
                return goal
            self._goals[goal.id] = goal
            early = self._early.pop(goal.id, [])
        for event in early:
            self._tell(goal, event)
        return goal

    def _ask(self, operation: str, **parameters: Any) -> dict[str, Any]:
        """One request and its answer; a refusal becomes the exception it stands for."""
        serial = next(_serials)
        waiting: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        with self._lock:
            if self._closed:
                raise _not_running(self._runtime)
            self._answers[serial] = waiting
        try:
            self._send({"id": serial, "op": operation} | parameters)
            answer = waiting.get(timeout=ANSWER)
        except (queue.Empty, TimeoutError) as error:
            raise HardwareError(f"heed-hw has not answered for {ANSWER:.0f} s", "see its journal") from error
        except OSError as error:
            raise _not_running(self._runtime) from error
        finally:
            with self._lock:
                self._answers.pop(serial, None)
        if answer is None:
            raise _not_running(self._runtime)
        if not answer["ok"]:
            raise _REFUSALS.get(answer["kind"], HardwareError)(answer["message"], answer["hint"])
        return answer

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.send(json.dumps(message).encode())

    def _receive(self) -> None:
        """The receiving thread: answers to who asked, news to goals, signs of life to heed-hw."""
        with contextlib.suppress(OSError):
            while data := self._receive_packet():
                self._take(json.loads(data))
        with self._lock:
            self._closed = True
            waiting, goals = list(self._answers.values()), list(self._goals.values())
            self._goals.clear()
        for answer in waiting:
            answer.put(None)
        for goal in goals:
            goal.hear(_GONE)

    def _receive_packet(self) -> bytes:
        while not self._closed:
            with contextlib.suppress(TimeoutError):
                return self._socket.recv(65536)
            with contextlib.suppress(TimeoutError):
                if self._goals:
                    self._send({"op": "alive"})
        return b""

    def _take(self, message: dict[str, Any]) -> None:
        if "goal" in message and "id" not in message:
            with self._lock:
                goal = self._goals.get(message["goal"])
                if goal is None:
                    self._early.setdefault(message["goal"], []).append(message)
                    return
            self._tell(goal, message)
            return
        with self._lock:
            waiting = self._answers.get(message.get("id") or 0)
        if waiting:
            waiting.put(message)

    def _tell(self, goal: Goal, event: dict[str, Any]) -> None:
        goal.hear(event)
        if goal.done:
            with self._lock:
                self._goals.pop(goal.id, None)


def send_stop(runtime_dir: Path, reason: str) -> StopReport:
    """Protective stop, straight to heed-hw: everything halts, and holds until a person clears it.

    Raises HardwareError when nobody takes it or nobody answers: then only the emergency stop is left.
    """
    address = runtime_dir / f"stop-{os.getpid()}-{next(_serials)}.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        try:
            sender.bind(str(address))
            sender.settimeout(STOP_ANSWER)
            sender.sendto(json.dumps({"reason": reason}).encode(), str(runtime_dir / "stop.sock"))
            answer = json.loads(sender.recv(4096))
        except OSError as error:
            raise HardwareError(
                f"the stop was not confirmed: {error or 'no answer'}",
                "use the emergency stop if anything moves",
            ) from error
        finally:
            address.unlink(missing_ok=True)
    return StopReport(answer["accepted_at"], answer["frame_sent_at"], Standstill(answer["standstill"]))


_REFUSALS: dict[str, type[HardwareError]] = {"stopped": StoppedError, "limit": UnreachableError}

_GONE = {
    "state": GoalState.ABORTED,
    "result": {"detail": "heed-hw is gone", "hint": "start it again, then activate", "clamped": []},
}


def _not_running(runtime_dir: Path) -> HardwareError:
    return HardwareError(f"heed-hw does not run in {runtime_dir}", "start it with `heed` or systemctl start heed-hw")
