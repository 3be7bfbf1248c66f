"""Tags that are drawn are found, with their corners in the one order that everything else relies on."""

import numpy as np
import pytest

from camera.tags import TAGS, TagDetector, drawn
from camera.trouble import EyesError

SIDE = 20


def page(id: int, turned: int = 0) -> np.ndarray:
    """A tag on white paper, its black square from pixel (170, 120) on, turned anticlockwise so many quarters."""
    paper = np.full((400, 500), 255, dtype=np.uint8)
    paper[100:300, 150:350] = np.kron(np.rot90(drawn(id), turned), np.ones((SIDE, SIDE), dtype=np.uint8))
    return paper


@pytest.mark.parametrize("id", [0, 7, 300, TAGS - 1])
def test_the_corners_of_an_upright_tag_begin_at_its_top_left_and_go_clockwise(id: int) -> None:
    [found] = TagDetector(decimate=1.0).find(page(id))
    left, top, right, bottom = 169.5, 119.5, 329.5, 279.5  # edges lie between the middles of pixels
    assert found.id == id
    assert found.corners == pytest.approx(
        np.array([(left, top), (right, top), (right, bottom), (left, bottom)]), abs=0.2
    )


def test_a_tag_that_is_turned_takes_its_corners_along() -> None:
    [upright], [turned] = (TagDetector(decimate=1.0).find(page(7, quarters)) for quarters in (0, 1))
    assert turned.corners == pytest.approx(np.roll(upright.corners, 1, axis=0), abs=0.2)


def test_noise_holds_no_tags() -> None:
    random = np.random.default_rng(1)
    pictures = (random.integers(0, 256, (480, 640), dtype=np.uint8) for _ in range(10))
    assert not [found for picture in pictures for found in TagDetector().find(picture)]


def test_a_tag_that_does_not_exist_is_refused() -> None:
    with pytest.raises(EyesError, match="0 to 586"):
        drawn(TAGS)
