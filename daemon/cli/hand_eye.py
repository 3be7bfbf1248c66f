"""`heed eyes calibrate hand` and `heed eyes check`: whether an arm goes where the camera sees, guided in words.

heed must not run, since it has the camera; heed-hw must, since it knows the joints. Nothing is moved from here: a
person brings the arm along, with `heed hw jog` from another shell.
"""

import json
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camera.description import CameraDescription
from camera.hand_eye import POSES, HandEye, Pose, fit_hand_eye
from camera.lens import Floats
from camera.mount import Mount
from camera.trouble import EyesError
from daemon.service.control import CommandError
from hw.description import ArmDescription
from hw.state import ArmState

Tell = Callable[[str], None]
Ask = Callable[[str], str]
MOVED = 0.05
"""Radians by which at least one joint has to stand otherwise for a pose to be new."""
FAR = 0.015
"""Metres between hand and eye above which fingers may miss what they go for."""


@dataclass(frozen=True)
class HandAndEye:
    """What is needed of a robot that stands still."""

    arm: ArmDescription
    mount: Mount
    state: Callable[[], ArmState]
    see: Callable[[], Floats]
    """Return where the middle of the tag is, camera's frame, (3,) metres. Raises EyesError where it is not in view."""


def show_poses(robot: HandAndEye, tell: Tell, ask: Ask) -> list[Pose]:
    """Have a person show the tag in the hand in many poses; "done" ends it."""
    hand = robot.arm.name
    tell(f"Let the {hand} hand hold the tag. In another shell: heed hw jog --arm {hand}")
    tell(f"Bring it to {POSES} places before the camera, near and far, with another turn of the wrist each time.")
    poses: list[Pose] = []
    while len(poses) < POSES and ask(f"pose {len(poses) + 1}: Enter once it rests, or done: ") != "done":
        try:
            pose = Pose(robot.state().joints, robot.see())
        except EyesError as error:
            tell(str(error).partition(" (hint:")[0])
            continue
        if all(_apart(pose, other) > MOVED for other in poses):
            poses.append(pose)
        else:
            tell("that is a pose that you have shown: turn the wrist, or go elsewhere")
    return poses


def told_hand_eye(robot: HandAndEye, poses: Sequence[Pose]) -> list[str]:
    """Return what comes of the poses, as lines for a person and for robot.toml."""
    found, as_they_are = (fit_hand_eye(robot.arm.kinematics, poses, robot.mount, zeros) for zeros in (True, False))
    lines = [
        f"hand and eye are {as_they_are.residual * 1000:.1f} mm apart with the zeros as they are, and"
        f" {found.residual * 1000:.1f} mm with these. Write into the robot's description:",
        mount_line(found.mount),
    ]
    return lines + [f"zero = {zero}    # {name}" for name, zero in _new_zeros(robot.arm, found)]


def _new_zeros(arm: ArmDescription, found: HandEye) -> list[tuple[str, int]]:
    joints = zip(arm.joints, found.zeros, strict=True)
    return [(joint.name, round(joint.zero - off / joint.scale)) for joint, off in joints]


def mount_line(mount: Mount) -> str:
    """Return a mount as it stands below [eyes]."""
    x, y, z = mount.position
    angles = f"pitch = {mount.pitch:.4f}, yaw = {mount.yaw:.4f}, roll = {mount.roll:.4f}"
    return f"mount = {{ position = [{x:.4f}, {y:.4f}, {z:.4f}], {angles} }}"


def check(robot: HandAndEye, kept: Path, tell: Tell, ask: Ask) -> float:
    """Have a person touch a tag with the fingertips; keeps by how much they miss what was seen, and returns that."""
    seen = robot.mount.to_robot(robot.see()[None])[0]
    tell(f"The tag is {seen[0]:.3f} m ahead, {seen[1]:.3f} m to the left, {seen[2]:.3f} m up. Do not move it.")
    ask(f"Close the {robot.arm.name} hand, bring its fingertips to the middle of the tag, and press Enter: ")
    tip = robot.state().tip
    off = (tip.x - float(seen[0]), tip.y - float(seen[1]), tip.z - float(seen[2]))
    apart = math.hypot(*off)
    ahead, left, up = (f"{value * 1000:+.0f}" for value in off)
    tell(f"hand and eye are {apart * 1000:.0f} mm apart: {ahead} mm ahead, {left} to the left, {up} up")
    if apart > FAR:
        tell("fingers may miss what they go for: heed eyes calibrate mount, or hand")
    keep_check(kept, {"at": time.time(), "arm": robot.arm.name, "off": list(off)})
    return apart


def checks_file(camera: CameraDescription) -> Path:
    """Return where the checks of a robot are kept: beside its lens."""
    return camera.lens.with_name(f"{camera.lens.name.split('.')[0]}.checks.json")


def keep_check(file: Path, entry: Mapping[str, Any]) -> None:
    """Write it behind the others; whoever reads meanwhile gets the old file or the new one."""
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps([*read_checks(file), entry], indent=2) + "\n", encoding="utf-8")
    os.replace(fresh, file)


def read_checks(file: Path) -> list[dict[str, Any]]:
    """Return all checks, the newest last. Raises CommandError for a file that is none."""
    try:
        return list(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else []
    except (OSError, ValueError, TypeError) as error:
        raise CommandError(f"{file} holds no checks: {error}", "remove it, and run heed eyes check") from error


def _apart(pose: Pose, other: Pose) -> float:
    return max(abs(one - two) for one, two in zip(pose.joints, other.joints, strict=True))
