"""A heed-eyes that is killed again and again leaves nothing behind in heed: no thread, no open file, no child."""

import os
import signal
import threading
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.body.drawn_room import robot_with_eyes
from daemon.eyes.other_programs import OutsideEyes
from daemon.service.camera_process import CameraProcess
from hw.state import RobotState
from tests.support.waiting import until

pytestmark = pytest.mark.slow

RESTARTS, SETTLED = 100, 5
"""How often it is killed, and after how many times what is open is counted first."""


def left_open() -> tuple[int, int]:
    """Open files and threads of this process."""
    return len(os.listdir("/proc/self/fd")), threading.active_count()


@pytest.mark.timeout(900)
def test_a_hundred_restarts_leave_nothing_open(tmp_path: Path) -> None:
    robot = robot_with_eyes(tmp_path, "cup")
    cv2.imwrite(str(tmp_path / "picture.png"), np.full((960, 1280), 120, np.uint8))
    counted = []
    with closing(OutsideEyes(tmp_path, lambda: RobotState({}))) as eyes:
        for _ in range(RESTARTS):
            seeing = CameraProcess(robot, tmp_path)
            seeing.start()
            until(lambda: eyes.trouble() != "nobody tells me what is seen")
            assert seeing.pid is not None
            os.kill(seeing.pid, signal.SIGKILL)
            until(lambda: eyes.trouble() == "nobody tells me what is seen")
            seeing.close()
            counted.append(left_open())
    assert counted[-1] <= max(counted[:SETTLED])
