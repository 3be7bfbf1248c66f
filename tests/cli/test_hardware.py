"""`heed hw` on simulated devices: what it finds, tells, calibrates and moves."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.cli.hardware import Options, calibrate_arm, inspect_hw
from daemon.config import BodyConfig, Config, ServiceConfig
from daemon.service.control import CommandError
from hw.client import Robot
from hw.description import load_description
from hw.dynamixel import Dynamixel
from hw.feetech import Feetech
from hw.servo import Memory
from hw.workbench import RangeFinder, Workbench, homing_offset
from sim.devices import SimulatedRobot
from sim.scene import Scene
from sim.servo import ServoChain, SimulatedServo
from tests.hw.test_server import KITCHEN, ROBOT, start_server, until


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[SimulatedRobot]:
    robot = SimulatedRobot(tmp_path, Scene.load(KITCHEN), load_description(ROBOT, tmp_path))
    robot.start()
    yield robot
    robot.close()


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return replace(Config(), body=BodyConfig(robot=str(ROBOT)), service=ServiceConfig(runtime_directory=str(tmp_path)))


@pytest.fixture
def server(tmp_path: Path, devices: SimulatedRobot) -> Iterator[subprocess.Popen[bytes]]:
    process = start_server(tmp_path)
    with Robot(tmp_path) as robot:
        until(lambda: set(robot.state().lifecycle.values()) == {"inactive"})
        until(lambda: all("temperature" in motor for motor in robot.devices()["left"]["motors"]))  # each has answered
    yield process
    process.kill()
    process.wait()


def test_a_scan_finds_every_servo_on_a_port(
    tmp_path: Path, devices: SimulatedRobot, config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    port = str(tmp_path / "dev" / "left_arm")
    assert inspect_hw("scan", Options(port=port, json=True), config) == 0
    found = json.loads(capsys.readouterr().out)
    assert {(servo["make"], servo["model"]) for servo in found} == {("feetech", "STS3215")}
    assert sorted({servo["id"] for servo in found}) == [1, 2, 3, 4, 5, 6, 7]


def test_a_scan_of_nothing_says_where_to_look(
    tmp_path: Path, config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    assert inspect_hw("scan", Options(port=str(tmp_path / "none")), config) == 1
    assert "dialout" in capsys.readouterr().out


def test_a_scan_keeps_away_while_heed_has_the_buses(tmp_path: Path, config: Config) -> None:
    file = tmp_path / "robot.toml"
    file.write_text(ROBOT.read_text().replace("sim = true", ""))
    process = start_server(tmp_path, robot=file)
    with pytest.raises(CommandError, match="has the buses"):
        inspect_hw("scan", Options(), config)
    process.kill()
    process.wait()


def test_a_scan_goes_by_while_heed_moves_the_simulated_robot(
    server: subprocess.Popen[bytes], config: Config, tmp_path: Path
) -> None:
    assert inspect_hw("scan", Options(port=str(tmp_path / "none")), config) == 1


def test_status_tells_of_every_motor(
    server: subprocess.Popen[bytes], config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    assert inspect_hw("status", Options(), config) == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("left: inactive", "elbow_pitch", "voltage 12.0", "left wheel"))
    assert all(
        word in told for word in ("P 32", "I 0", "D 32", "max torque 1000", "protection current", "overload torque")
    )
    inspect_hw("status", Options(json=True), config)
    assert json.loads(capsys.readouterr().out)["devices"]["left"]["motors"][0]["temperature"] == 30


def test_a_joint_is_moved_by_degrees(
    tmp_path: Path, server: subprocess.Popen[bytes], config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    with Robot(tmp_path) as robot:
        robot.activate()
        before = robot.state().arms["left"].joints
        assert inspect_hw("jog", Options(arm="left", joint="wrist_roll", by=10.0), config) == 0
        after = robot.state().arms["left"].joints
    assert after[4] - before[4] == pytest.approx(math.radians(10), abs=0.03)
    with pytest.raises(CommandError, match="no joint 'nose'"):
        inspect_hw("jog", Options(arm="left", joint="nose", by=1.0), config)


@pytest.mark.whole
def test_the_test_asks_first_and_ends_in_a_measured_stop(
    tmp_path: Path, server: subprocess.Popen[bytes], config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match="nothing was moved"):
        inspect_hw("test", Options(), config, ask=lambda question: "")
    with Robot(tmp_path) as robot:
        robot.activate()
        assert inspect_hw("test", Options(json=True), config, ask=lambda question: "y") == 0
        results = json.loads(capsys.readouterr().out)
        assert len(results) == 3 + 12 + 1 + 1
        assert not any(results.values())
        assert robot.state().stopped == "heed hw test"


def test_the_simulated_robot_needs_no_calibration(config: Config) -> None:
    with pytest.raises(CommandError, match="needs no calibration"):
        inspect_hw("calibrate", Options(arm="left"), replace(config, body=BodyConfig()))


class Wire:
    """A wire to a chain of servos, which answers at once."""

    def __init__(self, chain: ServoChain) -> None:
        self._chain = chain
        self._out, self._in = os.pipe()

    def fileno(self) -> int:
        return self._out

    def send(self, data: bytes) -> None:
        os.write(self._in, self._chain.receive(data)[0])

    def receive(self) -> bytes:
        return os.read(self._out, 4096)

    def close(self) -> None:
        os.close(self._out)
        os.close(self._in)


def test_calibration_finds_zero_and_range_and_leaves_them_in_the_servos(tmp_path: Path) -> None:
    arm = load_description(ROBOT, tmp_path).arms[0]
    names = {joint.servo: joint.name for joint in (*arm.joints, arm.gripper)}
    servos = [SimulatedServo(number, 2000.0) for number in names]

    def moved_by_hand(look: Callable[[], None]) -> None:
        for at in (600.0, 3500.0):
            for servo in servos:
                servo.position = at
            look()

    with Workbench(Wire(ServoChain(servos)), arm.family) as bench:
        memories = calibrate_arm(bench, arm, lambda question: "", moved_by_hand)
        assert all(bench.ask(bench.family.memory(servo)) == memories[name] for servo, name in names.items())
    assert {(memory.low, memory.high) for memory in memories.values()} == {(610, 3490)}
    assert memories["shoulder_pitch"].homing_offset == 2000 - 2100
    assert not any(servo.powered for servo in servos)


def test_a_joint_that_was_not_moved_has_no_range() -> None:
    finder = RangeFinder()
    finder.see(2000)
    finder.see(2050)
    with pytest.raises(ValueError, match="hardly moved"):
        finder.memory(0)
    finder.see(3000)
    assert finder.memory(7) == Memory(7, 2010, 2990)


@pytest.mark.parametrize(("present", "held", "zero"), [(2000, 0, 2048), (100, -30, 2048), (4000, 500, 1000)])
def test_an_offset_makes_here_the_zero(present: int, held: int, zero: int) -> None:
    for family in (Feetech(), Dynamixel()):
        measured = present - family.offset_sign * held
        offset = homing_offset(family, present, held, zero)
        assert (measured + family.offset_sign * offset) % 4096 == zero
        assert -2048 <= offset < 2048


def test_heed_hw_is_a_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "daemon", "hw", "status"], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
