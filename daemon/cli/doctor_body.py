"""The doctor's look at the robot: its description, ports, every device on its buses, calibration. Nothing moves."""

import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from serial.tools import list_ports

from camera.camera import FILES
from camera.description import CameraDescription, describe_camera
from camera.detector_description import VISION, describe_detectors
from camera.labels import can_read_labels
from camera.lens import load_lens
from camera.trouble import EyesError
from daemon.cli.finding import Check, Verdict
from daemon.cli.hand_eye import FAR, checks_file, read_checks
from daemon.config import Config, ConfigError
from daemon.service.body_setup import CAMERA, PIXELS
from daemon.service.camera_process import INSTALL, missing_packages
from daemon.service.control import CommandError, NoDaemonError, request, running_in
from hw.calibration import load_calibration
from hw.client import Robot
from hw.description import ArmDescription, RobotDescription, calibration_file, load_description
from hw.device_faults import ComponentError
from hw.state import HardwareError
from hw.transport import TransportError
from hw.workbench import Workbench

SIMULATED = "simulated"
LEAST_WALLS = 2
"""Tags that hang on walls; camera/base_fit.py wants as many in one picture."""


def devices(config: Config) -> Check:
    """The serial ports of the robot's description; with a simulated one, those that are plugged in."""
    if config.body.simulated:
        adapters = sorted(port.device for port in list_ports.comports() if port.vid is not None)
        what = SIMULATED + (f"; serial adapters: {', '.join(adapters)}" if adapters else "")
        return Check("robot", Verdict.OK, what)
    try:
        robot = _description(config)
    except HardwareError:
        return Check("robot", Verdict.WARN, "its description cannot be read", "see limits")
    ports = robot.ports
    if missing := [port for port in ports if not port.exists()]:
        advice = "plug it in and switch it on; `ls /dev/serial/by-id` shows what is there"
        return Check("robot", Verdict.FAIL, f"not there: {_listed(missing)}", advice)
    if forbidden := [port for port in ports if not os.access(port, os.R_OK | os.W_OK)]:
        advice = "sudo usermod -aG dialout $USER, then log in again"
        return Check("robot", Verdict.FAIL, f"not permitted: {_listed(forbidden)}", advice)
    return Check("robot", Verdict.OK, f"{robot.name}: {_listed(ports)}")


def limits(config: Config) -> Check:
    """The whole description is read; and it is told which limits it leaves out that it may leave out."""
    if config.body.simulated:
        return Check("limits", Verdict.OK, SIMULATED)
    try:
        robot = _description(config)
    except HardwareError as error:
        return Check(
            "limits", Verdict.FAIL, str(error).partition(" (hint:")[0], error.hint or "compare with hw/robots/sim.toml"
        )
    missing = {arm.name: ", ".join(_left_out(arm)) for arm in robot.arms}
    if any(missing.values()):
        what = "; ".join(f"{arm} has no {left_out}" for arm, left_out in missing.items() if left_out)
        return Check("limits", Verdict.WARN, what, "write them beside the arm's baud, see docs/hardware.md")
    return Check("limits", Verdict.OK, f"{sum(len(arm.joints) + 1 for arm in robot.arms)} joints, all limited")


def eyes(config: Config) -> Check:
    """Check whether anybody sees for the robot: its own camera is looked for, and the running heed asked."""
    if trouble := _camera_trouble(config) or _detectors_trouble(config):
        return trouble
    try:
        told = request(running_in(config.runtime_directory), "eyes")
    except (NoDaemonError, CommandError):
        simulated = config.body.simulated and not config.body.eyes
        return Check("eyes", Verdict.OK, SIMULATED if simulated else "not asked: heed does not run")
    if trouble := told["trouble"]:
        return Check("eyes", Verdict.WARN, f"{told['eyes']}: {trouble}", "see docs/eyes.md")
    return Check("eyes", Verdict.OK, f"{told['eyes']}: {len(told['sees'])} things are seen{_also(config)}")


def has_camera(config: Config) -> bool:
    """Return whether the robot sees with a camera of its own (docs/eyes.md)."""
    try:
        described = "" if config.body.simulated else _description(config).table.get("eyes", {}).get("source", "")
    except (HardwareError, AttributeError):
        return False
    return (config.body.eyes or described) == CAMERA


def _camera_trouble(config: Config) -> Check | None:
    """Return what the robot's own camera lacks; None where nothing is, or it has none."""
    if not has_camera(config):
        return None
    if missing := missing_packages():
        return Check("eyes", Verdict.FAIL, f"not installed: {', '.join(missing)}", INSTALL)
    file = config.body.robot_file(config.folder)
    try:
        camera = describe_camera(_description(config).table, file)
    except HardwareError as error:
        return Check("eyes", Verdict.FAIL, str(error).partition(" (hint:")[0], error.hint)
    device = Path(camera.device.removeprefix(FILES))
    if not device.exists():
        return Check(
            "eyes", Verdict.FAIL, f"not there: {device}", "plug the camera in; ls /dev/v4l/by-id shows its name"
        )
    if not os.access(device, os.R_OK):
        return Check(
            "eyes", Verdict.FAIL, f"not permitted: {device}", "sudo usermod -aG video $USER, then log in again"
        )
    try:
        load_lens(camera.lens)
    except EyesError as error:
        return Check("eyes", Verdict.WARN, str(error).partition(" (hint:")[0], error.hint)
    if camera.mount is None:
        return Check("eyes", Verdict.WARN, "nobody knows where the camera sits", "heed eyes calibrate mount")
    return _tags_trouble(camera, drives=_description(config).base is not None) or _touch_trouble(camera)


def _touch_trouble(camera: CameraDescription) -> Check | None:
    """Return by how much hand and eye differed when somebody tried that last; None where they agreed, or nobody did."""
    try:
        checks = read_checks(checks_file(camera))
    except CommandError as error:
        return Check("eyes", Verdict.WARN, str(error).partition(" (hint:")[0], error.hint)
    apart = math.hypot(*checks[-1]["off"]) if checks else 0.0
    if apart <= FAR:
        return None
    what = f"the {checks[-1]['arm']} hand and the eyes were {apart * 1000:.0f} mm apart when they were checked last"
    return Check("eyes", Verdict.WARN, what, "heed eyes calibrate mount, or hand; then heed eyes check")


def _detectors_trouble(config: Config) -> Check | None:
    """Return what is wrong with the owner's detectors; None where nothing is, or there are none."""
    try:
        describe_detectors(config.models_directory / VISION)
    except EyesError as error:
        return Check("eyes", Verdict.WARN, str(error).partition(" (hint:")[0], error.hint)
    return None


def _also(config: Config) -> str:
    """Return what a camera sees with besides tags: detectors with their licences, and labels."""
    if config.body.eyes != PIXELS and not has_camera(config):
        return ""
    models = describe_detectors(config.models_directory / VISION)
    named = [f"{model.model.stem} ({model.licence})" for model in models]
    return "".join(f"; with {name}" for name in [*named, *(["labels"] if can_read_labels() else [])])


def _tags_trouble(camera: CameraDescription, drives: bool) -> Check | None:
    """Return what is missing of the tags that the camera is told of."""
    if not camera.things and camera.unknown_size is None:
        return Check("eyes", Verdict.WARN, "no thing carries a tag", "heed eyes sheet prints them; see docs/eyes.md")
    if drives and len(camera.walls) < LEAST_WALLS:
        what = "no tags on walls tell where the base stands, so that its wheels drift"
        return Check("eyes", Verdict.WARN, what, f"hang {LEAST_WALLS} or more, and add [[eyes.wall]]: docs/eyes.md")
    return None


def buses(config: Config) -> Check:
    """Every device on them: as heed-hw says where it runs, else the servos are asked here."""
    try:
        with Robot(running_in(config.runtime_directory)) as robot:
            return _as_heed_hw_says(robot)
    except HardwareError:
        pass
    if config.body.simulated:
        return Check("buses", Verdict.OK, SIMULATED)
    try:
        robot_description = _description(config)
    except HardwareError:
        return Check("buses", Verdict.WARN, "not asked, since the description cannot be read", "see limits")
    asked = [_asked(arm) for arm in robot_description.arms]
    if trouble := [what for what, well in asked if not well]:
        advice = "look at its plug and its power, then `heed hw scan`; every device is named on its bus by its id"
        return Check("buses", Verdict.FAIL, "; ".join(trouble), advice)
    base = "; the base is asked by heed-hw alone" if robot_description.base else ""
    return Check("buses", Verdict.OK, "; ".join(what for what, _ in asked) + base)


def calibration(config: Config) -> Check:
    """Check whether every joint of the description was calibrated; heed-hw compares with what the servos hold."""
    if config.body.simulated:
        return Check("calibration", Verdict.OK, SIMULATED)
    try:
        robot = _description(config)
    except HardwareError:
        return Check("calibration", Verdict.WARN, "the description cannot be read", "see limits")
    file = calibration_file(config.body.robot_file(config.folder), robot.table)
    known = load_calibration(file)
    missing = {
        arm.name: [joint.name for joint in (*arm.joints, arm.gripper) if joint.name not in known.get(arm.name, {})]
        for arm in robot.arms
    }
    if any(missing.values()):
        what = "; ".join(f"{arm}: {', '.join(joints)}" for arm, joints in missing.items() if joints)
        first = next(arm for arm, joints in missing.items() if joints)
        return Check("calibration", Verdict.WARN, f"not calibrated: {what}", _how_to_calibrate(robot, first))
    return Check("calibration", Verdict.OK, str(file))


def _how_to_calibrate(robot: RobotDescription, arm: str) -> str:
    command = "import-lerobot" if "model" in robot.table["arms"][arm] else "calibrate"
    return f"heed hw {command} --arm {arm}"


def _description(config: Config) -> RobotDescription:
    """Raises HardwareError for one that is not there, or wrong."""
    try:
        return load_description(config.body.robot_file(config.folder), config.runtime_directory)
    except ConfigError as error:
        raise HardwareError(str(error), "correct robot in [body] of config.toml") from error


def _left_out(arm: ArmDescription) -> Iterator[str]:
    if math.isinf(arm.payload):
        yield "payload"
    if math.isinf(arm.voltage[1]):
        yield "voltage"
    if not arm.models:
        yield "models"


def _as_heed_hw_says(robot: Robot) -> Check:
    found = robot.devices()
    motors = sum(len(device["motors"]) for device in found.values())
    trouble = [f"{name}: {device['reason']}" for name, device in found.items() if device["reason"]]
    if trouble:
        return Check("buses", Verdict.FAIL, "; ".join(trouble), "`heed hw status` tells of every motor, and what to do")
    states = ", ".join(f"{name} {device['lifecycle']}" for name, device in found.items())
    return Check("buses", Verdict.OK, f"{motors} motors answer heed-hw; {states}")


def _asked(arm: ArmDescription) -> tuple[str, bool]:
    """Return what is on an arm's bus, and whether that is all."""
    silent = []
    try:
        with Workbench.open(arm.device, arm.baud, arm.family) as bench:
            for joint in (*arm.joints, arm.gripper):
                try:
                    bench.ask(arm.family.position(joint.servo))
                except ComponentError:
                    silent.append(f"{joint.name} (servo {joint.servo})")
    except (TransportError, OSError) as error:
        return f"{arm.name}: {error}", False
    if silent:
        return f"{arm.name}: no answer from {', '.join(silent)}", False
    return f"{arm.name}: {len(arm.joints) + 1} servos answer", True


def _listed(paths: Sequence[Path]) -> str:
    return ", ".join(str(path) for path in paths)
