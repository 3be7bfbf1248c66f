"""heed-hw as a process, on simulated devices behind pseudo-terminals: real bytes, real sockets, real signals."""

import json
import math
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.client import Robot, send_stop
from hw.description import load_description
from hw.state import (
    GoalState,
    HardwareError,
    Lifecycle,
    Severity,
    Standstill,
    StoppedError,
    UnreachableError,
)
from sim.devices import SimulatedRobot
from sim.scene import Scene
from tests.support.waiting import until
from tests.support.wire import velocities

ROOT = Path(__file__).parents[2]
ROBOT = ROOT / "hw" / "robots" / "sim.toml"
KITCHEN = ROOT / "sim" / "scenes" / "kitchen.toml"
STRETCHED = (0.3, 0.4, 0.5, 0.2, 0.1, -0.2)


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[SimulatedRobot]:
    robot = SimulatedRobot(tmp_path, Scene.load(KITCHEN), load_description(ROBOT, tmp_path))
    robot.start()
    yield robot
    robot.close()


@pytest.fixture
def server(tmp_path: Path, devices: SimulatedRobot) -> Iterator[subprocess.Popen[bytes]]:
    process = start_server(tmp_path)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def robot(tmp_path: Path, server: subprocess.Popen[bytes]) -> Iterator[Robot]:
    connected = Robot(tmp_path)
    connected.activate()
    yield connected
    connected.close()


def start_server(runtime: Path, robot: Path = ROBOT) -> subprocess.Popen[bytes]:
    """A heed-hw that has said READY."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(runtime / "notify.sock"))
        systemd.settimeout(30)
        process = subprocess.Popen(
            [sys.executable, "-m", "hw.server", "--robot", str(robot), "--runtime", str(runtime)],
            cwd=ROOT,
            env={"NOTIFY_SOCKET": str(runtime / "notify.sock"), "PATH": "/usr/bin:/bin"},
        )
        assert systemd.recv(100) == b"READY=1"
        (runtime / "notify.sock").unlink()
        return process


def drive_off(robot: Robot) -> None:
    """Have the base measurably under way to a place far ahead."""
    before = robot.state().base
    robot.drive_to(before.x + 5, before.y, before.theta)
    until(lambda: robot.state().base.x > before.x + 0.1)


@pytest.mark.whole
def test_an_arm_moves_to_joint_angles_and_to_a_tip_pose(robot: Robot) -> None:
    assert robot.move_joints("left", STRETCHED).wait(20).state is GoalState.SUCCEEDED
    assert robot.state().arms["left"].joints == pytest.approx(STRETCHED, abs=0.03)
    assert robot.move_tip("right", 0.55, -0.2, 0.9, pitch=0.5).wait(20).state is GoalState.SUCCEEDED
    tip = robot.state().arms["right"].tip
    assert (tip.x, tip.y, tip.z, tip.pitch) == pytest.approx((0.55, -0.2, 0.9, 0.5), abs=0.02)


@pytest.mark.whole
def test_the_base_arrives_where_the_scene_has_it_too(robot: Robot, devices: SimulatedRobot) -> None:
    result = robot.drive_to(0.4, 0.3, 1.0).wait(30)
    assert result.state is GoalState.SUCCEEDED
    for pose in (robot.state().base, devices.scene().base):
        assert math.dist((pose.x, pose.y), (0.4, 0.3)) < 0.03
        assert pose.theta == pytest.approx(1.0, abs=0.05)


def test_a_stop_while_driving_leaves_zero_velocity_on_the_bus(
    robot: Robot, devices: SimulatedRobot, tmp_path: Path
) -> None:
    goal = robot.drive_to(5.0, 0.0, 0.0)
    until(lambda: robot.state().base.x > 0.1)
    report = send_stop(tmp_path, "the word stop")
    assert report.frame_sent_at is not None
    assert report.accepted_at <= report.frame_sent_at
    assert report.standstill is Standstill.TRUE
    until(lambda: velocities(devices)[-2:] == [(0, 0.0), (1, 0.0)])
    assert not devices.call(lambda: abs(devices.base.motors[0].velocity) > 0.02)
    assert goal.wait(5).state is GoalState.ABORTED
    assert "the word stop" in goal.wait(5).detail


def test_a_stop_latches_until_it_is_cleared_and_the_robot_activated(robot: Robot) -> None:
    robot.stop("the button")
    with pytest.raises(StoppedError, match="the button"):
        robot.drive_to(1, 0, 0)
    with pytest.raises(StoppedError):
        robot.activate()
    robot.clear_stop("Ada")
    with pytest.raises(HardwareError, match="activate"):
        robot.drive_to(1, 0, 0)
    robot.activate()
    assert robot.drive_to(0.1, 0, 0).wait(20).state is GoalState.SUCCEEDED


def test_any_datagram_is_a_stop(robot: Robot, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"\xff\x00 garbage", str(tmp_path / "stop.sock"))
    until(lambda: robot.state().stopped is not None)


def test_a_killed_client_stops_what_it_had_set_in_motion(robot: Robot, tmp_path: Path, devices: SimulatedRobot) -> None:
    program = (
        "import sys; from pathlib import Path; from hw.client import Robot; "
        "r = Robot(Path(sys.argv[1])); r.drive_to(5, 0, 0); print('off', flush=True); r._receiver.join()"
    )
    client = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE)
    with client:
        assert client.stdout is not None
        assert client.stdout.readline() == b"off\n"
        until(lambda: robot.state().base.x > 0.1)
        client.kill()
    until(lambda: robot.state().stopped is not None)
    assert "gone" in str(robot.state().stopped)
    until(lambda: velocities(devices)[-2:] == [(0, 0.0), (1, 0.0)])


def test_a_cable_that_comes_back_ends_inactive(robot: Robot, devices: SimulatedRobot) -> None:
    drive_off(robot)
    devices.unplug("left")
    until(lambda: robot.state().stopped is not None)
    until(lambda: velocities(devices)[-2:] == [(0, 0.0), (1, 0.0)])
    devices.plug("left")
    until(lambda: robot.state().lifecycle["left"] is Lifecycle.INACTIVE)
    faults = [fault.code for fault in robot.state().faults if fault.severity is not Severity.WARNING]
    assert faults == ["PORT_LOST"]
    robot.clear_stop("Ada")
    robot.activate()


def test_a_new_server_is_inactive_and_knows_where_the_base_is(
    tmp_path: Path, server: subprocess.Popen[bytes], robot: Robot, devices: SimulatedRobot
) -> None:
    robot.drive_to(0.3, 0.2, 0.5).wait(30)
    until(lambda: json.loads((tmp_path / "odometry.json").read_text())["pose"][0] > 0.25)
    server.kill()
    server.wait()
    with pytest.raises(HardwareError, match="does not run"):
        robot.state()
    again = start_server(tmp_path)
    try:
        with Robot(tmp_path) as other:
            until(lambda: set(other.state().lifecycle.values()) == {Lifecycle.INACTIVE})
            base, real = other.state().base, devices.scene().base
            assert math.dist((base.x, base.y), (real.x, real.y)) < 0.03
            with pytest.raises(HardwareError, match="activate"):
                other.grip("left", 0.0)
    finally:
        again.kill()
        again.wait()


def test_a_goal_hears_that_the_server_is_gone(robot: Robot, server: subprocess.Popen[bytes]) -> None:
    goal = robot.drive_to(5.0, 0.0, 0.0)
    server.kill()
    result = goal.wait(10)
    assert (result.state, "gone" in result.detail) == (GoalState.ABORTED, True)


def test_sigterm_stops_the_robot_before_the_process_ends(
    robot: Robot, server: subprocess.Popen[bytes], devices: SimulatedRobot, tmp_path: Path
) -> None:
    drive_off(robot)
    server.send_signal(signal.SIGTERM)
    assert server.wait(10) == 0
    told = velocities(devices)
    assert told[-2:] == [(0, 0.0), (1, 0.0)]
    assert not (tmp_path / "hw.sock").exists()


def test_a_killed_parent_leaves_a_robot_at_rest_and_no_process(tmp_path: Path, devices: SimulatedRobot) -> None:
    program = (
        "import subprocess, sys; command = [sys.executable, '-m', 'hw.server', '--robot', sys.argv[1], '--runtime', "
        "sys.argv[2]]; print(subprocess.Popen(command).pid, flush=True); sys.stdin.read()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(ROBOT), str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with parent:
        assert parent.stdout is not None
        server = int(parent.stdout.readline())
        try:
            until((tmp_path / "hw.sock").exists)
            with Robot(tmp_path) as robot:
                robot.activate()
                drive_off(robot)
                parent.kill()
                until(lambda: not (tmp_path / "hw.sock").exists())
            until(lambda: not is_running(server))
        finally:
            if is_running(server):
                os.kill(server, signal.SIGKILL)
    until(lambda: velocities(devices)[-2:] == [(0, 0.0), (1, 0.0)])
    assert abs(devices.call(lambda: devices.base.motors[0].velocity)) < 0.02


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_goals_are_cancelled_from_another_thread(robot: Robot) -> None:
    goal = robot.drive_to(5.0, 0.0, 0.0)
    until(lambda: goal.state is GoalState.EXECUTING)
    assert goal.feedback()["remaining"] > 4
    with pytest.raises(TimeoutError):
        goal.wait(0.01)
    canceller = threading.Thread(target=goal.cancel)
    canceller.start()
    assert goal.wait(20).state is GoalState.CANCELED
    canceller.join()
    assert goal.feedback() == {}


def test_what_cannot_be_reached_is_refused_with_a_hint(robot: Robot) -> None:
    with pytest.raises(UnreachableError) as caught:
        robot.move_tip("left", 3.0, 0.0, 1.0)
    assert caught.value.hint
    with pytest.raises(HardwareError, match="finite"):
        robot.grip("left", math.nan)
    with pytest.raises(HardwareError, match="left, right"):
        robot.move_tip("middle", 0.5, 0.0, 1.0)


def test_a_second_server_in_the_same_directory_is_refused(tmp_path: Path, server: subprocess.Popen[bytes]) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "hw.server", "--robot", str(ROBOT), "--runtime", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert second.returncode == 1
    assert "other heed-hw" in second.stderr
    Robot(tmp_path).close()


def test_without_a_server_the_errors_say_what_to_start(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match="does not run"):
        Robot(tmp_path)
    with pytest.raises(HardwareError, match="emergency stop"):
        send_stop(tmp_path, "stop")
    assert list(tmp_path.iterdir()) == []


def test_garbage_on_the_control_socket_is_answered_and_harms_nobody(robot: Robot, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as stranger:
        stranger.connect(str(tmp_path / "hw.sock"))
        stranger.settimeout(10)
        for packet in (b"\xff\xfe", b"[1]", b"3", b'{"op": "move_joints", "arm": {}}', b'{"id": [], "op": {}}'):
            stranger.send(packet)
            assert json.loads(stranger.recv(4096))["ok"] is False
    assert robot.state().stopped is None
