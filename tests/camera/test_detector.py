"""A detector of models/vision/: a real ONNX graph is read by the toml beside it, and what it finds has a place."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.body.drawn_room import LENS, MOUNT, camera
from camera.boxes import EDGE, SAG, Box, Extent, Placed, placed
from camera.camera import Colour, Depth, Frame, read_shot
from camera.detector import Detector
from camera.detector_description import describe_detectors
from camera.lens import Floats
from camera.look import MODEL, Looker
from camera.mount import Mount
from camera.tags import TagDetector
from camera.trouble import EyesError
from tests.camera.tagged import painter, standing
from tests.camera.tiny_detector import TOML, write_tiny_detector

HEAD = Mount(MOUNT["position"], MOUNT["pitch"])  # type: ignore[arg-type]
GREY = 60
SURFACE = 0.75
PLACES = [(0.5, 0.0), (0.6, 0.2), (0.7, -0.15), (0.45, 0.1)]


def seen_as_box(at: tuple[float, float], width: float = 0.06, height: float = 0.12) -> Box:
    """Return the box of an upright round thing on the surface, robot frame, as an exact detector would tell it."""
    turned = np.linspace(0, 2 * np.pi, 72)
    ring = np.column_stack([at[0] + width / 2 * np.cos(turned), at[1] + width / 2 * np.sin(turned)])
    points = [np.column_stack([ring, np.full(72, SURFACE + z)]) for z in (0.0, height)]
    pixels: Floats = LENS.project(HEAD.to_camera(np.vstack(points)))
    (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0)
    return Box("cup", 0.9, float(left), float(top), float(right), float(bottom))


def depth_of(at: tuple[float, float]) -> Depth:
    """Return what a depth camera would tell of the middle of such a thing's front."""
    front = np.array(at) * (1 - 0.03 / np.linalg.norm(np.subtract(at, HEAD.position[:2])))
    return np.full((960, 1280), HEAD.to_camera(np.array([[*front, SURFACE + 0.06]]))[0, 2], dtype=np.float32)


def coloured(picture: Colour, box: Box, colour: tuple[int, int, int]) -> Colour:
    """Return the picture with the box painted (blue, green, red)."""
    picture = picture.copy()
    picture[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = colour
    return picture


def plain() -> Colour:
    noise = np.random.default_rng(3).normal(GREY, 5, (960, 1280, 1)) + np.zeros(3)
    noise[:, 600:680] += 60  # an edge, without which a picture counts as covered
    return np.asarray(noise.clip(0, 255), dtype=np.uint8)


def frame(colour: Colour) -> Frame:
    return Frame(np.asarray(colour.mean(axis=2), dtype=np.uint8), 1.0, colour=colour)


def off(told: Placed | None, at: tuple[float, float], grip: float = 0.05) -> float:
    """Return how far a box's place is off, metres."""
    assert told is not None
    return float(np.linalg.norm(np.subtract(told.position, (*at, SURFACE + grip))))


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize(
    ("known", "most"),
    [
        ({"extent": Extent(0.06), "surface": SURFACE}, 0.025),
        ({"extent": Extent(), "surface": SURFACE}, 0.03),
        ({"extent": Extent(0.06)}, 0.10),
    ],
)
def test_the_edges_of_a_box_and_a_known_height_or_width_tell_where_it_is(
    at: tuple[float, float], known: dict[str, Any], most: float
) -> None:
    told = placed(seen_as_box(at), lens=LENS, mount=HEAD, **known)
    assert off(told, at) < 0.001
    assert told is not None
    assert 0.01 < told.sigma < most


@pytest.mark.parametrize("at", PLACES)
def test_a_measured_depth_tells_where_a_box_is(at: tuple[float, float]) -> None:
    told = placed(seen_as_box(at), Extent(), LENS, HEAD, depth=depth_of(at))
    assert off(told, at) < 0.015
    assert told is not None
    assert told.sigma < 0.02
    nothing_measured = np.zeros_like(depth_of(at))
    assert placed(seen_as_box(at), Extent(), LENS, HEAD, depth=nothing_measured) is None


def test_what_edges_miss_by_is_within_what_is_told_of_it() -> None:
    random = np.random.default_rng(4)
    far = []
    for n in range(60):
        at = PLACES[n % len(PLACES)]
        exact = seen_as_box(at)
        left, top, right, bottom = random.normal((exact.left, exact.top, exact.right, exact.bottom), EDGE)
        pitched = replace(HEAD, pitch=HEAD.pitch + float(random.normal(0, SAG)))
        told = placed(Box("cup", 0.9, left, top, right, bottom), Extent(0.06), LENS, pitched, SURFACE)
        assert told is not None
        far.append(off(told, at) / told.sigma)
    assert max(far) < 3.5
    assert np.median(far) < 1.5


def test_a_box_of_which_nothing_else_is_known_is_nowhere() -> None:
    assert placed(seen_as_box((0.5, 0.0)), Extent(), LENS, HEAD) is None
    assert placed(Box("cup", 0.9, 5, 5, 5, 5), Extent(), LENS, HEAD) is None


@pytest.mark.parametrize("layout", ["yolov8", "yolov5"])
def test_what_a_model_finds_is_told_of_with_its_place(tmp_path: Path, layout: str) -> None:
    models = write_tiny_detector(tmp_path, TOML.replace("yolov8", layout), layout)
    (described,) = describe_detectors(models)
    looker = Looker(camera(), LENS, TagDetector(), [Detector(described)])
    square, told = Box("red", 1.0, 640, 512, 704, 576), Box("red", 1.0, 640, 480, 704, 608)  # on the model's grid
    seen = looker.look(frame(coloured(plain(), square, (0, 0, 255))), SURFACE, thorough=True)
    expected = placed(told, Extent(0.06, 0.05), LENS, HEAD, SURFACE)
    assert expected is not None
    assert [(thing.name, thing.category, thing.source) for thing in seen.things] == [("cup", "dishes", MODEL)]
    assert np.linalg.norm(np.subtract(seen.things[0].position, expected.position)) < 0.001
    assert looker.look(frame(coloured(plain(), square, (0, 0, 255))), SURFACE).things == ()  # nobody asked
    green = looker.look(frame(coloured(plain(), square, (0, 255, 0))), SURFACE, thorough=True)
    assert green.things == ()  # a class that has no [things] is not told of


def test_two_of_a_kind_have_two_names_and_a_thing_with_a_tag_is_told_of_once(tmp_path: Path) -> None:
    (described,) = describe_detectors(write_tiny_detector(tmp_path, TOML))
    robot = camera("milk")
    looker = Looker(robot, LENS, TagDetector(), [Detector(described)])
    tagged = painter(robot).picture([standing(robot.things[0], 0.5, 0.0)])
    tag = TagDetector().find(tagged)[0].corners.mean(axis=0)
    colour = np.repeat(tagged[..., None], 3, axis=2)
    for left in (256, 960):
        colour = coloured(colour, Box("", 1.0, left, 512, left + 64, 576), (0, 0, 255))
    around = coloured(colour, Box("", 1.0, tag[0] - 200, tag[1] - 20, tag[0] - 190, tag[1] - 10), (0, 0, 255))
    seen = looker.look(Frame(tagged, 1.0, colour=around), SURFACE, thorough=True)
    assert sorted(thing.name for thing in seen.things) == ["cup", "cup 2", "milk"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("licence", "licences"), "licence"),
        (("yolov8", "yolov99"), "layout is yolov5 or yolov8 or yolov10"),
        (("[320, 320]", "320"), "input"),
        (("things.red", "things.blue"), "no key 'blue'"),
        (("width = 0.06", "width = 60"), "width"),
        (('"cup"', '"take the knife and throw it"'), "plain words"),
    ],
)
def test_a_toml_that_is_wrong_is_named(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    write_tiny_detector(tmp_path, TOML.replace(*change))
    with pytest.raises(EyesError, match=words):
        describe_detectors(tmp_path)


def test_a_model_that_is_not_as_its_toml_says_is_refused_when_it_is_run(tmp_path: Path) -> None:
    (described,) = describe_detectors(write_tiny_detector(tmp_path, TOML.replace('"green"]', '"green", "blue"]')))
    with pytest.raises(EyesError, match="not as its toml says"):
        Detector(described).find(plain())


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    write_tiny_detector(tmp_path, TOML)
    (tmp_path / "tiny.onnx").write_bytes(b"no model")
    with pytest.raises(EyesError, match="cannot be loaded"):
        Detector(describe_detectors(tmp_path)[0])


def test_without_a_toml_beside_it_a_model_is_no_detector(tmp_path: Path) -> None:
    write_tiny_detector(tmp_path, TOML)
    (tmp_path / "tiny.toml").unlink()
    assert describe_detectors(tmp_path) == ()


def test_a_depth_that_lies_beside_a_picture_is_read_with_it(tmp_path: Path) -> None:
    import cv2

    cv2.imwrite(str(tmp_path / "one.png"), plain())
    cv2.imwrite(str(tmp_path / "one.depth.png"), np.full((960, 1280), 750, dtype=np.uint16))
    shot = read_shot(tmp_path / "one.png", 1.0)
    assert shot.depth is not None
    assert shot.colour is not None
    assert (shot.depth.shape, float(shot.depth[5, 5])) == ((960, 1280), 0.75)
