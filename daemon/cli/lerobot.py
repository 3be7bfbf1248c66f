"""`heed hw import-lerobot`: take over what LeRobot has calibrated, so that nobody calibrates twice.

LeRobot keeps a file for each robot: of each servo the homing offset that it wrote into it, and the range that a person
recorded. heed reads it, compares it with what the servos hold, and writes nothing into them: other offsets would shift
every policy and data set that was recorded with this arm.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from daemon.service.control import CommandError
from hw.description import ArmDescription
from hw.device_faults import ComponentError
from hw.protocol.dxl2 import DriveMode
from hw.protocol.sts import STEPS_PER_TURN
from hw.servo import Memory
from hw.transport import TransportError
from hw.workbench import Workbench

KINDS = {
    "feetech": ("so_follower", "so101_follower", "so100_follower", "bi_so_follower", "lekiwi"),
    "dynamixel": ("koch_follower",),
}
"""LeRobot's names of robots whose joints are those of an SO-101, or of a Koch: today's, and those of older releases."""
FARTHEST = {"feetech": STEPS_PER_TURN // 2, "dynamixel": 255 * STEPS_PER_TURN}
"""Steps of a homing offset: Feetech's register has 11 bits and a sign, a Dynamixel's is as large as this."""


@dataclass(frozen=True)
class LeRobotFile:
    """One calibration file."""

    path: Path

    @property
    def name(self) -> str:
        """The id that its owner gave the robot."""
        return self.path.stem

    def is_of(self, arm: str) -> bool:
        """Return whether it may be that arm's: of two arms LeRobot marks each with its side."""
        sides = {side for side in ("left", "right") if self.name.endswith(f"_{side}")}
        return not sides or arm in sides

    def memories(self, arm: ArmDescription) -> dict[str, Memory]:
        """Homing offset and range of each joint. Raises CommandError where the file is not of such an arm."""
        try:
            table = json.loads(self.path.read_text(encoding="utf-8"))
            make = arm.family.name
            return {
                joint.name: self._memory(table, joint.name, joint.servo, make) for joint in (*arm.joints, arm.gripper)
            }
        except OSError as error:
            raise CommandError(f"{self.path} cannot be read: {error}", "give the file with --file") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandError(
                f"{self.path} is no calibration of such an arm: {error}", "give another file with --file"
            ) from error

    def _memory(self, table: Mapping[str, Mapping[str, object]], name: str, servo: int, make: str) -> Memory:
        if "calib_mode" in table:
            raise ValueError("it is of a LeRobot before 2025, whose servos hold nothing: calibrate with today's")
        joint = table[name] if name in table else table[f"arm_{name}"]  # of a LeKiwi
        offset, low, high, found = (int(str(joint[key])) for key in ("homing_offset", "range_min", "range_max", "id"))
        if found != servo:
            raise ValueError(f"{name} is servo {found} there, and servo {servo} in the robot description")
        drive_mode = int(str(joint.get("drive_mode", 0)))
        if drive_mode and make != "dynamixel":
            raise ValueError(f"{name} is inverted (drive_mode {drive_mode}), which heed does not know of {make}")
        if not 0 <= low < high < STEPS_PER_TURN or abs(offset) >= FARTHEST[make]:
            raise ValueError(
                f"{name} has the range {low} to {high} and the offset {offset}: "
                "calibrate again with LeRobot, each joint in the middle of its range when it begins"
            )
        return Memory(offset, low, high, bool(drive_mode & DriveMode.REVERSE))


def folders(make: str = "feetech") -> list[Path]:
    """Return where LeRobot keeps calibrations of arms of that make, on this machine and for this person."""
    cache = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface"))
    home = Path(os.environ.get("HF_LEROBOT_HOME", cache / "lerobot"))
    return [
        Path(os.environ.get("HF_LEROBOT_CALIBRATION", home / "calibration")) / "robots" / kind for kind in KINDS[make]
    ]


def files_for(arm: ArmDescription) -> list[LeRobotFile]:
    """Files that may be this arm's, in all places and under all names."""
    found = [LeRobotFile(path) for folder in folders(arm.family.name) for path in sorted(folder.glob("*.json"))]
    return [file for file in found if file.is_of(arm.name)]


def chosen_file(arm: ArmDescription, given: str) -> LeRobotFile:
    """The file that is given, or the only one there is. Raises CommandError with what to do."""
    if given:
        return LeRobotFile(Path(given).expanduser())
    found = files_for(arm)
    if not found:
        looked = "\n  ".join(str(folder) for folder in folders(arm.family.name))
        raise CommandError(f"LeRobot has no calibration here; looked in\n  {looked}", "give the file: --file PATH")
    if len(found) > 1:
        listed = "\n  ".join(str(file.path) for file in found)
        raise CommandError(
            f"there are several calibrations:\n  {listed}", f"say which is the {arm.name} arm's: --file PATH"
        )
    return found[0]


def differences(arm: ArmDescription, memories: Mapping[str, Memory]) -> Iterator[str]:
    """Yield what the servos hold otherwise, a sentence each. Raises TransportError where the port does not open."""
    with Workbench.open(arm.device, arm.baud, arm.family) as bench:
        for joint in (*arm.joints, arm.gripper):
            try:
                held = bench.ask(bench.family.memory(joint.servo))
            except ComponentError as error:
                yield f"servo {joint.servo} ({joint.name}): {error}"
                continue
            if held != memories[joint.name]:
                yield f"servo {joint.servo} ({joint.name}) holds {_told(held)}, the file {_told(memories[joint.name])}"


def compared(arm: ArmDescription, memories: Mapping[str, Memory]) -> str:
    """Say in a sentence that the servos hold the same. Raises CommandError where they do not."""
    try:
        differing = list(differences(arm, memories))
    except TransportError as error:
        return f"not compared with the servos ({error}); heed compares them whenever it starts"
    if differing:
        raise CommandError(
            "the servos hold something else, so nothing was kept:\n  " + "\n  ".join(differing),
            "give the file of this arm (--file), or calibrate it again with LeRobot",
        )
    return "the servos hold the same"


def _told(memory: Memory) -> str:
    return f"offset {memory.homing_offset}, {memory.low} to {memory.high}"
