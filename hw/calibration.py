"""What calibration found out about each servo, as a JSON file beside the robot description.

    {"left": {"shoulder_yaw": {"homing_offset": -12, "range": [480, 3610]}}}

Beside them may stand `"inverted": true` (the servo counts the other way round) and `"zero": 2047` (where a person has
shown its zero to be). The servos hold all but the zero in their own memory; a servo that holds others was replaced, or
set up by somebody else, and its arm is not configured before somebody has looked (CALIBRATION_MISMATCH).
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
        return {arm: {joint: _memory(entry) for joint, entry in joints.items()} for arm, joints in table.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise HardwareError(f"{path} is no calibration: {error!r}", "run `heed hw calibrate` again") from error


def save_calibration(path: Path, calibration: Calibration) -> None:
    """All of it; whoever reads meanwhile gets the old file or the new one."""
    table = {arm: {joint: _entry(memory) for joint, memory in joints.items()} for arm, joints in calibration.items()}
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    os.replace(fresh, path)


def _memory(entry: Mapping[str, Any]) -> Memory:
    low, high = entry["range"]
    zero = entry.get("zero")
    inverted = bool(entry.get("inverted", False))
    return Memory(int(entry["homing_offset"]), int(low), int(high), inverted, zero if zero is None else int(zero))


def _entry(memory: Memory) -> dict[str, Any]:
    entry: dict[str, Any] = {"homing_offset": memory.homing_offset, "range": [memory.low, memory.high]}
    if memory.inverted:
        entry["inverted"] = True
    return entry if memory.zero is None else entry | {"zero": memory.zero}
