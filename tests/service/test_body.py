"""The processes of the body, and the verbs of a person, on the simulated robot."""

import os
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.__main__ import main
from daemon.config import BodyConfig
from daemon.service import body as module
from daemon.service.body import RobotBody
from daemon.service.control import SOCKET
from hw.client import send_stop
from hw.state import HardwareError, Lifecycle
from tests.support.waiting import until


@pytest.fixture(scope="module")
def started() -> Iterator[RobotBody]:
    with tempfile.TemporaryDirectory(prefix="heed-") as runtime:  # a short path: it holds sockets
        body = RobotBody(BodyConfig(), Path(runtime), Path(runtime))
        try:
            body.start()
            yield body
        finally:
            body.close()


@pytest.fixture
def body(started: RobotBody) -> RobotBody:
    started.restart_what_died()
    started.resume("a test")
    return started


def test_what_was_held_goes_on_when_released(body: RobotBody) -> None:
    body.hold()
    assert body.state().paused
    body.release()
    assert not body.state().paused


def test_who_talks_to_a_robot_that_is_blind_is_told_of_what_was_seen_last(
    body: RobotBody, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(state: object) -> None:
        raise HardwareError("nobody answers", "look after the camera")

    seen = body.last_seen()
    monkeypatch.setattr(body.eyes, "observe", blind)
    assert body.last_seen() == seen
    with pytest.raises(HardwareError):
        body.observe()  # but nothing is done by it
    monkeypatch.setattr(body, "_seen", None)
    with pytest.raises(HardwareError):
        body.last_seen()


def test_a_hold_that_nobody_ends_ends_itself(body: RobotBody, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HOLD_SECONDS", 0.0)
    body.hold()
    body.end_forgotten_hold()
    assert not body.state().paused


def test_a_hold_lasts_as_long_as_a_suspicion_may(body: RobotBody) -> None:
    body.hold()
    body.end_forgotten_hold()
    assert body.state().paused


def test_a_person_who_pauses_outlasts_a_suspicion(body: RobotBody) -> None:
    body.hold()
    body.pause()
    body.release()
    assert body.state().paused


def test_a_release_does_not_end_a_stop(body: RobotBody) -> None:
    body.hold()
    body.stop("a test")
    body.release()
    assert body.state().stopped


def test_a_lost_connection_is_made_anew_and_moves_nothing_by_itself(body: RobotBody) -> None:
    body.robot.close()
    with pytest.raises(HardwareError):
        body.state()
    assert body.restart_what_died() == ["the connection to heed-hw"]
    assert body.answers()
    assert body.restart_what_died() == []


def test_a_body_that_was_killed_comes_back_inactive(body: RobotBody) -> None:
    hardware = next(process for process in body.processes if process.name == "heed-hw")
    assert hardware.pid
    os.kill(hardware.pid, signal.SIGKILL)
    until(lambda: not hardware.alive)
    assert body.restart_what_died() == ["heed-hw"]
    assert Lifecycle.ACTIVE not in body.state().lifecycle.values()
    body.resume("a test")
    assert set(body.state().lifecycle.values()) == {Lifecycle.ACTIVE}


def test_a_connection_that_cannot_be_made_is_tried_again(body: RobotBody) -> None:
    hardware = next(process for process in body.processes if process.name == "heed-hw")
    assert hardware.pid
    os.kill(hardware.pid, signal.SIGKILL)
    until(lambda: not hardware.alive)
    hardware.start()  # it was started again, and then connecting failed
    until(lambda: not body.robot.connected)
    assert body.restart_what_died() == ["the connection to heed-hw"]
    assert body.answers()


def test_the_stop_command_needs_no_daemon(body: RobotBody, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[service]\nruntime_directory = "{body._runtime}"\n')
    with socket.socket(socket.AF_UNIX) as hanging:  # a daemon that never answers
        hanging.bind(str(body._runtime / SOCKET))
        hanging.listen()
        assert main(["--config", str(file), "stop"]) == 0
    assert "stopped; the robot stands still" in capsys.readouterr().out
    assert body.state().stopped


def test_stop_needs_no_connection(body: RobotBody) -> None:
    body.robot.close()
    send_stop(body._runtime, "a test")
    body.restart_what_died()
    assert body.state().stopped
