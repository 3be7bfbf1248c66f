"""An arm with a gripper behind the actions FollowJointTrajectory and GripperCommand of ROS 2."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hw.bus import Counters
from hw.channel import Channel
from hw.description import ArmDescription
from hw.ros2.description import ArmActions
from hw.ros2.part import EXCESS, ActionPart

STILL, STILL_FINGERS = 0.05, 0.01
"""Radians, and metres of opening, per second that count as standing."""


class ActionArm(ActionPart):
    """An arm of joints in radians, and metres between its fingers; their limits are held by what is asked of ROS."""

    def __init__(self, description: ArmDescription, actions: ArmActions, path: Path, timeout: float) -> None:
        super().__init__(description.name, timeout)
        self._reach(path, actions.join)
        self.description = description
        self.arm = Channel(description.joints)
        self.gripper = Channel([description.gripper])
        self.carried = 0.0
        """Kilograms in the hand, as far as somebody has said."""
        self.held = True
        """No goal of heed's moves its joints. Others in ROS may."""
        self.counters = Counters()
        """There is no bus on which anything could be counted."""

    def details(self) -> list[dict[str, Any]]:
        joints = zip(
            (*self.arm.joints, *self.gripper.joints), (*self.arm.measured, *self.gripper.measured), strict=True
        )
        return [{"name": joint.name, "position": round(at, 4)} for joint, at in joints]

    def _values(self, packet: Mapping[str, Any]) -> tuple[float, ...] | None:
        positions = packet.get("positions")
        if positions is None:
            return None
        joints = (*self.arm.joints, *self.gripper.joints)
        return tuple(joint.from_steps(float(at)) for joint, at in zip(joints, positions, strict=True))

    def _measure(self, values: tuple[float, ...]) -> None:
        self.arm.measured, self.gripper.measured = values[:-1], values[-1:]
        self.arm.pin()
        self.gripper.pin()

    def _stands(self) -> bool:
        *joints, fingers = self._rates()
        return all(abs(rate) < STILL for rate in joints) and abs(fingers) < STILL_FINGERS

    def _excess(self) -> str:
        for joint, rate in zip(self.arm.joints, self._rates(), strict=False):
            if abs(rate) > EXCESS * joint.limits.velocity:
                return f"{joint.name} turns at {abs(rate):.1f} rad/s and may turn at {joint.limits.velocity:.1f}"
        return ""
