"""`heed hw`: find devices, see how they are, calibrate them, move them by hand, and test them.

scan and calibrate speak to the buses themselves, so heed-hw must not run; status, jog and test ask heed-hw.
"""

import json
import math
import select
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daemon.cli.hardware_motions import SMALL, jog_with_keys, tried_motions
from daemon.cli.lerobot import chosen_file, compared
from daemon.cli.wheels import test_wheels
from daemon.cli.zero_pose import is_known, with_zeros
from daemon.config import Config
from daemon.service.control import CommandError, running_in
from hw.calibration import Calibration, load_calibration, save_calibration
from hw.client import Robot
from hw.description import ArmDescription, RobotDescription, calibration_file, load_description
from hw.device_faults import ComponentError
from hw.dynamixel import Dynamixel
from hw.feetech import Feetech
from hw.servo import Memory
from hw.servo_joint import ServoJoint
from hw.state import GoalState, HardwareError
from hw.transport import TransportError
from hw.workbench import RangeFinder, Workbench, homing_offset, serial_ports

IDS = range(1, 21)
"""Servo ids that a scan tries unless it is told others; 253 would take five seconds per port and speed."""

Ask = Callable[[str], str]


@dataclass(frozen=True)
class Options:
    """What stood on the command line."""

    arm: str = ""
    joint: str = ""
    by: float | None = None
    port: str = ""
    file: str = ""
    yes: bool = False
    json: bool = False
    what: str = ""


def inspect_hw(action: str, options: Options, config: Config, ask: Ask = input) -> int:
    """Carry out one of ACTIONS; returns the exit status. Raises CommandError with a hint."""
    try:
        return ACTIONS[action](options, config, ask)
    except (HardwareError, TransportError, ComponentError) as error:
        raise CommandError(str(error), getattr(error, "hint", "")) from error


def scan(options: Options, config: Config, ask: Ask) -> int:
    """List serial ports by the names that stay, and who answers on them."""
    refuse_while_heed_runs(config)
    found = []
    for port in [Path(options.port)] if options.port else serial_ports():
        for family, bauds in ((Feetech(), (1_000_000, 500_000)), (Dynamixel(), (1_000_000, 57_600))):
            for baud in bauds:
                found += _servos_at(port, baud, family)
    if options.json:
        print(json.dumps(found))
    else:
        print("\n".join("{port}  {baud}  {make}  id {id}  {model}".format(**servo) for servo in found) or _nothing())
    return 0 if found else 1


def status(options: Options, config: Config, ask: Ask) -> int:
    """Tell how every motor is."""
    with _robot(config) as robot:
        state, devices = robot.state(), robot.devices()
    if options.json:
        faults = [vars(fault) for fault in state.faults]
        print(json.dumps({"stopped": state.stopped, "devices": devices, "faults": faults}))
        return 0
    print(f"stopped: {state.stopped}" if state.stopped else "not stopped")
    for name, device in devices.items():
        print(f"\n{name}: {device['lifecycle']}" + (f" ({device['reason']})" if device["reason"] else ""))
        for motor in device["motors"]:
            print("  " + "  ".join(f"{key} {value}" for key, value in motor.items() if value not in ("", None)))
    for fault in state.faults:
        print(f"\n{fault.severity} {fault.code} of {fault.component} (seen {fault.count}): {fault.detail}")
        print(f"  -> {fault.hint}")
    return 0


def calibrate(options: Options, config: Config, ask: Ask) -> int:
    """Find out where an arm's joints are zero and how far they go, and write it into the servos and a file."""
    if config.body.simulated:
        raise CommandError("the simulated robot needs no calibration", "name your robot in [body] of config.toml")
    refuse_while_heed_runs(config)
    file = config.body.robot_file(config.folder)
    description = load_description(file, running_in(config.runtime_directory))
    arm = _described_arm(description, options.arm)
    path = calibration_file(file, description.table)
    if "model" in description.table["arms"][arm.name]:
        print("New offsets shift every LeRobot policy and data set of this arm; to keep them: heed hw import-lerobot")
    with Workbench.open(arm.device, arm.baud, arm.family) as bench:
        memories = calibrate_arm(bench, arm, ask, _until_enter)
    save_calibration(path, _with(load_calibration(path), arm.name, memories))
    load_description(file, running_in(config.runtime_directory))
    print(f"kept in {path} and in the servos of the {arm.name} arm")
    return 0


def import_lerobot(options: Options, config: Config, ask: Ask) -> int:
    """Take over the calibration that LeRobot has made; the servos are read, and nothing is written into them."""
    if config.body.simulated:
        raise CommandError("the simulated robot needs no calibration", "name your robot in [body] of config.toml")
    refuse_while_heed_runs(config)
    file = config.body.robot_file(config.folder)
    description = load_description(file, running_in(config.runtime_directory))
    arm = _described_arm(description, options.arm or description.arms[0].name)
    theirs = chosen_file(arm, options.file)
    memories = theirs.memories(arm)
    told = compared(arm, memories)
    path = calibration_file(file, description.table)
    known = load_calibration(path)
    if not is_known(arm, known.get(arm.name, {}), memories):
        save_calibration(path, _with(known, arm.name, with_zeros(file, arm, memories, ask)))
    print(f"the {arm.name} arm is calibrated as in {theirs.path}; {told}")
    print(f"kept in {path}")
    return 0


def calibrate_arm(
    bench: Workbench, arm: ArmDescription, ask: Ask, meanwhile: Callable[[Callable[[], None]], None]
) -> dict[str, Memory]:
    """The steps of a calibration. meanwhile: calls what it is given again and again until the person is ready."""
    joints = (*arm.joints, arm.gripper)
    ask("The arm will lose its torque and FALL: hold it. Enter: ")
    bench.release([joint.servo for joint in joints])
    ask("Bring every joint to its zero (the arm straight ahead, the fingers closed). Enter: ")
    offsets = {joint.servo: _write_zero(bench, joint) for joint in joints}
    finders = {joint.servo: RangeFinder() for joint in joints}

    def look() -> None:
        for servo, finder in finders.items():
            finder.see(bench.ask(bench.family.position(servo)))

    print("Move every joint slowly to both of its ends, the fingers too. Enter when all have been there.")
    meanwhile(look)
    memories = {}
    for joint in joints:
        try:
            memories[joint.name] = finders[joint.servo].memory(offsets[joint.servo])
        except ValueError as error:
            raise CommandError(f"{joint.name}: {error}; nothing was kept", "calibrate again") from error
    for joint in joints:
        bench.ask(bench.family.keep(joint.servo, memories[joint.name]))
    return memories


def jog(options: Options, config: Config, ask: Ask) -> int:
    """Move one joint by so many degrees, or all of them with keys."""
    with _robot(config) as robot:
        arm = _arm(robot, options.arm)
        names = [joint["name"] for joint in robot.description["arms"][arm]["joints"]]
        if options.by is None:
            jog_with_keys(robot, arm, names)
            return 0
        if options.joint not in names:
            raise CommandError(f"the {arm} arm has no joint {options.joint!r}", f"use one of {', '.join(names)}")
        joints = list(robot.state().arms[arm].joints)
        joints[names.index(options.joint)] += math.radians(options.by)
        result = robot.move_joints(arm, joints, speed=0.2).wait(60)
        print("; ".join([result.detail, *result.clamped]))
        return int(result.state is not GoalState.SUCCEEDED)


def test(options: Options, config: Config, ask: Ask) -> int:
    """Move every joint a little, and stop; tell what was measured. Or try wheels, without heed-hw."""
    if options.what == "wheels":
        refuse_while_heed_runs(config)
        return test_wheels(config, ask, options.json)
    question = f"Every joint will move by {math.degrees(SMALL):.0f} degrees, the wheels by some centimetres. Clear? "
    if not options.yes and ask(question + "[y/N] ").strip().lower() not in ("y", "yes"):
        raise CommandError("nothing was moved", "answer y when nobody is within reach")
    with _robot(config) as robot:
        results = dict(tried_motions(robot, running_in(config.runtime_directory)))
    if options.json:
        print(json.dumps(results))
    else:
        print("\n".join(f"{'ok  ' if not problem else 'FAIL'} {name} {problem}" for name, problem in results.items()))
        print("The stop stays until somebody says that the robot may move again: heed resume")
    return int(any(results.values()))


ACTIONS: Mapping[str, Callable[[Options, Config, Ask], int]] = {
    action.__name__.replace("_", "-"): action for action in (scan, status, calibrate, import_lerobot, jog, test)
}


def _until_enter(work: Callable[[], None]) -> None:
    while not select.select([sys.stdin], [], [], 0.0)[0]:
        work()
    sys.stdin.readline()


def _write_zero(bench: Workbench, joint: ServoJoint) -> int:
    """Let a servo say its zero where it is now; the offset that does it."""
    family = bench.family
    held = bench.ask(family.memory(joint.servo))
    present = bench.ask(family.position(joint.servo))
    offset = homing_offset(family, present, held.homing_offset, joint.zero)
    bench.ask(family.keep(joint.servo, Memory(offset, 0, family.largest_step)))
    return offset


def _with(calibration: Calibration, arm: str, memories: dict[str, Memory]) -> Calibration:
    return {**calibration, arm: memories}


def _servos_at(port: Path, baud: int, family: Feetech | Dynamixel) -> list[dict[str, Any]]:
    try:
        with Workbench.open(port, baud, family) as bench:
            servos = bench.scan(IDS)
    except (TransportError, ComponentError) as error:
        print(f"{port}: {error}", file=sys.stderr)
        return []
    return [
        {"port": str(port), "baud": baud, "make": family.name, "id": servo.id, "model": servo.model} for servo in servos
    ]


def _nothing() -> str:
    return (
        "nobody answers. Is the bus powered, the adapter plugged in (/dev/serial/by-id), and are you in the group "
        "dialout? CAN axes are not scanned: `heed hw status` tells whether they are heard"
    )


def _robot(config: Config) -> Robot:
    return Robot(running_in(config.runtime_directory))


def _arm(robot: Robot, name: str) -> str:
    arms = list(robot.description["arms"])
    if name and name not in arms:
        raise CommandError(f"there is no arm {name!r}", f"use one of {', '.join(arms)}")
    return name or arms[0]


def _described_arm(description: RobotDescription, name: str) -> ArmDescription:
    for arm in description.arms:
        if arm.name == name:
            return arm
    names = ", ".join(arm.name for arm in description.arms)
    raise CommandError(f"there is no arm {name!r}", f"give --arm, one of {names}")


def refuse_while_heed_runs(config: Config) -> None:
    """CommandError while a heed-hw has the serial ports; one that moves the simulated robot has none."""
    try:
        with _robot(config) as robot:
            simulated = robot.description.get("sim", False)
    except HardwareError:
        return
    if not simulated:
        raise CommandError("heed-hw has the buses", "end heed first (systemctl stop heed heed-hw), then try again")
