"""Where the tip of an arm is, and which joint angles bring it somewhere. Pure; knows no bus and no motor.

Inverse kinematics is damped least squares (Wampler 1986; Nakamura and Hanafusa 1986) on position and pitch,
with joint limits by projection and a pull towards the middle of the joints' ranges in the null space
(Liégeois 1977). Several starts run as one numpy batch, because a single start often ends in a joint limit.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hw.state import TipPose, UnreachableError

Floats = NDArray[np.float64]

POSITION_TOLERANCE = 0.0005
"""Metres: a servo step of the shoulder moves the tip by twice that."""
PITCH_TOLERANCE = 0.005
"""Radians."""
TASK = 4
"""Numbers of a tip pose that are asked for: x, y, z, pitch."""
STARTS = 12
"""Guesses per batch; a further batch of other guesses follows when none arrives."""
BATCHES = 3
ITERATIONS = 60
"""Per batch; a start that arrives at all has arrived by then."""
LONGEST_STEP = 0.4
"""Radians a joint may turn in one iteration, so that a linear step stays honest."""
PULL = 0.05
"""Share of the way to the middle of its range that a joint is pulled in one iteration, where the tip allows."""


@dataclass(frozen=True)
class Joint:
    """One hinge of the chain."""

    name: str
    origin: tuple[float, float, float]
    """In the frame of the joint before it, all angles zero; metres."""
    axis: int
    """0, 1, 2: what it turns about, x, y or z of its own frame."""
    lower: float
    upper: float
    """Radians."""


@dataclass(frozen=True)
class Arm:
    """A chain of hinges from the robot frame to the point between the fingertips."""

    name: str
    joints: tuple[Joint, ...]
    mount: tuple[float, float, float]
    """The shoulder in the robot frame; metres."""
    mount_yaw: float
    tip: tuple[float, float, float]
    """Between the fingertips, in the frame of the last joint; metres."""
    home: tuple[float, ...]
    """Joint angles of the folded arm; radians."""
    workspace: tuple[tuple[float, float, float], tuple[float, float, float]]
    """Lowest and highest corner of the box that the tip may visit, robot frame; metres."""
    pitches: tuple[float, ...] = (0.0,)
    """How the hand points where nobody asks for a pitch, best first; radians."""
    _limits: tuple[Floats, Floats] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lower = np.array([joint.lower for joint in self.joints])
        upper = np.array([joint.upper for joint in self.joints])
        object.__setattr__(self, "_limits", (lower, upper))

    @classmethod
    def from_description(cls, description: Mapping[str, Any], name: str) -> "Arm":
        """The arm called name ("left", "right") of a parsed robot description (hw/robots/*.toml)."""
        arm = description["arms"][name]
        return cls(
            name=name,
            joints=tuple(_joint(joint) for joint in arm["joints"]),
            mount=tuple(arm["mount"]["position"]),
            mount_yaw=float(arm["mount"].get("yaw", 0.0)),
            tip=tuple(arm["tip"]),
            home=tuple(arm["home"]),
            workspace=(tuple(arm["workspace"]["min"]), tuple(arm["workspace"]["max"])),
            pitches=tuple(float(pitch) for pitch in arm.get("pitches", (0.0,))),
        )

    @property
    def reach(self) -> float:
        """Metres from shoulder to tip, stretched out."""
        return sum(math.dist((0, 0, 0), offset) for offset in (*(j.origin for j in self.joints), self.tip))

    def fk(self, joints: Sequence[float]) -> TipPose:
        """The tip for these joint angles (radians), in the robot frame."""
        position, rotation, _, _ = self._chain(np.array([joints], dtype=float))
        return _tip_pose(position[0], rotation[0])

    def frames(self, rows: Sequence[Sequence[float]] | Floats) -> tuple[Floats, Floats]:
        """Return the tip's frame for each row of joint angles: positions (n, 3), rotations (n, 3, 3); robot frame."""
        positions, rotations, _, _ = self._chain(np.array(rows, dtype=float))
        return positions, rotations

    def tips(self, rows: Sequence[Sequence[float]]) -> list[tuple[float, float, float]]:
        """Return where the tip is for each row of joint angles; robot frame, metres."""
        positions, _, _, _ = self._chain(np.array(rows, dtype=float))
        return [(float(x), float(y), float(z)) for x, y, z in positions]

    def ik(
        self, x: float, y: float, z: float, pitch: float | None = None, seed: Sequence[float] | None = None
    ) -> tuple[float, ...]:
        """Return joint angles (radians, within limits) that bring the tip there, near to `seed`, else to home.

        Robot frame, metres. The yaw of the tip is left to the arm, and so is its pitch where none is given: the first
        of `pitches` that works. An arm of five joints keeps its fingers level where it can.
        Raises UnreachableError with a hint, and ValueError for numbers that are not finite.
        """
        pitches = self.pitches if pitch is None else (pitch,)
        if not all(math.isfinite(value) for value in (x, y, z, *pitches)):
            raise ValueError(f"a tip pose must be finite numbers, not {(x, y, z, *pitches)}")
        self._check_workspace(x, y, z)
        for roll in self._rolls:
            for wanted in pitches:
                found = self._solve(np.array([x, y, z]), wanted, seed, BATCHES, roll)
                if found is not None:
                    return tuple(float(angle) for angle in found)
        raise UnreachableError(*self._why_not(x, y, z, pitches))

    @property
    def _rolls(self) -> tuple[float | None, ...]:
        """Angles at which the last joint is held, best first; None: as it comes."""
        only_rolls = len(self.joints) == TASK + 1 and self.joints[-1].axis == 0
        return (0.0, None) if only_rolls and self.joints[-1].lower <= 0 <= self.joints[-1].upper else (None,)

    def _solve(
        self, target: Floats, pitch: float, seed: Sequence[float] | None, batches: int, roll: float | None = None
    ) -> Floats | None:
        lower, upper = self._limits
        start = np.clip(np.array(self.home if seed is None else seed, dtype=float), lower, upper)
        random = np.random.default_rng(0)  # the same question gets the same answer
        for _ in range(batches):
            guesses = random.uniform(lower, upper, (STARTS, len(self.joints)))
            guesses[0] = start
            found = self._descend(guesses, target, pitch, roll=roll)
            if len(found):
                return found[np.argmin(np.abs(found - start).max(axis=1))]
        return None

    def _descend(self, angles: Floats, target: Floats, pitch: float, roll: float | None) -> Floats:
        """Return the rows of angles, each a start, that arrived at the target; roll: where the last joint is held."""
        lower, upper = self._limits
        free = np.ones(len(self.joints))
        if roll is not None:
            angles[:, -1], free[-1] = roll, 0.0
        middle, identity = (lower + upper) / 2, np.eye(len(self.joints))
        for _ in range(ITERATIONS):
            error, jacobian = self._error(angles, target, pitch)
            jacobian = jacobian * free
            arrived = (np.linalg.norm(error[:, :3], axis=1) < POSITION_TOLERANCE) & (
                np.abs(error[:, 3]) < PITCH_TOLERANCE
            )
            if arrived[0]:
                break
            transposed = jacobian.transpose(0, 2, 1)
            damping = 1e-5 + 0.02 * np.minimum(np.sum(error**2, axis=1), 0.25)
            square = jacobian @ transposed + damping[:, None, None] * np.eye(TASK)
            inverse = transposed @ np.linalg.inv(square)
            step = np.einsum("nij,nj->ni", inverse, error)
            step += np.einsum("nij,nj->ni", identity - inverse @ jacobian, PULL * free * (middle - angles))
            longest = np.maximum(np.abs(step).max(axis=1, keepdims=True), LONGEST_STEP)
            step *= LONGEST_STEP / longest * ~arrived[:, None]
            angles = np.clip(angles + step, lower, upper)
        return angles[arrived]

    def _error(self, angles: Floats, target: Floats, pitch: float) -> tuple[Floats, Floats]:
        """Return what is missing to the target, (n, 4): x, y, z, pitch; and its Jacobian, (n, 4, joints)."""
        position, rotation, axes, origins = self._chain(angles)
        forward = rotation[:, :, 0]
        level = np.hypot(forward[:, 0], forward[:, 1])
        yaw = np.arctan2(forward[:, 1], forward[:, 0])
        sideways = np.stack([-np.sin(yaw), np.cos(yaw), np.zeros(len(yaw))], axis=1)
        error = np.empty((len(angles), 4))
        error[:, :3] = target - position
        error[:, 3] = pitch - np.arctan2(-forward[:, 2], level)
        jacobian = np.empty((len(angles), 4, len(self.joints)))
        jacobian[:, :3] = np.cross(axes, position[:, None] - origins).transpose(0, 2, 1)
        jacobian[:, 3] = np.einsum("njk,nk->nj", axes, sideways)
        return error, jacobian

    def _chain(self, angles: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """For each row of angles: tip position and rotation, every joint's axis and origin; robot frame."""
        count, joints = angles.shape
        cos, sin = np.cos(angles), np.sin(angles)
        position = np.tile(np.array(self.mount, dtype=float), (count, 1))
        rotation = np.tile(_turn_about_z(self.mount_yaw), (count, 1, 1))
        axes, origins = np.empty((count, joints, 3)), np.empty((count, joints, 3))
        for index, joint in enumerate(self.joints):
            position = position + rotation @ np.array(joint.origin)
            axes[:, index] = rotation[:, :, joint.axis]
            origins[:, index] = position
            first, second = (joint.axis + 1) % 3, (joint.axis + 2) % 3
            c, s = cos[:, index, None], sin[:, index, None]
            one, two = rotation[:, :, first].copy(), rotation[:, :, second].copy()
            rotation[:, :, first] = c * one + s * two
            rotation[:, :, second] = c * two - s * one
        return position + rotation @ np.array(self.tip), rotation, axes, origins

    def _check_workspace(self, x: float, y: float, z: float) -> None:
        for axis, value, low, high in zip("xyz", (x, y, z), *self.workspace, strict=True):
            if not low <= value <= high:
                raise UnreachableError(
                    f"{axis} {value:.2f} m is outside the {self.name} arm's workspace ({low:g} to {high:g})",
                    "drive the base so that the point lies in front of the robot, then try again",
                )

    def _why_not(self, x: float, y: float, z: float, pitches: Sequence[float]) -> tuple[str, str]:
        """Message and hint for a target inside the workspace that no start arrived at."""
        told = " or ".join(f"{pitch:.2f}" for pitch in pitches)
        message = f"the {self.name} arm cannot reach ({x:.2f}, {y:.2f}, {z:.2f}) m with pitch {told} rad"
        distance = math.dist((x, y, z), self.mount)
        if distance > self.reach:
            return message, f"it is {distance - self.reach:.2f} m too far: drive closer or use the other arm"
        for other in (0.0, 0.6, 1.2, math.pi / 2, -0.6):
            if self._solve(np.array([x, y, z]), other, None, 1) is not None:
                return message, f"pitch {other:.2f} works there"
        return message, "drive to another place or use the other arm"


def _joint(joint: Mapping[str, Any]) -> Joint:
    lower, upper = joint["limits"]["position"]
    return Joint(joint["name"], tuple(joint["origin"]), "xyz".index(joint["axis"]), float(lower), float(upper))


def _tip_pose(position: Floats, rotation: Floats) -> TipPose:
    x, y, z = (float(value) for value in position)
    pitch = math.atan2(-rotation[2, 0], math.hypot(rotation[0, 0], rotation[1, 0]))
    yaw = math.atan2(rotation[1, 0], rotation[0, 0])
    return TipPose(x, y, z, pitch, yaw, math.atan2(rotation[2, 1], rotation[2, 2]))


def _turn_about_z(angle: float) -> Floats:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
