"""heed-eyes: sees with a camera and printed tags, and tells heed. `python -m camera --robot robot.toml --runtime DIR`

A process of its own, because camera libraries block and crash (docs/decisions/camera.md). It has no way to the motors:
it sends what docs/eyes.md describes to eyes.sock, several times a second, and at once when heed asks for a look.
"""

import argparse
import logging
import os
import signal
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from camera.camera import Camera, open_driver
from camera.description import CameraDescription, describe_camera
from camera.detector import Detector
from camera.detector_description import VISION, describe_detectors
from camera.drawn_look import WIDEST, cropped, write_look, write_picture
from camera.eyes_socket import Link
from camera.labels import LabelReader, can_read_labels
from camera.lens import Lens, load_lens
from camera.look import Look, Looker
from camera.tags import TagDetector
from camera.trouble import EyesError, package
from camera.watch import Watch
from hw.state import HardwareError

log = logging.getLogger("heed-eyes")

NICENESS = 5
"""The ear and the voice come first."""
HUNG_STATUS = 3
SEEN, CROP = "seen.png", "crop.png"
"""The picture that heed wished to see, whole and of one thing, in its runtime directory."""


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
        described = describe_detectors(options.models / VISION) if options.models else ()
        models = [Detector(each) for each in described]
    except (EyesError, HardwareError) as error:
        print(f"heed-eyes: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    os.nice(NICENESS)
    camera = Camera(
        open_driver(options.device or description.device, description.width, description.height, description.fps)
    )
    looker, show = Looker(description, _lens(description), detector, models), _showing(description, options.runtime)
    reader = LabelReader(options.runtime) if can_read_labels() else None
    watch = Watch(looker, camera, Link(options.runtime), show, reader)
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


def _showing(description: CameraDescription, runtime: Path) -> Callable[[Look, str], None]:
    """Return what writes a look, or a thing in it, as a picture to where heed finds it; a full disk is survived."""

    def show(look: Look, thing: str) -> None:
        try:
            if not thing:
                write_look(look, description.names, runtime / SEEN, WIDEST)
            elif (part := cropped(look, description.names, thing)) is not None:
                write_picture(part, runtime / CROP)
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
    parser.add_argument("--models", type=Path, help="folder with the owner's model files")
    parser.add_argument("--device", default="", help="another device than the description's")
    return parser


if __name__ == "__main__":
    sys.exit(main())
