"""A camera that goes and comes back, and heed-eyes as a process: it tells, it waits, and it ends with its parent."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.body.drawn_room import LENS, ROOT, camera, robot_with_eyes
from camera.camera import Camera, PictureFiles, Webcam, open_driver
from camera.eyes_socket import Link
from camera.lens import save_lens
from camera.tags import Picture
from camera.trouble import NoPictureError
from daemon.eyes.other_programs import OutsideEyes
from hw.state import ArmState, HardwareError, Pose2D, RobotState, TipPose
from tests.camera.tagged import painter, standing


def until(is_so: Callable[[], object], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


DESCRIBED = camera("juice")
PAINTER = painter(DESCRIBED)


@cache
def picture() -> Picture:
    return PAINTER.picture([standing(DESCRIBED.things[0], 0.5, 0.1)])


def draw(file: Path) -> None:
    """Write a picture that is taken now; a sensor's noise never repeats."""
    drawn = picture().copy()
    drawn[0, :8] = np.random.default_rng().integers(0, 255, 8)
    fresh = file.with_suffix(".new.png")
    cv2.imwrite(str(fresh), drawn, [cv2.IMWRITE_PNG_COMPRESSION, 0])
    fresh.replace(file)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    draw(tmp_path / "picture.png")
    return tmp_path / "picture.png"


def test_a_picture_carries_when_it_was_taken(file: Path) -> None:
    before = time.time()
    draw(file)
    eye = Camera(PictureFiles(file, 50))
    frame = eye.after(before, 5.0)
    assert before < frame.at <= time.time()
    assert frame.picture.shape == (960, 1280)
    assert eye.trouble == ""
    eye.close()


@pytest.mark.whole
def test_a_camera_that_is_unplugged_says_so_and_sees_again_when_it_is_back(file: Path) -> None:
    eye = Camera(PictureFiles(file, 50))
    until(lambda: eye.trouble == "")
    file.unlink()
    until(lambda: "gone" in eye.trouble or "no picture" in eye.trouble)
    with pytest.raises(NoPictureError, match=r"no picture|is gone"):
        eye.after(time.time(), 0.1)
    back = time.time()
    draw(file)
    assert eye.after(back, 10.0)
    eye.close()


def test_a_file_that_nobody_writes_any_more_is_a_camera_that_does_not_see(file: Path) -> None:
    eye = Camera(PictureFiles(file, 50))
    eye.after(0.0, 5.0)
    until(lambda: "no picture for" in eye.trouble)
    eye.close()


def test_a_folder_is_shown_round_and_round(tmp_path: Path) -> None:
    for grey in (50, 150):
        cv2.imwrite(str(tmp_path / f"{grey}.png"), np.full((48, 64), grey, dtype=np.uint8))
    driver = open_driver(f"file:{tmp_path}", 64, 48, 1000)
    driver.open()
    assert [int(driver.read().picture[0, 0]) for _ in range(4)] == [150, 50, 150, 50]  # by name


def test_a_webcam_that_is_not_there_is_named() -> None:
    with pytest.raises(NoPictureError, match="is not plugged in"):
        Webcam("/dev/v4l/by-id/none", 640, 480, 15).open()


def test_a_driver_that_breaks_ends_nothing() -> None:
    class Broken:
        def open(self) -> None:
            raise ValueError("an error that nobody thought of")

        def read(self) -> None: ...

        def close(self) -> None: ...

    eye = Camera(Broken())
    until(lambda: eye.trouble == "the camera failed")
    eye.close()


def test_the_wire_is_connected_again_when_heed_is_back(tmp_path: Path) -> None:
    link = Link(tmp_path)
    assert not link.connect()
    for _ in range(2):
        with socket.socket(socket.AF_UNIX) as heed:
            heed.bind(str(tmp_path / "eyes.sock"))
            heed.listen()
            until(link.connect)
            talks, _ = heed.accept()
            link.send("frame", 1.0, ok=True)
            assert json.loads(talks.recv(1000)) == {"v": 1, "type": "frame", "at": 1.0, "ok": True}
            talks.sendall(b'{"ok": true}\nno json\n{"v": 1, "ty')
            assert list(link.lines(5.0)) == [{"ok": True}]
            talks.sendall(b'pe": "look"}\n')
            assert list(link.lines(5.0)) == [{"v": 1, "type": "look"}]
            talks.close()
        (tmp_path / "eyes.sock").unlink()
        assert list(link.lines(5.0)) == []
        assert not link.connected


def body() -> RobotState:
    return RobotState({"left": ArmState((), TipPose(0.4, 0.2, 0.9), 0.0)}, Pose2D())


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    return robot_with_eyes(tmp_path, "juice")


@pytest.fixture
def process(robot: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "camera", "--robot", str(robot), "--runtime", str(robot.parent)]
    started = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    yield started
    started.kill()
    started.communicate()


def test_heed_eyes_waits_for_heed_and_tells_what_it_sees(robot: Path, process: subprocess.Popen[str]) -> None:
    file = robot.parent / "picture.png"
    eyes = OutsideEyes(robot.parent, body, stale=30.0)
    until(lambda: "picture" in eyes.trouble())  # there is none yet
    draw(file)

    def sees() -> list[dict]:
        draw(file)
        return [thing for thing in eyes.observe(body())["objects"] if thing["present"]]

    until(sees)
    [juice] = sees()
    assert juice["name"] == "juice"
    assert juice["position"] == pytest.approx((0.5, 0.1, 0.85), abs=0.01)
    eyes.close()
    process.send_signal(signal.SIGTERM)
    assert process.wait(5) == 0


def test_heed_eyes_says_what_is_wrong_with_its_description(robot: Path) -> None:
    robot.write_text('[eyes]\ndevice = "camera"\n')
    command = [sys.executable, "-m", "camera", "--robot", str(robot), "--runtime", str(robot.parent)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "/dev/v4l/by-id" in ended.stderr


def test_a_lens_of_another_shape_makes_heed_blind_and_not_wrong(robot: Path, process: subprocess.Popen[str]) -> None:
    save_lens(robot.parent / "robot.lens.json", replace(LENS, size=(1280, 720)))
    eyes = OutsideEyes(robot.parent, body)
    until(lambda: draw(robot.parent / "picture.png") or "lens" in eyes.trouble())
    with pytest.raises(HardwareError, match="cannot see"):
        eyes.look(0.5)
    eyes.close()


def test_what_the_daemon_imports_of_it_loads_no_camera_library() -> None:
    code = "import sys, daemon.service.body; print([m for m in ('cv2', 'pyapriltags') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_it_ends_with_whoever_started_it(robot: Path) -> None:
    code = (
        "import subprocess, sys; "
        f"p = subprocess.Popen([sys.executable, '-m', 'eyes', '--robot', {str(robot)!r}, '--runtime', "
        f"{str(robot.parent)!r}], stderr=subprocess.DEVNULL); import time; time.sleep(1.5); print(p.pid, flush=True)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    until(lambda: not Path(f"/proc/{int(told.stdout)}").exists())
