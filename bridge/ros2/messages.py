"""What heed says and what ROS says, as plain values: pure functions between the two. No ROS, no sockets.

Units are those of both: metres, radians, seconds.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.ros2.links import Look
from hw.state import Lifecycle, RobotState, Severity, Twist

OK, WARN, ERROR, STALE = range(4)
"""Levels of diagnostic_msgs/DiagnosticStatus."""
UNKNOWN = 1e6
"""Covariance of a pose on which nobody can rely (m², rad²)."""
VERSION = 1
"""Of the lines that eyes.sock reads (docs/eyes.md)."""
OBJECTS, PEOPLE = "objects", "people"
FLAT = 0.02
"""Radians by which a base may lean and still count as standing on the floor."""


class TranslationError(ValueError):
    """A message of ROS that means nothing to heed; the text says what to do."""


@dataclass(frozen=True)
class Frames:
    """The names that ROS has for heed's two frames."""

    map: str = "odom"
    """Fixed to the room; heed corrects its pose in it at standstill."""
    base: str = "base_link"
    """On the floor between the wheels."""
    published: bool = True
    """Whether heed tells the transform between them, or the robot's own nodes do."""

    def heeds(self, frame: str) -> str:
        """Return what heed calls a frame of ROS. Raises TranslationError for one that it does not know."""
        name = frame.lstrip("/")
        if name == self.base:
            return "robot"
        if name == self.map:
            return "map"
        raise TranslationError(f"frame_id is {frame!r}: transform it into {self.base!r} or {self.map!r} first")


@dataclass(frozen=True)
class Joints:
    """sensor_msgs/JointState: names and positions, in the same order."""

    names: tuple[str, ...]
    positions: tuple[float, ...]
    """Radians; of a gripper metres between its fingers."""


@dataclass(frozen=True)
class Odometry:
    """nav_msgs/Odometry on a floor."""

    x: float
    y: float
    theta: float
    speed: Twist
    """As measured between two looks."""
    sure: bool
    """Whether the pose can be relied on."""

    @property
    def quaternion(self) -> tuple[float, float, float, float]:
        """x, y, z, w."""
        return 0.0, 0.0, math.sin(self.theta / 2), math.cos(self.theta / 2)

    @property
    def covariance(self) -> list[float]:
        """6 by 6, row by row; zeros where heed does not know how sure it is, as ROS writes it."""
        return diagonal(UNKNOWN) if not self.sure else [0.0] * 36


@dataclass(frozen=True)
class Diagnostic:
    """diagnostic_msgs/DiagnosticStatus."""

    name: str
    level: int
    message: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class Mark:
    """One thing or person that others see: visualization_msgs/Marker as far as it counts here."""

    name: str
    category: str
    position: tuple[float, float, float]
    gone: bool = False
    """Whether it ought to be in view and is not."""


def joints(state: RobotState, description: Mapping[str, Any]) -> Joints:
    """Return the joints of all arms, named ARM_JOINT, and their grippers, named ARM_gripper."""
    names: list[str] = []
    positions: list[float] = []
    for arm, measured in state.arms.items():
        names += [f"{arm}_{joint['name']}" for joint in description["arms"][arm]["joints"]]
        names.append(f"{arm}_gripper")
        positions += [*measured.joints, measured.gripper]
    return Joints(tuple(names), tuple(positions))


def odometry(look: Look, before: Look | None) -> Odometry:
    """Return where the base is, and how fast it went since the look `before`."""
    now = look.state.base
    speed = Twist()
    if before is not None and look.at > before.at:
        seconds, then = look.at - before.at, before.state.base
        ahead, aside = then.to_local(now.x, now.y)
        turned = math.remainder(now.theta - then.theta, math.tau)
        speed = Twist(ahead / seconds, aside / seconds, turned / seconds)
    return Odometry(now.x, now.y, now.theta, speed, look.state.localised)


def is_stopped(look: Look | None) -> bool:
    """Return whether nothing may be set in motion: a stop is latched, or nobody is there who could move anything."""
    return look is None or look.state.stopped is not None


def diagnostics(look: Look | None, status: Mapping[str, Any] | None) -> list[Diagnostic]:
    """Return how heed and its body are; `status` is what `heed status` tells."""
    return [_mind(status), _body(look), *(_parts(look.state) if look is not None else [])]


def twist(linear: Sequence[float], angular: Sequence[float], sideways: bool = False) -> Twist:
    """Return what a geometry_msgs/Twist asks of the base; `sideways`: it can move to its side.

    Raises TranslationError for what is no number, and for what the base cannot do.
    """
    if not all(map(math.isfinite, (*linear, *angular))):
        raise TranslationError("a velocity is no finite number")
    if any((linear[2], *angular[:2])) or (linear[1] and not sideways):
        parts = "linear.x, linear.y and angular.z" if sideways else "linear.x and angular.z"
        raise TranslationError(f"this base stays on the floor: only {parts} may be other than 0")
    return Twist(linear[0], linear[1], angular[2])


def goes_sideways(description: Mapping[str, Any] | None) -> bool:
    """Return whether the base of this robot description may move to its side."""
    base = (description or {}).get("base", {})
    return bool(base.get("limits", {}).get("lateral_velocity", 0.0))


def seen_lines(kind: str, at: float, frame: str, marks: Sequence[Mark]) -> list[bytes]:
    """Return the lines for eyes.sock that tell of OBJECTS or PEOPLE, seen at `at` (Unix seconds), in heed's `frame`."""
    seen = [
        {"name": mark.name, "class": mark.category, "position": list(mark.position)}
        if mark.category
        else {"name": mark.name, "position": list(mark.position)}
        for mark in marks
        if not mark.gone
    ]
    lines = [_line("gone", name=mark.name) for mark in marks if mark.gone]
    if seen or not lines:
        lines.append(_line(kind, at=at, frame=frame, source="ros", **{kind: seen}))
    return lines


def base_line(at: float, position: Sequence[float], quaternion: Sequence[float], covariance: Sequence[float]) -> bytes:
    """Return the line for eyes.sock that tells where the base stands.

    `covariance` is ROS's, 6 by 6: of it heed reads x, y and the turn. Raises TranslationError for a base that lies.
    """
    x, y, z, w = quaternion
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if not 0.99 < length < 1.01:
        raise TranslationError("the orientation is no unit quaternion")
    if 2 * math.hypot(x, y) > FLAT:
        raise TranslationError("the base does not stand level: heed knows one floor")
    theta = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    rows = (0, 1, 5)
    floor = [float(covariance[6 * row + column]) for row in rows for column in rows]
    return _line("base", at=at, pose=[float(position[0]), float(position[1]), theta], covariance=floor)


def diagonal(value: float) -> list[float]:
    """Return a 6 by 6 matrix, row by row, with one value on its diagonal."""
    return [value if row == column else 0.0 for row in range(6) for column in range(6)]


def _line(kind: str, **fields: Any) -> bytes:
    return json.dumps({"v": VERSION, "type": kind, **fields}).encode() + b"\n"


def _mind(status: Mapping[str, Any] | None) -> Diagnostic:
    if status is None:
        return Diagnostic("heed: mind", ERROR, "heed does not answer: start it", {})
    told = {key: str(status.get(key)) for key in ("brain", "doing", "asks", "request", "ear", "mouth", "lessons")}
    return Diagnostic("heed: mind", OK, told["doing"], told)


def _body(look: Look | None) -> Diagnostic:
    if look is None:
        return Diagnostic("heed: body", ERROR, "heed-hw does not answer: start heed", {})
    state = look.state
    told = {"stopped": str(state.stopped or ""), "paused": str(state.paused), "localised": str(state.localised)}
    if state.stopped is not None:
        return Diagnostic("heed: body", ERROR, f"stopped: {state.stopped}; a person says: go on", told)
    if not state.localised:
        return Diagnostic("heed: body", WARN, 'it does not know where it stands; say: "you are at the ..."', told)
    return Diagnostic("heed: body", WARN if state.paused else OK, "paused" if state.paused else "ready", told)


def _parts(state: RobotState) -> list[Diagnostic]:
    return [_part(name, life, state) for name, life in state.lifecycle.items()]


def _part(name: str, life: Lifecycle, state: RobotState) -> Diagnostic:
    faults = [fault for fault in state.faults if fault.component == name]
    told = {fault.code: f"{fault.detail} ({fault.count} times). {fault.hint}".strip() for fault in faults}
    bad = life in (Lifecycle.FAULT, Lifecycle.UNCONFIGURED) or any(f.severity is not Severity.WARNING for f in faults)
    level = ERROR if bad else WARN if faults or life is not Lifecycle.ACTIVE else OK
    return Diagnostic(f"heed: {name}", level, ", ".join([life.value, *told]), {"lifecycle": life.value, **told})
