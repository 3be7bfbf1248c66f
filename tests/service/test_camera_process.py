"""heed-eyes as a child: what it ends with is told, and it is started again, later each time."""

import time
from pathlib import Path

from daemon.service.camera_process import CameraProcess, missing_packages


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


def test_what_is_missing_is_named() -> None:
    assert missing_packages() == []
