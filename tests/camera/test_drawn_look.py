"""The picture that people see: as it was taken, with what was found drawn in."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from camera.camera import Frame
from camera.drawn_look import GREEN, cropped, drawn_look, write_look
from camera.lens import load_lens
from camera.look import Look, Looker
from camera.tags import TagDetector
from camera.trouble import EyesError
from sim.head_camera import read_eyes

EYES = read_eyes(Path(__file__).parents[2] / "sim" / "eyes" / "kitchen.toml")
PICTURE = sorted((Path(__file__).parent / "pictures").glob("*.png"))[0]


@pytest.fixture
def look() -> Look:
    picture = cv2.imread(str(PICTURE), cv2.IMREAD_GRAYSCALE)
    return Looker(EYES, load_lens(EYES.lens), TagDetector()).look(Frame(picture, 1_800_000_000.0))


def test_each_tag_is_framed_and_the_rest_is_as_it_was(look: Look) -> None:
    picture = drawn_look(look, EYES.names)
    assert picture.shape == (*look.frame.picture.shape, 3)
    for tag in look.found:
        x, y = np.round((tag.corners[1] + tag.corners[2]) / 2).astype(int)
        near = picture[y - 2 : y + 3, x - 2 : x + 3]
        assert (near == GREEN).all(axis=2).any()
    assert (picture[-5:] == look.frame.picture[-5:, :, None]).all()


def test_a_picture_for_a_page_is_small_and_one_that_cannot_be_written_says_so(look: Look, tmp_path: Path) -> None:
    write_look(look, EYES.names, tmp_path / "seen.png", widest=640)
    assert cv2.imread(str(tmp_path / "seen.png")).shape[1] == 640
    with pytest.raises(EyesError, match="cannot be written"):
        write_look(look, EYES.names, tmp_path / "nowhere" / "seen.png")


def test_a_thing_is_cut_out_as_it_was_taken_with_what_is_around_its_tags(look: Look) -> None:
    seen = next(EYES.names[tag.id] for tag in look.found if EYES.names.get(tag.id))
    part = cropped(look, EYES.names, seen)
    assert part is not None
    corners = np.concatenate([tag.corners for tag in look.found if EYES.names.get(tag.id) == seen])
    width, height = corners.max(axis=0) - corners.min(axis=0)
    assert part.shape[0] <= 3 * height + 2
    assert width < part.shape[1] <= 3 * width + 2
    found = TagDetector().find(np.ascontiguousarray(part[..., 0]))
    assert seen in {EYES.names.get(tag.id) for tag in found}
    assert cropped(look, EYES.names, "unicorn") is None


def test_what_carries_a_tag_has_its_name(look: Look) -> None:
    assert EYES.names[0] == "juice"
    assert EYES.names[200] == "the wall"
