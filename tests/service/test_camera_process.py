"""heed-eyes as a child: what it ends with is told, and it is started again, later each time."""

import os
import signal
import time
from pathlib import Path

from bench.body.drawn_room import robot_with_eyes
from daemon.service.camera_process import HUNG, CameraProcess, missing_packages
from tests.support.waiting import until


def test_one_that_ends_is_told_of_and_started_again_after_a_pause(tmp_path: Path) -> None:
    robot = tmp_path / "robot.toml"
    robot.write_text("[eyes]\n")  # heed-eyes names what is missing, and ends
    camera = CameraProcess(robot, tmp_path)
    assert not camera.mend()  # it was never started
    camera.start()
    first, ends = camera.pid, time.monotonic() + 20
    while not camera.trouble() and time.monotonic() < ends:
        time.sleep(0.01)
    assert "ended with status 1" in camera.trouble()
    while not camera.mend() and time.monotonic() < ends:
        time.sleep(0.01)
    assert camera.pid not in (None, first)
    assert not camera.mend()
    camera.close()
    camera.close()


def test_one_that_hangs_is_ended_so_that_it_can_be_started_again(tmp_path: Path) -> None:
    camera = CameraProcess(robot_with_eyes(tmp_path, "juice"), tmp_path)
    camera.start()
    assert camera.pid
    os.kill(camera.pid, signal.SIGSTOP)
    assert not camera.mend(silent=1.0)
    assert camera.trouble() == ""
    camera._started_at -= HUNG + 1.0  # it has lived so long
    assert not camera.mend(silent=HUNG + 1.0)
    ends = time.monotonic() + 20
    while not camera.trouble() and time.monotonic() < ends:
        time.sleep(0.01)
    assert f"ended with status {-signal.SIGKILL}" in camera.trouble()
    camera.close()


def test_one_that_leaks_is_ended_so_that_it_can_be_started_again(tmp_path: Path) -> None:
    camera = CameraProcess(robot_with_eyes(tmp_path, "juice"), tmp_path, most_memory=1e6)  # less than any Python holds
    camera.start()
    until(lambda: not camera.mend() and camera.trouble())
    assert f"ended with status {-signal.SIGKILL}" in camera.trouble()
    until(camera.mend)
    assert camera.trouble() == ""
    camera.close()


def test_what_is_missing_is_named() -> None:
    assert missing_packages() == []
