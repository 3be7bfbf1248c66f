"""Camera: pictures with the time at which each was taken, from a V4L2 device or from files.

A read of a camera may block for ten seconds, or return the last picture for ever; so a thread reads, and whoever wants
a picture looks at its age. A camera that was unplugged is opened again every two seconds, by its name in
/dev/v4l/by-id, which stays the same in whatever socket it is plugged.
"""

import logging
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from camera.picture_quality import FrozenWatch
from camera.tags import Picture
from camera.trouble import EyesError, NoPictureError, package

log = logging.getLogger(__name__)

REOPEN = 2.0
"""Seconds between two attempts to open a camera that is gone."""
SILENT = 1.0
"""Seconds without a picture after which the camera does not see."""
HUNG = 15.0
"""Seconds that one read may last; V4L2 gives up after ten by itself."""
FILES = "file:"
PICTURES = (".png", ".jpg", ".jpeg", ".pgm")
DEPTH = ".depth.png"
"""How the name of a picture's depth ends, in the same folder: 16 bits, millimetres, 0 where nothing was measured."""

Colour = NDArray[np.uint8]
"""(height, width, 3): blue, green, red."""
Depth = NDArray[np.float32]
"""(height, width): metres ahead of the lens, 0 where nothing was measured."""


@dataclass(frozen=True)
class Frame:
    """One picture."""

    picture: Picture
    at: float
    """Unix seconds when it was taken."""
    frozen: bool = False
    """It and those before it are one and the same."""
    colour: Colour | None = None
    """The same picture in colour, where the camera has any."""
    depth: Depth | None = None
    """How far away each pixel is, where the camera measures that."""

    @property
    def coloured(self) -> Colour:
        """Return it as a picture in colour, be it of greys."""
        return np.repeat(self.picture[..., None], 3, axis=2) if self.colour is None else self.colour


@dataclass(frozen=True)
class Shot:
    """What a driver gives."""

    picture: Picture
    at: float
    """Unix seconds when it was taken, or had come where nobody knows better."""
    colour: Colour | None = None
    depth: Depth | None = None


class Driver(Protocol):
    """Where pictures come from. One thread calls it."""

    def open(self) -> None:
        """Open it. Raises EyesError, saying what to do."""
        ...

    def read(self) -> Shot | None:
        """Wait for the next picture; None where none came for now. Raises NoPictureError once the camera is gone."""
        ...

    def close(self) -> None: ...


class Camera:
    """The newest picture of a driver, with a thread that reads."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._trouble = "the camera is not open yet"
        self._reading_since = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str:
        """Return what is wrong with the camera; "" while pictures come."""
        with self._changed:
            age = time.time() - self._frame.at if self._frame else 0.0
            return self._trouble or (f"no picture for {age:.0f} s" if age > SILENT else "")

    @property
    def hung(self) -> bool:
        """Return whether a read has lasted so long that only a new process helps."""
        return time.monotonic() - self._reading_since > HUNG

    def after(self, moment: float, seconds: float) -> Frame:
        """Wait for a picture that was taken after `moment` (Unix seconds). Raises NoPictureError when none comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None and self._frame.at > moment, seconds)
            frame = self._frame
        if frame is None or frame.at <= moment:
            raise NoPictureError(self.trouble or f"no new picture came within {seconds:g} s")
        return frame

    def close(self) -> None:
        """End; a read that hangs is left behind."""
        self._ended.set()
        self._thread.join(SILENT)

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._reading_since = time.monotonic()
                self._driver.open()
                self._read()
            except EyesError as error:
                self._tell(str(error))
                log.info("camera: %s", error)
            except Exception:
                self._tell("the camera failed")
                log.exception("the camera failed")
            finally:
                self._driver.close()
            self._ended.wait(REOPEN)

    def _read(self) -> None:
        watch = FrozenWatch()
        while not self._ended.is_set():
            self._reading_since = time.monotonic()
            shot = self._driver.read()
            if shot is not None:
                frozen = watch.is_frozen(shot.picture)
                frame = Frame(shot.picture, shot.at, frozen, shot.colour, shot.depth)
                with self._changed:
                    self._frame, self._trouble = frame, ""
                    self._changed.notify_all()

    def _tell(self, trouble: str) -> None:
        with self._changed:
            self._trouble = trouble
            self._changed.notify_all()


class Webcam:
    """A V4L2 camera by OpenCV. Not tried with a real one (docs/eyes.md)."""

    def __init__(self, device: str, width: int, height: int, fps: float) -> None:
        self._device = device
        self._wanted = width, height, fps
        self._capture: Any = None

    def open(self) -> None:
        cv2 = package("cv2")
        if not Path(self._device).exists():
            raise NoPictureError(
                f"the camera {self._device} is not plugged in", "ls /dev/v4l/by-id shows what there is"
            )
        self._capture = cv2.VideoCapture(str(Path(self._device).resolve()), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise NoPictureError(
                f"the camera {self._device} cannot be opened",
                "is another program using it? are you in the group video?",
            )
        width, height, fps = self._wanted
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter_fourcc(*"MJPG"))  # USB 2 is too slow for raw ones
        for prop, value in (
            (cv2.CAP_PROP_FRAME_WIDTH, width),
            (cv2.CAP_PROP_FRAME_HEIGHT, height),
            (cv2.CAP_PROP_FPS, fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
            (cv2.CAP_PROP_AUTOFOCUS, 0),  # what moves the lens makes its calibration wrong
        ):
            self._capture.set(prop, value)

    def read(self) -> Shot | None:
        worked, picture = self._capture.read()
        if not worked:
            raise NoPictureError(f"the camera {self._device} gives no picture any more: was it unplugged?")
        return Shot(grey(picture), time.time(), None if picture.ndim == 2 else picture)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
        self._capture = None


class PictureFiles:
    """Pictures from disk: one file, read again whenever somebody has written it; or a folder, round and round.

    A picture of a file was taken when the file says so; those of a folder are taken now.
    """

    def __init__(self, path: Path, fps: float) -> None:
        self._path = path
        self._pause = 1.0 / fps
        self._read_last: object = None
        self._next = 0

    def open(self) -> None:
        if not self._path.exists():
            raise NoPictureError(f"there is no picture at {self._path}")
        self._read_last = None

    def read(self) -> Shot | None:
        time.sleep(self._pause)
        if self._path.is_dir():
            files = picture_files(self._path)
            if not files:
                raise NoPictureError(f"there are no pictures in {self._path}", f"they end in {', '.join(PICTURES)}")
            self._next += 1
            return read_shot(files[(self._next - 1) % len(files)], time.time())
        try:
            written = self._path.stat()
        except OSError as error:
            raise NoPictureError(f"the picture {self._path} is gone") from error
        mark = written.st_mtime_ns, written.st_ino
        if mark == self._read_last:
            return None
        self._read_last = mark
        return read_shot(self._path, written.st_mtime)

    def close(self) -> None:
        pass


def open_driver(device: str, width: int, height: int, fps: float) -> Driver:
    """Return the driver of a device as robot.toml names it."""
    if device.startswith(FILES):
        return PictureFiles(Path(device.removeprefix(FILES)), fps)
    return Webcam(device, width, height, fps)


def picture_files(path: Path) -> list[Path]:
    """Return the pictures of a folder, in order; of a file, that one."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file for file in files if file.suffix.lower() in PICTURES and not file.name.endswith(DEPTH)]


def read_shot(file: Path, at: float) -> Shot:
    """Read a picture file, and its depth where there is one. Raises NoPictureError."""
    cv2 = package("cv2")
    picture = cv2.imread(str(file), cv2.IMREAD_ANYCOLOR)
    if picture is None:
        raise NoPictureError(f"{file} is no picture")
    beside = file.with_name(f"{file.stem}{DEPTH}")
    measured = cv2.imread(str(beside), cv2.IMREAD_ANYDEPTH) if beside.exists() else None
    depth = None if measured is None else np.asarray(measured / 1000, dtype=np.float32)
    return Shot(grey(picture), at, None if picture.ndim == 2 else picture, depth)


def grey(picture: Any) -> Picture:
    """Return a picture of OpenCV's (blue, green, red) in grey."""
    if picture.ndim == 2:
        return np.asarray(picture, dtype=np.uint8)
    cv2 = package("cv2")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
