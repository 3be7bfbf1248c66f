"""The base of a robot as its file describes it ([base] of hw/robots/*.toml): wheels, motors and limits."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from hw.dead_man import FURTHEST, UNSEEN, DeadMan
from hw.limits import BaseLimits, JointLimits
from hw.odrive import SETTINGS
from hw.protocol.sts import STEPS_PER_TURN, PhaseBits
from hw.servo_joint import ServoJoint
from hw.state import Pose2D
from hw.wheel_kinematics import WheelKinematics


@dataclass(frozen=True)
class Wheel:
    name: str
    id: int
    """Of its motor: the node of an axis, or a servo's."""
    direction: int
    """1 where positive turns of the motor roll it the way that its kinematics say, else -1."""


@dataclass(frozen=True, kw_only=True)
class BaseDescription:
    """What every base has, whoever drives it."""

    start: Pose2D
    limits: BaseLimits

    @property
    def ports(self) -> list[Path]:
        """Serial ports of its own."""
        return []


@dataclass(frozen=True, kw_only=True)
class WheelBaseDescription(BaseDescription):
    """A base on wheels of ours, whatever turns them."""

    wheels: tuple[Wheel, ...]
    kinematics: WheelKinematics
    wheel_radius: float
    """Metres."""

    @cached_property
    def circumference(self) -> float:
        return 2 * math.pi * self.wheel_radius

    @cached_property
    def wheel_velocity(self) -> float:
        """Turns per second of the fastest wheel when the base drives and turns as fast as it may."""
        limits = self.limits
        fastest = (limits.velocity, limits.lateral_velocity, limits.angular_velocity)
        rim = max(
            sum(abs(share) * most for share, most in zip(row, fastest, strict=True)) for row in self.kinematics.rows
        )
        return rim / self.circumference


@dataclass(frozen=True, kw_only=True)
class AxisBaseDescription(WheelBaseDescription):
    """A base whose wheels are ODrive axes on a CAN bus."""

    device: Path
    baud: int
    bitrate: int
    watchdog: float = 0.25
    """Seconds without a command until an axis disarms."""
    current_limit: float = 20.0
    """Amperes."""
    endpoints: Mapping[str, int] = field(default_factory=dict)
    """Where the axes keep the settings of hw.odrive.SETTINGS; empty: they are sent, but cannot be read back."""
    interface: str = ""
    """A CAN interface of the kernel ("can0") instead of a serial adapter at `device`."""
    simulated: bool = False

    @property
    def ports(self) -> list[Path]:
        return [] if self.interface else [self.device]


@dataclass(frozen=True, kw_only=True)
class ServoBaseDescription(WheelBaseDescription):
    """A base whose wheels are Feetech servos on the bus of an arm."""

    bus: str
    """The arm whose port they share."""
    phase: int = PhaseBits.SPEED_IN_STEPS
    """What bits 2 and 3 of their register Phase must say: hw.protocol.sts.PhaseBits."""
    effort: float = 1.0
    """Share of the stall torque that a wheel may use."""
    rim_velocity: float = math.inf
    """Metres per second of a wheel's rim."""
    temperature: float = 65.0
    voltage: tuple[float, float] = (0.0, math.inf)
    models: frozenset[int] = frozenset()
    dead_man: DeadMan | None = None
    """What cuts their supply when heed falls silent: they are told velocities then, else short ways."""

    @property
    def ports(self) -> list[Path]:
        return [self.dead_man.device] if self.dead_man else []

    @cached_property
    def wheel_velocity(self) -> float:
        return min(super().wheel_velocity, self.rim_velocity / self.circumference)

    @cached_property
    def joints(self) -> tuple[ServoJoint, ...]:
        """The wheels as joints without an end; radians."""
        velocity = 2 * math.pi * self.wheel_velocity
        limits = JointLimits(-math.inf, math.inf, velocity, self.limits.acceleration / self.wheel_radius)
        per_step = 2 * math.pi / STEPS_PER_TURN
        return tuple(
            ServoJoint(f"{wheel.name} wheel", wheel.id, 0.0, wheel.direction * per_step, limits, self.effort)
            for wheel in self.wheels
        )


def describe_wheels(table: Mapping[str, Any], runtime: Path) -> WheelBaseDescription:
    """Read the base from a robot's completed table. Raises ValueError, KeyError for what is wrong or missing."""
    base = table["base"]
    motors = base.get("motors", "odrive")
    if motors == "feetech":
        return _on_servos(table, runtime)
    if motors != "odrive":
        raise ValueError(f"motors = {motors!r} of the base are not supported; use odrive, feetech or ros2")
    endpoints = {name: int(number) for name, number in base.get("endpoints", {}).items()}
    if unknown := set(endpoints) - set(SETTINGS):
        raise ValueError(f"[base.endpoints] has {sorted(unknown)}; it may have {sorted(SETTINGS)}")
    return AxisBaseDescription(
        **_chassis(base, "node"),
        device=runtime / base["device"] if "interface" not in base else Path(),
        baud=int(base.get("baud", 0)),
        bitrate=int(base["bitrate"]),
        watchdog=float(base.get("watchdog", 0.25)),
        current_limit=float(base.get("current_limit", 20.0)),
        endpoints=endpoints,
        interface=str(base.get("interface", "")),
        simulated=bool(table.get("sim", False)),
    )


def _on_servos(table: Mapping[str, Any], runtime: Path) -> ServoBaseDescription:
    base, arms = table["base"], table.get("arms", {})
    if base["bus"] not in arms or arms[base["bus"]].get("servos", "feetech") != "feetech":
        raise ValueError(f"bus = {base['bus']!r} of the base is no arm on Feetech servos; name the arm that it shares")
    arm = arms[base["bus"]]
    low, high = base.get("voltage", arm.get("voltage", (0.0, math.inf)))
    described = ServoBaseDescription(
        **_chassis(base, "servo"),
        bus=base["bus"],
        phase=int(base.get("phase", PhaseBits.SPEED_IN_STEPS)),
        effort=float(base.get("effort", 1.0)),
        rim_velocity=float(base.get("rim_velocity", math.inf)),
        temperature=float(base.get("temperature", 65.0)),
        voltage=(float(low), float(high)),
        models=frozenset(base.get("models", ())),
        dead_man=_dead_man(base, runtime),
    )
    _check_dead_man(described)
    ids = [int(joint["servo"]) for joint in (*arm["joints"], arm["gripper"])] + [w.id for w in described.wheels]
    if len(set(ids)) < len(ids):
        raise ValueError(f"the servos of the wheels and of the {base['bus']} arm share a bus, and ids: {sorted(ids)}")
    return described


def _dead_man(base: Mapping[str, Any], runtime: Path) -> DeadMan | None:
    """What cuts the supply of wheels that are told velocities."""
    mode, declared = base.get("mode", "travel"), base.get("dead_man")
    if mode not in ("travel", "velocity"):
        raise ValueError(f"mode = {mode!r} of the base is none of: travel, velocity")
    if mode == "travel" and declared:
        raise ValueError('dead_man is for wheels that are told velocities: mode = "velocity"')
    if mode == "velocity" and not declared:
        raise ValueError(
            "Feetech wheels that are told a velocity go on turning when the computer dies, for they have no dead-man: "
            'declare the one that you have built as dead_man (docs/robots/dead-man.md), or leave mode = "velocity" out'
        )
    if not declared:
        return None
    return DeadMan(runtime / declared["device"], int(declared.get("baud", 115200)), float(declared["within"]))


def _check_dead_man(base: ServoBaseDescription) -> None:
    """ValueError where a wheel would roll too far before its supply is cut, or takes a speed of 0 for full speed."""
    if base.dead_man is None:
        return
    if base.phase & PhaseBits.ZERO_IS_FULL:
        raise ValueError("wheels to which a speed of 0 means full speed are told no velocities: correct their Phase")
    seconds = UNSEEN + base.dead_man.within
    rim = base.wheel_velocity * base.circumference
    if rim * seconds > FURTHEST:
        raise ValueError(
            f"a wheel at {rim:.2f} m/s rolls {100 * rim * seconds:.1f} cm until its dead-man has cut it off, more than "
            f"{100 * FURTHEST} cm: set rim_velocity to {FURTHEST / seconds:.2f} at the most, or build a faster dead-man"
        )


def _chassis(base: Mapping[str, Any], motor: str) -> dict[str, Any]:
    """The fields of BaseDescription; motor: what the number of a wheel's motor is called."""
    wheels = _wheels(base)
    kinematics = _kinematics(base, wheels)
    limits = BaseLimits(**base["limits"])
    if limits.lateral_velocity and not kinematics.holonomic:
        raise ValueError("a differential base cannot move to its side: leave lateral_velocity out of [base.limits]")
    return {
        "wheels": tuple(_wheel(name, wheel, motor) for name, wheel in wheels.items()),
        "kinematics": kinematics,
        "wheel_radius": float(base["wheel_radius"]),
        "start": Pose2D(*base["start"]),
        "limits": limits,
    }


def _wheels(base: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """By name, in the order of their kinematics."""
    if base.get("drive", "differential") == "differential":
        return {name: base[name] for name in ("left", "right")}
    return dict(base["wheels"])


def _kinematics(base: Mapping[str, Any], wheels: Mapping[str, Mapping[str, Any]]) -> WheelKinematics:
    drive = base.get("drive", "differential")
    if drive == "differential":
        return WheelKinematics.differential(float(base["track"]))
    if drive == "omni" and len(wheels) >= 3:
        angles = [math.radians(float(wheel["angle"])) for wheel in wheels.values()]
        return WheelKinematics.omni(float(base["base_radius"]), angles)
    raise ValueError(f"drive = {drive!r} with {len(wheels)} wheels is none of: differential, omni with three or more")


def _wheel(name: str, wheel: Mapping[str, Any], motor: str) -> Wheel:
    if wheel["direction"] not in (1, -1):
        raise ValueError(f"direction of the {name} wheel must be 1 or -1, not {wheel['direction']!r}")
    return Wheel(name, int(wheel[motor]), wheel["direction"])
