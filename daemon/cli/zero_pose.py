"""Where the joints of an arm are zero, as a person shows it: for arms of which nobody has published that.

The person holds the arm stretched straight ahead; what the servos then say is kept beside their calibration. A joint
whose recorded range does not fit what its makers built was not held so, or turns the other way than described.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from daemon.service.control import CommandError
from hw.description import ArmDescription, load_description
from hw.device_faults import ComponentError
from hw.protocol.sts import STEPS_PER_TURN
from hw.servo import Memory
from hw.servo_joint import ServoJoint
from hw.transport import TransportError
from hw.workbench import Workbench

SLACK = 0.7
"""Radians by which the ends of a recorded range may differ from those that are published: sources do by 0.6."""
WHOLE_TURN = 0.98 * STEPS_PER_TURN
"""Steps of a range that says nothing of where the ends are."""
POSE = (
    "Hold the {arm} arm: it will have no torque, and FALL. Stretch it straight ahead, upper arm, forearm and hand "
    "in one level line, the fingers side by side. Press Enter while it is so: "
)


def with_zeros(
    file: Path, arm: ArmDescription, memories: Mapping[str, Memory], ask: Callable[[str], str]
) -> dict[str, Memory]:
    """Return the memories with the zeros that a person shows, where the arm of that description file needs them.

    Raises CommandError where the arm was not held as it was asked for.
    """
    if not arm.shown:
        return dict(memories)
    ask(POSE.format(arm=arm.name))
    shown = {**memories, **{joint.name: memories[joint.name]._replace(zero=at) for joint, at in _places(arm)}}
    model = next(one for one in load_description(file, Path(), simulated=True).arms if one.name == arm.name)
    if oddities := list(_oddities(model, shown)):
        raise CommandError(
            "the zero that was shown cannot be right:\n  " + "\n  ".join(oddities),
            "stretch the arm straight ahead, level, and show it again; if it was so, that servo turns the other way: "
            "set the direction of that joint in your robot.toml",
        )
    return shown


def is_known(arm: ArmDescription, known: Mapping[str, Memory], held: Mapping[str, Memory]) -> bool:
    """Return whether nothing is left to find out of an arm whose servos hold this: its zeros were shown, too."""
    same = {name: memory.kept for name, memory in known.items()} == held
    return same and all(known[name].zero is not None for name in arm.shown)


def _places(arm: ArmDescription) -> list[tuple[ServoJoint, int]]:
    """Return where the joints are that have to be shown; whole turns brought back into the range."""
    joints = [joint for joint in arm.joints if joint.name in arm.shown]
    try:
        with Workbench.open(arm.device, arm.baud, arm.family) as bench:
            bench.release([joint.servo for joint in joints])
            for joint in joints:
                bench.ask(bench.family.configure(joint.servo, None))
            return [(joint, bench.ask(bench.family.position(joint.servo))) for joint in joints]
    except (TransportError, ComponentError) as error:
        raise CommandError(f"where the arm is could not be read: {error}", "plug it in, and try again") from error


def _oddities(model: ArmDescription, memories: Mapping[str, Memory]) -> Iterator[str]:
    """Yield the joints whose range, seen from that zero, is not that of their model; a sentence each."""
    for joint in model.joints:
        memory = memories[joint.name]
        if memory.zero is None or memory.high - memory.low > WHOLE_TURN:
            continue
        scale = -joint.scale if memory.inverted else joint.scale
        low, high = sorted((end - memory.zero) * scale for end in (memory.low, memory.high))
        if low < joint.limits.lower - SLACK or high > joint.limits.upper + SLACK:
            yield (
                f"{joint.name} was recorded from {_degrees(low)} to {_degrees(high)} degrees as seen from there, "
                f"and should go from about {_degrees(joint.limits.lower)} to {_degrees(joint.limits.upper)}"
            )


def _degrees(radians: float) -> str:
    return f"{math.degrees(radians):.0f}"
