"""A robot described in a TOML file (hw/robots/sim.toml explains each key), as checked values."""

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hw.base_description import BaseDescription, describe_wheels
from hw.calibration import Calibration, load_calibration
from hw.dynamixel import Dynamixel
from hw.feetech import Feetech
from hw.head_description import HeadDescription
from hw.kinematics import Arm
from hw.limits import JointLimits
from hw.protocol.sts import STEPS_PER_TURN
from hw.robot_file import complete
from hw.ros2.description import KIND, ArmActions, action_base, arm_actions, is_behind_ros
from hw.servo import Memory
from hw.servo_family import ServoFamily
from hw.servo_joint import ServoJoint
from hw.state import HardwareError

MODES = {"feetech": ("position",), "dynamixel": ("position", "extended")}
"""In which an arm works, by the make of its servos."""


@dataclass(frozen=True)
class ArmDescription:
    name: str
    device: Path
    baud: int
    kinematics: Arm
    joints: tuple[ServoJoint, ...]
    gripper: ServoJoint
    family: ServoFamily = field(default_factory=Feetech)
    temperature: float = 65.0
    """Degrees Celsius of a servo at which the robot stops."""
    voltage: tuple[float, float] = (0.0, math.inf)
    """Volts between which the servos may work."""
    models: frozenset[int] = frozenset()
    """Model numbers that the owner knows to have the same registers as those that we know."""
    payload: float = math.inf
    """Kilograms that the arm may carry."""
    actions: ArmActions | None = None
    """The actions of ROS 2 that move it: it has no servos of ours then, its joints count in ROS's own radians."""
    uncalibrated: tuple[str, ...] = ()
    """Joints of which nobody knows where their zero is: the arm stays without torque."""
    shown: tuple[str, ...] = ()
    """Joints of which a person shows where their zero is."""

    @property
    def gripper_torque(self) -> float:
        """Share of the stall torque."""
        return self.gripper.effort


@dataclass(frozen=True)
class RobotDescription:
    name: str
    arms: tuple[ArmDescription, ...]
    base: BaseDescription | None
    head: HeadDescription | None
    feedback_timeout: float
    client_timeout: float
    estop: Mapping[str, Any]
    """Section [estop]: how the emergency stop is seen; empty when nothing tells of it."""
    table: Mapping[str, Any]
    """The file as it was parsed and completed, for whoever needs the geometry."""

    @property
    def ports(self) -> list[Path]:
        """The serial ports that it has."""
        ports = [arm.device for arm in self.servo_arms] + (self.base.ports if self.base else [])
        return list(dict.fromkeys(ports))

    @property
    def servo_arms(self) -> list[ArmDescription]:
        """Return its arms on buses of ours."""
        return [arm for arm in self.arms if arm.actions is None]

    @property
    def embodiment(self) -> dict[str, Any]:
        """Return what skills must know of the body to read an observation: which hands there are, and whether it
        drives.
        """
        return {"hands": [arm.name for arm in self.arms], "drives": self.base is not None}


def load_description(path: Path, runtime: Path, simulated: bool = False) -> RobotDescription:
    """Read a robot description, and the calibration that it names; relative device paths lie in the runtime directory.

    `simulated`: the same robot with the devices of `python -m sim`.
    Raises HardwareError naming what is missing or wrong.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise HardwareError(f"{path} is no robot description: {error}", "see docs/hardware.md") from error
    calibration = {} if simulated else load_calibration(calibration_file(path, table))
    return describe(table, runtime, str(path), calibration, simulated)


def calibration_file(path: Path, table: Mapping[str, Any]) -> Path:
    """Return the file beside the description: robot.calibration.json for robot.toml, unless it names another."""
    return path.parent / table.get("calibration", f"{path.stem}.calibration.json")


def describe(
    table: Mapping[str, Any],
    runtime: Path,
    source: str = "the robot description",
    calibration: Calibration | None = None,
    simulated: bool = False,
) -> RobotDescription:
    """The same from a table that was parsed already."""
    try:
        table = complete(table, calibration or {}, simulated)
        timeouts = table.get("timeouts", {})
        return RobotDescription(
            name=table["name"],
            arms=tuple(_arm(table, name, runtime, (calibration or {}).get(name, {})) for name in table.get("arms", {})),
            base=_base(table, runtime) if "base" in table else None,
            head=_head(table, (calibration or {}).get("head", {})) if "head" in table else None,
            feedback_timeout=float(timeouts.get("feedback", 0.1)),
            client_timeout=float(timeouts.get("client", 0.25)),
            estop=dict(table.get("estop", {})),
            table=table,
        )
    except KeyError as error:
        raise HardwareError(f"{source} lacks the key {error}", "copy its neighbour from hw/robots/sim.toml") from error
    except (TypeError, ValueError) as error:
        raise HardwareError(f"{source}: {error}", "compare with hw/robots/sim.toml") from error


def _base(table: Mapping[str, Any], runtime: Path) -> BaseDescription:
    base = table["base"]
    return action_base(base) if base.get("motors") == KIND else describe_wheels(table, runtime)


def _head(table: Mapping[str, Any], memories: Mapping[str, Memory]) -> HeadDescription:
    head, arms = table["head"], table.get("arms", {})
    if head["bus"] not in arms or arms[head["bus"]].get("servos", "feetech") != "feetech":
        raise ValueError(f"bus = {head['bus']!r} of the head is no arm on Feetech servos; name the arm that it shares")
    if [joint["name"] for joint in head["joints"]] != ["pan", "tilt"]:
        raise ValueError("the head has two joints: pan, then tilt")
    pan, tilt = (_joint(joint, memories.get(joint["name"])) for joint in head["joints"])
    for joint in (pan, tilt):
        _check_steps(joint, Feetech().largest_step)
    arm = arms[head["bus"]]
    ids = [int(joint["servo"]) for joint in (*arm["joints"], arm["gripper"], *head["joints"])]
    if len(set(ids)) < len(ids):
        raise ValueError(f"the servos of the head and of the {head['bus']} arm share a bus, and ids: {sorted(ids)}")
    low, high = head.get("voltage", arm.get("voltage", (0.0, math.inf)))
    x, y, z = (float(value) for value in head["pivot"])
    return HeadDescription(
        bus=head["bus"],
        pivot=(x, y, z),
        joints=(pan, tilt),
        voltage=(float(low), float(high)),
        uncalibrated=tuple(head.get("uncalibrated", ())),
    )


def _arm(table: Mapping[str, Any], name: str, runtime: Path, memories: Mapping[str, Memory]) -> ArmDescription:
    arm = table["arms"][name]
    if is_behind_ros(arm):
        return _action_arm(table, name)
    low, high = arm.get("voltage", (0.0, math.inf))
    described = ArmDescription(
        name=name,
        device=runtime / arm["device"],
        baud=int(arm["baud"]),
        kinematics=Arm.from_description(table, name),
        joints=tuple(_joint(joint, memories.get(joint["name"])) for joint in arm["joints"]),
        gripper=_gripper(arm["gripper"], memories.get("gripper")),
        family=_family(arm),
        temperature=float(arm.get("temperature", 65.0)),
        voltage=(float(low), float(high)),
        models=frozenset(arm.get("models", ())),
        payload=float(arm.get("payload", math.inf)),
        uncalibrated=tuple(arm.get("uncalibrated", ())),
        shown=tuple(arm.get("shown", ())),
    )
    for joint in (*described.joints, described.gripper):
        _check_steps(joint, described.family.largest_step)
    return described


def _action_arm(table: Mapping[str, Any], name: str) -> ArmDescription:
    """An arm that ROS moves: of its joints and fingers, `scale` and `zero` lead to ROS's radians and metres."""
    arm = table["arms"][name]
    joints = [_joint({"servo": 0, **joint}, None) for joint in arm["joints"]]
    return ArmDescription(
        name=name,
        device=Path(),
        baud=0,
        kinematics=Arm.from_description(table, name),
        joints=tuple(replace(joint, scale=math.copysign(1.0, joint.scale)) for joint in joints),
        gripper=_gripper({"servo": 0, **arm["gripper"]}, None),
        payload=float(arm.get("payload", math.inf)),
        actions=arm_actions(table, name),
    )


def _family(arm: Mapping[str, Any]) -> ServoFamily:
    make, mode = arm.get("servos", "feetech"), arm.get("mode", "position")
    watchdog, fast = float(arm.get("watchdog", 0.2)), bool(arm.get("fast_read", False))
    makes: dict[str, Callable[[], ServoFamily]] = {
        "feetech": Feetech,
        "dynamixel": lambda: Dynamixel(watchdog, fast, mode == "extended"),
    }
    if make not in makes:
        raise ValueError(f"servos = {make!r} is none of {', '.join(makes)}")
    if mode not in MODES[make]:
        raise ValueError(f"an arm of {make} works in {' or '.join(MODES[make])} mode only, not in {mode!r}")
    return makes[make]()


def _joint(joint: Mapping[str, Any], memory: Memory | None) -> ServoJoint:
    limits = joint["limits"]
    if joint["direction"] not in (1, -1):
        raise ValueError(f"direction of {joint['name']} must be 1 or -1, not {joint['direction']!r}")
    return ServoJoint(
        name=joint["name"],
        servo=int(joint["servo"]),
        zero=float(joint["zero"]),
        scale=joint["direction"] * 2 * math.pi / STEPS_PER_TURN,
        limits=JointLimits(
            lower=float(limits["position"][0]),
            upper=float(limits["position"][1]),
            velocity=_positive(joint, limits, "velocity"),
            acceleration=_positive(joint, limits, "acceleration"),
        ),
        effort=_share(joint["name"], limits.get("effort", 1.0)),
        voltage=_own_voltage(joint),
        memory=memory,
    )


def _own_voltage(joint: Mapping[str, Any]) -> tuple[float, float] | None:
    if "voltage" not in joint:
        return None
    low, high = joint["voltage"]
    return float(low), float(high)


def _check_steps(joint: ServoJoint, largest: int) -> None:
    """The servo can count that far, and calibration found nothing in the way."""
    low, high = joint.step_range
    if low < 0 or high > largest:
        raise ValueError(f"{joint.name} would need the steps {low} to {high}; narrow its limits or move its zero")
    if joint.memory and not (joint.memory.low <= low and high <= joint.memory.high):
        raise ValueError(
            f"{joint.name} would need the steps {low} to {high}, but calibration found "
            f"{joint.memory.low} to {joint.memory.high}; narrow its limits, or calibrate again"
        )


def _positive(joint: Mapping[str, Any], limits: Mapping[str, Any], key: str) -> float:
    value = float(limits[key])
    if not 0 < value < math.inf:
        raise ValueError(f"{key} of {joint['name']} must be a positive number, not {value}")
    return value


def _share(what: str, value: Any) -> float:
    if not 0 < float(value) <= 1:
        raise ValueError(f"effort of {what} must be a share above 0 and up to 1, not {value!r}")
    return float(value)


def _gripper(gripper: Mapping[str, Any], memory: Memory | None) -> ServoJoint:
    velocity = float(gripper["velocity"])
    return ServoJoint(
        name="gripper",
        servo=int(gripper["servo"]),
        zero=float(gripper["closed"]),
        scale=gripper["opening"] / (gripper["open"] - gripper["closed"]),
        limits=JointLimits(0.0, float(gripper["opening"]), velocity, 10 * velocity),
        effort=_share("the gripper", gripper["torque"]),
        voltage=_own_voltage(gripper),
        memory=memory,
    )
