"""`heed eyes sheet | calibrate | look | check`: tags to print, how the camera sees, one look stage by stage, a touch.

calibrate and look open the camera themselves, so heed must not run; with `--pictures` they read files instead.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from camera.calibration import (
    LEAST_VIEWS,
    VIEWS,
    Board,
    View,
    board_view,
    calibrate_lens,
    calibrate_mount,
    chessboard_view,
    new_views,
)
from camera.camera import FILES, Driver, Frame, Shot, open_driver, picture_files, read_shot
from camera.description import CameraDescription, describe_camera
from camera.detector import Detector
from camera.detector_description import VISION, describe_detectors
from camera.drawn_look import write_look
from camera.fit import square, tag_middle
from camera.lens import Floats, Lens, load_lens, save_lens
from camera.look import Look, Looker
from camera.mount import Mount
from camera.sheet import as_pdf, as_svg, board_page, tag_pages
from camera.tags import Picture, TagDetector
from camera.trouble import EyesError, NoPictureError
from daemon.cli.hand_eye import FAR, HandAndEye, check, checks_file, mount_line, show_poses, told_hand_eye
from daemon.config import Config
from daemon.service.control import CommandError, running_in
from hw.client import Robot
from hw.description import load_description
from hw.state import HardwareError

PATIENCE = 120.0
"""Seconds in which a person shows the sheet from all sides."""
WARM_UP = 10
"""Pictures until a camera's exposure has settled."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What stood on the command line."""

    what: str = ""
    """calibrate: "lens" or "mount"."""
    ids: str = "0-11"
    size: float = 40.0
    """Millimetres of a black square."""
    board: bool = False
    out: Path | None = None
    pictures: Path | None = None
    chessboard: str = ""
    at: tuple[float, float, float] | None = None
    square: float = 0.0
    """Millimetres of a black square of the board, as they were measured on the paper; 0: as it should have been."""
    arm: str = ""
    """calibrate hand, check: its name; the first one where none is given."""
    tag: int = 0
    """calibrate hand, check: which tag; `size` is that of its black square."""
    surface: float | None = None
    """look: metres above the floor at which things stand, for detectors."""


def use_camera(action: str, options: Options, config: Config, tell: Tell = print) -> int:
    """Carry out one of ACTIONS; returns the exit status. Raises CommandError with a hint."""
    try:
        return ACTIONS[action](options, config, tell)
    except (EyesError, HardwareError) as error:
        raise CommandError(str(error).partition(" (hint:")[0], error.hint) from error
    except OSError as error:
        raise CommandError(str(error)) from error


def _sheet(options: Options, config: Config, tell: Tell) -> int:
    out = options.out or Path("calibration.pdf" if options.board else "tags.pdf")
    pages = [board_page(Board())] if options.board else tag_pages(_ids(options.ids), options.size)
    if out.suffix == ".svg":
        if len(pages) > 1:
            raise CommandError(f"an SVG has one page, but these tags take {len(pages)}", "write a .pdf, or fewer --ids")
        out.write_text(as_svg(pages[0]), encoding="utf-8")
    else:
        out.write_bytes(as_pdf(pages))
    tell(f"{out}: print it at 100 %, on matt paper, and measure a black square: that is its size in robot.toml")
    return 0


def _calibrate(options: Options, config: Config, tell: Tell) -> int:
    camera = _camera(config, options)
    if options.what == "lens":
        lens = _found_lens(options, camera, tell)
        save_lens(camera.lens, lens)
        tell(f"{camera.lens}: {lens.fx:.0f} pixels of focal length, off by {lens.rms:.2f} pixels on average")
        return 0
    if options.what == "mount":
        mount, residual = _found_mount(options, camera, tell)
        tell(f"off by {residual:.2f} pixels on average. Write below [eyes] of the robot's description:")
        tell(mount_line(mount))
        return 0
    if options.what == "hand":
        with _hand_and_eye(options, config, camera) as robot:
            for line in told_hand_eye(robot, show_poses(robot, tell, input)):
                tell(line)
        return 0
    raise CommandError("heed eyes calibrate needs to know what", "heed eyes calibrate lens, mount, or hand")


def _check(options: Options, config: Config, tell: Tell) -> int:
    camera = _camera(config, options)
    with _hand_and_eye(options, config, camera) as robot:
        return 1 if check(robot, checks_file(camera), tell, input) > FAR else 0


@contextmanager
def _hand_and_eye(options: Options, config: Config, camera: CameraDescription) -> Iterator[HandAndEye]:
    """Reach heed-hw. Raises HardwareError where it does not run, CommandError where something is not measured yet."""
    if camera.mount is None:
        raise CommandError("the mount is not measured at all", "measure it by hand, or: heed eyes calibrate mount")
    arms = load_description(config.body.robot_file(config.folder), config.runtime_directory).arms
    arm = next((arm for arm in arms if arm.name == (options.arm or arms[0].name)), None) if arms else None
    if arm is None:
        raise CommandError(f"there is no arm {options.arm!r}", f"there are: {', '.join(each.name for each in arms)}")
    name, lens, detector = arm.name, load_lens(camera.lens), TagDetector(decimate=1.0)
    with Robot(running_in(config.runtime_directory)) as robot:
        see = partial(_tag_before, camera, lens, detector, options)
        yield HandAndEye(arm, camera.mount, lambda: robot.state().arms[name], see)


def _tag_before(camera: CameraDescription, lens: Lens, detector: TagDetector, options: Options) -> Floats:
    """Return where the middle of the tag is, camera's frame; raises EyesError where it is not in view."""
    picture = _still(camera).picture
    found = next((tag for tag in detector.find(picture) if tag.id == options.tag), None)
    height, width = picture.shape
    lens = lens.of(width, height)
    middle = found and tag_middle(square(options.size / 1000), lens.straighten(found.corners), lens)
    if found is None or middle is None:
        raise EyesError(f"tag {options.tag} is not in view")
    return np.asarray(middle)


def _look(options: Options, config: Config, tell: Tell) -> int:
    camera = _camera(config, options)
    lens, lens_trouble = _lens(camera)
    shot = _still(camera)
    height, width = shot.picture.shape
    tell(f"camera   {camera.device}: {width}x{height} pixels")
    tell(f"lens     {lens_trouble or camera.lens}")
    tell(f"mount    {camera.mount or 'not measured: heed eyes calibrate mount'}")
    models = [Detector(described) for described in describe_detectors(config.models_directory / VISION)]
    for model in models:
        tell(f"detector {model.described.model.name}: {model.described.licence}")
    looker, began = Looker(camera, lens, TagDetector(), models), time.process_time()
    look = looker.look(Frame(shot.picture, shot.at, False, shot.colour, shot.depth), options.surface, thorough=True)
    for line in _told(look):
        tell(line)
    tell(f"took     {(time.process_time() - began) * 1000:.0f} ms of processor time")
    if options.out:
        write_look(look, camera.names, options.out)
        tell(f"picture  {options.out}")
    return 1 if look.trouble else 0


ACTIONS: dict[str, Callable[[Options, Config, Tell], int]] = {
    "sheet": _sheet,
    "calibrate": _calibrate,
    "look": _look,
    "check": _check,
}


def _told(look: Look) -> Iterator[str]:
    """Yield what each stage of a look found, a line each."""
    yield f"picture  {look.trouble or 'fine'}"
    tags = ", ".join(f"{tag.id} ({tag.side:.0f} pixels, sureness {tag.margin:.0f})" for tag in look.found)
    yield f"tags     {tags or 'none'}"
    for thing in look.things:
        x, y, z = thing.position
        where = f"{x:.3f} m ahead, {abs(y):.3f} m {'left' if y >= 0 else 'right'}, {z:.3f} m up"
        fit = look.fits.get(thing.name)
        yield f"sees     {thing.name}: {where}, to {thing.sigma * 1000:.0f} mm" + (
            f"; its corners are off by {fit.residual:.2f} pixels" if fit else ""
        )
    if base := look.base:
        heading, sag = math.degrees(base.theta), math.degrees(base.sag[0])
        where = f"{base.x:.3f}, {base.y:.3f} m on the map, turned {heading:.1f} degrees"
        yield f"stands   {where}, to {base.sigma * 1000:.0f} mm"
        yield f"         the head looks {abs(sag):.1f} degrees {'lower' if sag >= 0 else 'higher'} than its mount says"
    for sentence in look.unknown:
        yield f"unknown  {sentence}"


def _camera(config: Config, options: Options) -> CameraDescription:
    """The camera as robot.toml describes it, or the files that were named instead."""
    if config.body.robot == "sim":
        raise CommandError(
            "the simulated robot has no camera", "name your robot.toml as robot in [body] of config.toml"
        )
    file = config.body.robot_file(config.folder)
    table = load_description(file, config.runtime_directory).table
    eyes = dict(table.get("eyes", {}))
    if options.pictures:
        eyes["device"] = f"{FILES}{options.pictures}"
    return describe_camera({**table, "eyes": eyes}, file)


def _lens(camera: CameraDescription) -> tuple[Lens | None, str]:
    try:
        return load_lens(camera.lens), ""
    except EyesError as error:
        return None, str(error)


def _found_lens(options: Options, camera: CameraDescription, tell: Tell) -> Lens:
    views: list[View] = []
    size = camera.width, camera.height
    detector = TagDetector(decimate=1.0)
    tell(f"show the sheet from {VIEWS} sides: near and far, in all corners of the picture, tilted each time")
    for picture in (shot.picture for shot in _shots(camera)):
        size = picture.shape[1], picture.shape[0]
        view = _chessboard(options, picture) if options.chessboard else board_view(detector.find(picture), Board())
        if view and len(kept := new_views([*views, view], size[0])) > len(views):
            views = kept
            tell(f"view {len(views)} of {VIEWS}")
        if len(views) >= VIEWS and not camera.device.startswith(FILES):
            break
    if len(views) < LEAST_VIEWS and not camera.device.startswith(FILES):
        tell("the time is over")
    return calibrate_lens(views, size)


def _found_mount(options: Options, camera: CameraDescription, tell: Tell) -> tuple[Mount, float]:
    if options.at is None:
        raise CommandError(
            "where the sheet lies is not known",
            "--at X Y Z: its middle, metres ahead, to the left, and above the floor",
        )
    picture = _still(camera).picture
    view = board_view(TagDetector(decimate=1.0).find(picture), Board().printed(options.square / 1000))
    if view is None:
        raise EyesError(
            "the sheet is not in view", "heed eyes sheet --board prints it; heed eyes look shows what is seen"
        )
    height, width = picture.shape
    return calibrate_mount(view, load_lens(camera.lens).of(width, height), options.at)


def _chessboard(options: Options, picture: Picture) -> View | None:
    try:
        columns, rows = (int(number) for number in options.chessboard.split("x"))
    except ValueError as error:
        raise CommandError(f"{options.chessboard!r} is no chessboard", "count its inner corners: 9x6") from error
    return chessboard_view(picture, columns, rows)


def _shots(camera: CameraDescription) -> Iterator[Shot]:
    """Every picture of a folder once; else what the camera sees until the time is over."""
    if camera.device.startswith(FILES):
        for file in picture_files(Path(camera.device.removeprefix(FILES))):
            yield read_shot(file, time.time())
        return
    ends = time.monotonic() + PATIENCE
    driver = _opened(camera)
    with closing(driver):
        while time.monotonic() < ends:
            if (shot := driver.read()) is not None:
                yield shot


def _still(camera: CameraDescription) -> Shot:
    """One picture, once the exposure has settled."""
    for number, shot in enumerate(_shots(camera), start=1):
        if number >= WARM_UP or camera.device.startswith(FILES):
            return shot
    raise NoPictureError(f"there is no picture from {camera.device}", "is it plugged in, and a picture?")


def _opened(camera: CameraDescription) -> Driver:
    driver = open_driver(camera.device, camera.width, camera.height, camera.fps)
    try:
        driver.open()
    except EyesError as error:
        raise EyesError(str(error).partition(" (hint:")[0], "end heed first, if it runs: it has the camera") from error
    return driver


def _ids(text: str) -> list[int]:
    """Read "0-11,17". Raises CommandError."""
    try:
        ends = [part.split("-") for part in text.split(",")]
        return [id for end in ends for id in range(int(end[0]), int(end[-1]) + 1)]
    except ValueError as error:
        raise CommandError(f"{text!r} are no ids", "--ids 0-11, or --ids 3,5,8") from error


def options_of(given: Any) -> Options:
    """Return the options that were parsed from the command line."""
    names = ("what", "ids", "size", "board", "out", "pictures", "chessboard", "square", "surface", "arm", "tag")
    at = tuple(given.at) if given.at else None
    return replace(Options(), at=at, **{name: getattr(given, name) for name in names})
