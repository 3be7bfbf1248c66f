"""A robot described in a TOML file (hw/robots/sim.toml explains each key), as checked values."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw.kinematics import Arm
from hw.limits import BaseLimits, JointLimits
from hw.protocol.sts import STEPS_PER_TURN
from hw.state import HardwareError, Pose2D


@dataclass(frozen=True)
class ServoJoint:
    """A joint, or the fingers of a gripper, and its servo; values are linear in steps."""

    name: str
    servo: int
    zero: float
    """Steps where the value is 0."""
    scale: float
    """Radians of a joint, or metres of a gripper's opening, per step; may be negative."""
    limits: JointLimits

    def to_steps(self, value: float) -> float:
        return self.zero + value / self.scale

    def from_steps(self, steps: float) -> float:
        return (steps - self.zero) * self.scale

    @property
    def step_range(self) -> tuple[int, int]:
        """Smallest and largest step within the limits."""
        ends = sorted((self.to_steps(self.limits.lower), self.to_steps(self.limits.upper)))
        return math.floor(ends[0]), math.ceil(ends[1])


@dataclass(frozen=True)
class ArmDescription:
    name: str
    device: Path
    baud: int
    kinematics: Arm
    joints: tuple[ServoJoint, ...]
    gripper: ServoJoint
    gripper_torque: float
    """Share of the stall torque."""


@dataclass(frozen=True)
class Wheel:
    node: int
    direction: int


@dataclass(frozen=True)
class BaseDescription:
    device: Path
    baud: int
    bitrate: int
    wheel_radius: float
    track: float
    left: Wheel
    right: Wheel
    start: Pose2D
    limits: BaseLimits

    @property
    def circumference(self) -> float:
        return 2 * math.pi * self.wheel_radius

    @property
    def wheel_velocity(self) -> float:
        """Turns per second of a wheel when the base drives and turns as fast as it may."""
        return (self.limits.velocity + self.limits.angular_velocity * self.track / 2) / self.circumference


@dataclass(frozen=True)
class RobotDescription:
    name: str
    arms: tuple[ArmDescription, ...]
    base: BaseDescription | None
    feedback_timeout: float
    client_timeout: float
    estop: Mapping[str, Any]
    """Section [estop]: how the emergency stop is seen; empty when nothing tells of it."""
    table: Mapping[str, Any]
    """The file as it was parsed, for whoever needs the geometry."""


def load_description(path: Path, runtime: Path) -> RobotDescription:
    """Read a robot description; relative device paths lie in the runtime directory.

    Raises HardwareError naming what is missing or wrong.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise HardwareError(f"{path} is no robot description: {error}", "see docs/hardware.md") from error
    return describe(table, runtime, str(path))


def describe(table: Mapping[str, Any], runtime: Path, source: str = "the robot description") -> RobotDescription:
    """The same from a table that was parsed already."""
    try:
        timeouts = table.get("timeouts", {})
        return RobotDescription(
            name=table["name"],
            arms=tuple(_arm(table, name, runtime) for name in table.get("arms", {})),
            base=_base(table["base"], runtime) if "base" in table else None,
            feedback_timeout=float(timeouts.get("feedback", 0.1)),
            client_timeout=float(timeouts.get("client", 0.5)),
            estop=dict(table.get("estop", {})),
            table=table,
        )
    except KeyError as error:
        raise HardwareError(f"{source} lacks the key {error}", "copy its neighbour from hw/robots/sim.toml") from error
    except (TypeError, ValueError) as error:
        raise HardwareError(f"{source}: {error}", "compare with hw/robots/sim.toml") from error


def _arm(table: Mapping[str, Any], name: str, runtime: Path) -> ArmDescription:
    arm = table["arms"][name]
    return ArmDescription(
        name=name,
        device=runtime / arm["device"],
        baud=int(arm["baud"]),
        kinematics=Arm.from_description(table, name),
        joints=tuple(_joint(joint) for joint in arm["joints"]),
        gripper=_gripper(arm["gripper"]),
        gripper_torque=float(arm["gripper"]["torque"]),
    )


def _joint(joint: Mapping[str, Any]) -> ServoJoint:
    limits = joint["limits"]
    if joint["direction"] not in (1, -1):
        raise ValueError(f"direction of {joint['name']} must be 1 or -1, not {joint['direction']!r}")
    described = ServoJoint(
        name=joint["name"],
        servo=int(joint["servo"]),
        zero=float(joint["zero"]),
        scale=joint["direction"] * 2 * math.pi / STEPS_PER_TURN,
        limits=JointLimits(
            lower=float(limits["position"][0]),
            upper=float(limits["position"][1]),
            velocity=float(limits["velocity"]),
            acceleration=float(limits["acceleration"]),
        ),
    )
    low, high = described.step_range
    if low < 0 or high >= STEPS_PER_TURN:
        raise ValueError(f"{described.name} would need the steps {low} to {high}; narrow its limits or move its zero")
    return described


def _gripper(gripper: Mapping[str, Any]) -> ServoJoint:
    velocity = float(gripper["velocity"])
    return ServoJoint(
        name="gripper",
        servo=int(gripper["servo"]),
        zero=float(gripper["closed"]),
        scale=gripper["opening"] / (gripper["open"] - gripper["closed"]),
        limits=JointLimits(0.0, float(gripper["opening"]), velocity, 10 * velocity),
    )


def _base(base: Mapping[str, Any], runtime: Path) -> BaseDescription:
    return BaseDescription(
        device=runtime / base["device"],
        baud=int(base["baud"]),
        bitrate=int(base["bitrate"]),
        wheel_radius=float(base["wheel_radius"]),
        track=float(base["track"]),
        left=Wheel(**base["left"]),
        right=Wheel(**base["right"]),
        start=Pose2D(*base["start"]),
        limits=BaseLimits(**base["limits"]),
    )
