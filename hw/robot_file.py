"""A robot's file as its owner writes it, completed to the table that everything else reads.

What an owner writes is short: `model = "so101"` stands for the geometry of an arm that is known (hw/robots/arms/), and
`zero = "middle"` or `zero = "shown"` for what calibration has found or a person has shown. Here all are filled in.
"""

import copy
import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hw.calibration import Calibration
from hw.protocol.sts import STEPS_PER_TURN
from hw.ros2.description import KIND, complete_arm, is_behind_ros, put_on_servos, put_on_wheels
from hw.servo import Memory

MODELS = Path(__file__).parent / "robots" / "arms"
ANY_RANGE = Memory(0, 0, STEPS_PER_TURN - 1)
"""Of a joint that nobody has calibrated."""
ANY_GRIP = Memory(0, 1024, 3071)
"""Of such a gripper."""

Table = dict[str, Any]


def complete(table: Mapping[str, Any], calibration: Calibration, simulated: bool = False) -> Table:
    """The table of a robot's file with every key filled in; `simulated`: of the same robot without metal.

    Raises ValueError for a model that is not there.
    """
    whole = copy.deepcopy(dict(table))
    if simulated:
        _without_metal(whole)
    for name, arm in whole.get("arms", {}).items():
        if "model" in arm:
            whole["arms"][name] = arm = _of_model(arm)
        if is_behind_ros(arm):
            complete_arm(name, arm)
        _calibrated(arm, {} if simulated else calibration.get(name, {}), simulated or whole.get("sim", False))
    if head := whole.get("head"):
        head["uncalibrated"] = _joints_calibrated(head, {} if simulated else calibration.get("head", {}), simulated)
    return whole


def _without_metal(table: Table) -> None:
    """Devices that `python -m sim` provides, and the patience that a shared processor needs."""
    if table.get("sim"):
        return
    table |= {"sim": True, "timeouts": {"feedback": 1.0, "client": 2.0}}
    table.pop("estop", None)
    for name, arm in table.get("arms", {}).items():
        if is_behind_ros(arm):
            put_on_servos(arm)
        arm["device"] = f"dev/{name}_arm"
        arm["voltage"] = (0.0, math.inf)
        for joint in (*arm.get("joints", ()), arm.get("gripper", {})):
            joint.pop("voltage", None)
    if "base" in table:
        if table["base"].get("motors") == KIND:
            put_on_wheels(table["base"])
        table["base"] |= {"device": "dev/base", "watchdog": 0.5}
        table["base"].pop("interface", None)
        if table["base"].get("dead_man"):
            table["base"]["dead_man"] |= {"device": "dev/dead_man"}


def _of_model(arm: Mapping[str, Any]) -> Table:
    """Return what is known of the model, and above it what this arm says of itself."""
    path = MODELS / f"{arm['model']}.toml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in MODELS.glob("*.toml")))
        raise ValueError(f"there is no model {arm['model']!r} of an arm; there are: {known}")
    model = tomllib.loads(path.read_text(encoding="utf-8"))
    mount = arm["mount"]["position"]
    for corner in ("min", "max"):
        x, y, z = model["workspace"][corner]
        model["workspace"][corner] = [x + mount[0], y + mount[1], z]
    gripper = {**model["gripper"], **arm.get("gripper", {})}
    return {**model, **arm, "gripper": gripper}


def _calibrated(arm: Table, memories: Mapping[str, Memory], simulated: bool) -> None:
    """Zero and range of each joint where calibration has them; the names of those that lack it."""
    arm["shown"] = [joint["name"] for joint in arm["joints"] if joint["zero"] == "shown"]
    unknown = _joints_calibrated(arm, memories, simulated)
    gripper = arm["gripper"]
    if gripper["closed"] in ("low", "high"):
        if "gripper" not in memories and not simulated:
            unknown.append("gripper")
        ends = memories.get("gripper", ANY_GRIP)
        low, high = (ends.high, ends.low) if ends.inverted else (ends.low, ends.high)
        gripper |= {end: low if gripper[end] == "low" else high for end in ("closed", "open")}
    if unknown:
        arm["uncalibrated"] = unknown


def _joints_calibrated(part: Table, memories: Mapping[str, Memory], simulated: bool) -> list[str]:
    """Give each joint its zero and range, and return the names of those of which nobody knows them."""
    unknown = []
    for joint in part["joints"]:
        memory = memories.get(joint["name"])
        if joint["zero"] in ("middle", "shown"):
            if not simulated and (memory is None or (joint["zero"] == "shown" and memory.zero is None)):
                unknown.append(joint["name"])
            _place(joint, memory or ANY_RANGE)
    return unknown


def _place(joint: Table, memory: Memory) -> None:
    """Zero is the middle of the recorded range (LeRobot's degrees) or where it was shown; nothing leads out of that
    range. Raises ValueError where none of it is left.
    """
    joint["direction"] *= -1 if memory.inverted else 1
    scale = joint["direction"] * 2 * math.pi / STEPS_PER_TURN
    lower, upper = joint["limits"]["position"]
    middle = (memory.low + memory.high) / 2
    if joint["zero"] == "shown":
        joint["zero"] = middle - (lower + upper) / 2 / scale if memory.zero is None else memory.zero
    else:
        joint["zero"] = middle
    ends = sorted((step - joint["zero"]) * scale for step in (memory.low + 1, memory.high - 1))
    joint["limits"]["position"] = [max(lower, ends[0]), min(upper, ends[1])]
    if max(lower, ends[0]) >= min(upper, ends[1]):
        raise ValueError(f"{joint['name']} never comes into its range from the zero that was shown: show it again")
