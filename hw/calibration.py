"""What calibration found out about each servo, as a JSON file beside the robot description.

    {"left": {"shoulder_yaw": {"homing_offset": -12, "range": [480, 3610]}}}

The servos hold the same numbers in their own memory; a servo that holds others was replaced, or set up by somebody
else, and its arm is not configured before somebody has looked (CALIBRATION_MISMATCH).
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from hw.servo import Memory
from hw.state import HardwareError

Calibration = Mapping[str, Mapping[str, Memory]]
"""Arm to joint to what its servo holds; a joint that is not named was not calibrated."""


def load_calibration(path: Path) -> Calibration:
    """Empty where there is no file. Raises HardwareError for a file that is none."""
    if not path.exists():
        return {}
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        return {
            arm: {
                joint: Memory(int(entry["homing_offset"]), int(entry["range"][0]), int(entry["range"][1]))
                for joint, entry in joints.items()
            }
            for arm, joints in table.items()
        }
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise HardwareError(f"{path} is no calibration: {error!r}", "run `heed hw calibrate` again") from error


def save_calibration(path: Path, calibration: Calibration) -> None:
    """All of it; whoever reads meanwhile gets the old file or the new one."""
    table = {
        arm: {
            joint: {"homing_offset": memory.homing_offset, "range": [memory.low, memory.high]}
            for joint, memory in joints.items()
        }
        for arm, joints in calibration.items()
    }
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    os.replace(fresh, path)
