"""A simulated Koch as LeRobot leaves one: calibrated, in extended position mode, limp; a person stretches it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hw.description import load_description
from hw.protocol import dxl2
from sim.devices import SimulatedRobot
from sim.dynamixel_servo import SimulatedDynamixel
from sim.scene import Scene

ROBOT = Path("hw/robots/koch.toml")
OFFSETS = (3000, -1900, 2500, -3900, 1800, -200)


@contextmanager
def plugged_in(folder: Path) -> Iterator[SimulatedRobot]:
    """The arm, with ranges that were recorded from end to end; its servos have forgotten whole turns."""
    devices = SimulatedRobot(folder, Scene.load(Path("sim/scenes/desk.toml")), load_description(ROBOT, folder, True))
    for servo in servos(devices).values():
        _, offset, low, high = calibration(devices)[servo.id - 1]
        for register, value in ((dxl2.HOMING_OFFSET, offset), (dxl2.MIN_POSITION, low), (dxl2.MAX_POSITION, high)):
            servo.put(register, value)
        servo.put(dxl2.OPERATING_MODE, 4)
        servo.reset()
    devices.start()
    try:
        yield devices
    finally:
        devices.close()


def servos(devices: SimulatedRobot) -> dict[int, SimulatedDynamixel]:
    return {n: one for n, one in devices.arms["right"].chain.servos.items() if isinstance(one, SimulatedDynamixel)}


def calibration(devices: SimulatedRobot) -> list[tuple[str, int, int, int]]:
    """Name, homing offset and range of each servo, by their ids from 1 on."""
    arm = devices.arms["right"].description
    rows = []
    for joint, offset in zip((*arm.joints, arm.gripper), OFFSETS, strict=True):
        low, high = (0, 4095) if joint.name in ("shoulder_pan", "wrist_roll") else joint.step_range
        more = 0 if joint is arm.gripper else 20
        rows.append((joint.name, offset, max(low - more, 0), min(high + more, 4095)))
    return rows


def file_of_lerobots(devices: SimulatedRobot, path: Path, **changed: object) -> Path:
    """What LeRobot has written of it; `changed`: of its shoulder_lift."""
    table: dict[str, dict[str, object]] = {
        name: {"id": number, "drive_mode": 0, "homing_offset": offset, "range_min": low, "range_max": high}
        for number, (name, offset, low, high) in enumerate(calibration(devices), 1)
    }
    table["shoulder_lift"] |= changed
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(table))
    return path


def stretch(devices: SimulatedRobot, **bent: float) -> None:
    """Hold it straight ahead; `bent`: joints that are somewhere else, radians."""

    def turn() -> None:
        for joint, servo in devices.arms["right"].shafts:
            servo.position = joint.to_steps(bent.get(joint.name, 0.0))

    devices.call(turn)
