"""heed-eyes: sees with a camera and printed tags, and tells heed. `python -m camera --robot robot.toml --runtime DIR`

A process of its own, because camera libraries block and crash (docs/decisions/camera.md). It has no way to the motors:
it sends what docs/eyes.md describes to eyes.sock, several times a second, and at once when heed asks for a look.
"""

import argparse
import logging
import os
import signal
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

from camera.camera import Camera, open_driver
from camera.description import CameraDescription, describe_camera
from camera.drawn_look import WIDEST, write_look
from camera.eyes_socket import Link
from camera.lens import Lens, load_lens
from camera.look import Look, Looker
from camera.tags import TagDetector
from camera.trouble import EyesError, package
from hw.state import HardwareError

log = logging.getLogger("heed-eyes")

PERIOD = 0.35
"""Seconds between two looks that nobody asked for: what was seen is present for one second."""
NEXT_PICTURE = 0.6
"""Seconds that a look waits for a picture; with PERIOD less than the second after which heed calls a sender silent."""
NICENESS = 5
"""The ear and the voice come first."""
MOST = 200
"""Things in one message."""
HUNG_STATUS = 3
SEEN = "seen.png"
"""The picture that heed wished to see, in its runtime directory."""
WISH = 3.0
"""Seconds for which a wish for a look is worth repeating: heed has given up by then."""


class Watch:
    """Looks again and again, and tells."""

    def __init__(self, looker: Looker, camera: Camera, link: Link, show: Callable[[Look], None]) -> None:
        """`show` is given the next look whenever heed wishes to see a picture."""
        self._show = show
        self._shows = False
        self._looker = looker
        self._camera = camera
        self._link = link
        self._seen_at = 0.0
        """When the newest picture was taken that was looked at, Unix seconds."""
        self._wished_at = -WISH
        """time.monotonic() of the last wish that is not fulfilled."""
        self._trouble = ""

    def turn(self) -> None:
        """Wait until a look is due or wished for, look, and tell what came of it."""
        due = time.monotonic() + PERIOD
        while (left := due - time.monotonic()) > 0:
            if not self._link.connect():
                time.sleep(min(left, 0.05))
            elif self._wished(left):
                break
        if self._link.connected:
            self._tell(self._look())

    def _wished(self, seconds: float) -> bool:
        """Return whether a fresh look is wanted now."""
        at_once = False
        for told in self._link.lines(seconds):
            if told.get("type") == "look":
                self._wished_at, at_once = time.monotonic(), True
                self._seen_at = time.time()
            elif told.get("type") == "picture":
                self._shows = at_once = True
            elif "ignored" in told:  # the base had not come to rest: the next picture may count
                at_once = at_once or time.monotonic() - self._wished_at < WISH
            elif told.get("ok"):
                self._wished_at = -WISH
            elif "error" in told:
                log.warning("heed does not take what is seen: %s", told["error"])
        return at_once

    def _look(self) -> Look | str:
        try:
            frame = self._camera.after(self._seen_at, NEXT_PICTURE)
            self._seen_at = frame.at
            return self._looker.look(frame)
        except EyesError as error:
            return str(error).partition(" (hint:")[0]

    def _tell(self, look: Look | str) -> None:
        trouble = look if isinstance(look, str) else look.trouble
        if self._shows and isinstance(look, Look):
            self._shows = False
            self._show(look)
        if trouble != self._trouble:
            log.warning("%s", trouble or "it sees again")
            self._trouble = trouble
        if isinstance(look, str) or look.trouble:
            self._link.send("frame", time.time() if isinstance(look, str) else look.frame.at, ok=False, why=trouble)
            return
        things = [thing.message() for thing in look.things[:MOST]]
        self._link.send("objects", look.frame.at, frame="robot", source="tag", objects=things)
        if look.places:
            places = [place.message() for place in look.places]
            self._link.send("places", look.frame.at, frame="robot", places=places)
        for door in look.doors:
            self._link.send("door", look.frame.at, frame="robot", **door.message())
        if base := look.base:
            pose, covariance = [base.x, base.y, base.theta], base.covariance.ravel().tolist()
            self._link.send("base", look.frame.at, pose=pose, covariance=covariance)


def main(arguments: list[str] | None = None) -> int:
    """Run until the end of whoever started it. Returns 1 where there is nothing to see with."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="heed-eyes: %(message)s")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: os._exit(0))  # libapriltag's clean-up at the end of a process may crash
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")  # it warns of each camera that is not there
    parent = os.getppid()
    try:
        description = read_description(options.robot)
        package("cv2").setNumThreads(1)
        detector = TagDetector()
    except (EyesError, HardwareError) as error:
        print(f"heed-eyes: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    os.nice(NICENESS)
    camera = Camera(
        open_driver(options.device or description.device, description.width, description.height, description.fps)
    )
    looker, show = Looker(description, _lens(description), detector), _showing(description, options.runtime)
    watch = Watch(looker, camera, Link(options.runtime), show)
    while os.getppid() == parent:
        watch.turn()
        if camera.hung:
            print("heed-eyes: the camera has hung; heed-eyes ends, to be started afresh", file=sys.stderr, flush=True)
            os._exit(HUNG_STATUS)
    os._exit(0)


def read_description(file: Path) -> CameraDescription:
    """Read [eyes] of a robot description. Raises HardwareError naming what is wrong."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise HardwareError(f"{file} is no robot description: {error}", "see docs/hardware.md") from error
    return describe_camera(table, file)


def _showing(description: CameraDescription, runtime: Path) -> Callable[[Look], None]:
    """Return what writes a look as a picture to where heed finds it; a full disk is survived."""

    def show(look: Look) -> None:
        try:
            write_look(look, description.names, runtime / SEEN, WIDEST)
        except EyesError as error:
            log.warning("%s", error)

    return show


def _lens(description: CameraDescription) -> Lens | None:
    try:
        return load_lens(description.lens)
    except EyesError as error:
        log.warning("%s", error)
        return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="heed-eyes", description="Sees with a camera and printed tags.")
    parser.add_argument("--robot", type=Path, required=True, help="robot description with a section [eyes]")
    parser.add_argument("--runtime", type=Path, required=True, help="directory of heed's sockets")
    parser.add_argument("--device", default="", help="another device than the description's")
    return parser


if __name__ == "__main__":
    sys.exit(main())
