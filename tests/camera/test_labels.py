"""Words on packages: what they are on, and how heed-eyes reads them only when heed asks."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bench.body.drawn_room import LENS, MOUNT
from camera.boxes import Box
from camera.labels import LabelReader, can_read_labels, read_words
from camera.mount import Mount
from camera.names import plain
from camera.observation import Observation
from camera.placed_labels import placed_labels
from camera.tags import Picture
from tests.support.waiting import until

HEAD = Mount(MOUNT["position"], MOUNT["pitch"])  # type: ignore[arg-type]
JUICE = Observation("juice", "drink", (0.50, 0.10, 0.85), 0.002)
SURFACE = 0.75


def word_at(point: tuple[float, float, float], text: str = "honey") -> Box:
    x, y = LENS.project(HEAD.to_camera(np.array([point])))[0]
    return Box(text, 0.9, x - 20, y - 6, x + 20, y + 6)


def test_a_word_is_on_the_thing_that_stands_there() -> None:
    on_its_front = word_at((0.47, 0.11, 0.80), "orange juice")
    (label,) = placed_labels([on_its_front], [JUICE], LENS, HEAD, SURFACE)
    assert label.message() == {"text": "orange juice", "confidence": 0.9, "on": "juice"}


def test_a_word_on_nothing_that_is_known_has_a_place_that_is_told_to_be_unsure() -> None:
    (label,) = placed_labels([word_at((0.45, -0.20, SURFACE + 0.06))], [JUICE], LENS, HEAD, SURFACE)
    assert label.position is not None
    assert np.linalg.norm(np.subtract(label.position[:2], (0.45, -0.20))) < label.sigma
    assert 0.03 < label.sigma < 0.10


def test_without_a_known_height_a_word_on_nothing_is_nowhere() -> None:
    (label,) = placed_labels([word_at((0.45, -0.20, 0.8))], [JUICE], LENS, HEAD, None)
    assert label.message() == {"text": "honey", "confidence": 0.9}


def test_printed_words_become_names() -> None:
    assert [plain(text) for text in ("ORANGE  JUICE!", "Crème-fraîche", "7-UP")] == [
        "orange juice", "cr me fra che", "7 up",
    ]  # fmt: skip


class Told(LabelReader):
    """Reads what a file of words says, without rapidocr; all of the rest is the reader's own."""

    module = "tests.camera.told_words"


def test_a_reader_reads_beside_its_owner_and_leaves_no_picture(tmp_path: Path) -> None:
    reader = Told(tmp_path)
    picture = np.full((40, 60), 77, dtype=np.uint8)
    reader.begin(picture)
    assert reader.busy
    words: list[Any] = []
    until(lambda: bool(words.append(reader.words())) or words[-1] is not None)
    assert words[-1] == [Box("grey 77", 1.0, 0.0, 0.0, 60.0, 40.0)]
    assert not reader.busy
    assert list(tmp_path.iterdir()) == []


def labelled(*texts: str) -> Picture:
    """A picture with labels as a package has them, blurred and noisy."""
    picture = np.full((960, 1280), 120, dtype=np.uint8)
    for number, text in enumerate(texts):
        at = 200 + 350 * (number % 3), 300 + 250 * (number // 3)
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
        cv2.rectangle(picture, (at[0] - 20, at[1] - height - 20), (at[0] + width + 20, at[1] + 20), 235, -1)
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 20, 2)
    noise = np.random.default_rng(1).normal(0, 4, picture.shape)
    return np.asarray((cv2.GaussianBlur(picture, (0, 0), 0.8) + noise).clip(0, 255), dtype=np.uint8)


@pytest.mark.skipif(not can_read_labels(), reason='the extra "labels" is not installed')
def test_rapidocr_reads_labels_of_sixteen_pixels_with_the_weights_of_its_package() -> None:
    words = read_words(labelled("ORANGE JUICE", "Honey", "SALT", "Tomato soup", "MILK"))
    assert {word.name for word in words} == {"orange juice", "honey", "salt", "tomato soup", "milk"}
    (honey,) = [word for word in words if word.name == "honey"]
    assert honey.holds((600, 293))
    assert read_words(np.full((480, 640), 120, dtype=np.uint8)) == []
