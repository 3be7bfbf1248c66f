"""A lens and a mount are found again from drawn pictures of the sheet; views that tell too little are refused."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bench.body.drawn_pictures import Conditions, Painter, Standing
from bench.body.drawn_room import LENS
from camera.calibration import Board, View, board_view, calibrate_lens, calibrate_mount, chessboard_view, new_views
from camera.lens import Floats, Lens, load_lens, save_lens
from camera.mount import Mount, turn
from camera.printed_tags import Tag, TaggedThing
from camera.tags import TagDetector
from camera.trouble import EyesError

BOARD = Board()
BENT = replace(LENS, fx=700.0, fy=698.0, cx=630.0, cy=470.0, distortion=(-0.2, 0.05, 0.0, 0.0, 0.0))
CAMERA = Mount((0.0, 0.0, 0.0))


class Sheet(Standing):
    """The board, held before a camera that looks along x."""

    def __init__(self, middle: tuple[float, float, float], tilt: float = 0.0, swing: float = 0.0) -> None:
        tags = tuple(Tag(id, BOARD.size, "board", (0, 0, 0)) for id in BOARD.ids)
        super().__init__(TaggedThing("board", "board", tags, (0, 0, 0)), middle, 0.0)
        object.__setattr__(self, "turned", turn("z", swing) @ turn("y", tilt))

    def corners(self):
        for id in BOARD.ids:
            right, up, _ = BOARD.corners(id).T
            upright = np.column_stack([np.zeros(4), -right, up])
            yield id, upright @ self.turned.T + self.position


def corners_of(sheet: Sheet, lens: Lens) -> View:
    """The view of a sheet without a picture, to the exact pixel."""
    points = np.vstack([BOARD.corners(id) for id in BOARD.ids])
    seen = CAMERA.to_camera(np.vstack([corners for _, corners in sheet.corners()]))
    return View(points, lens.project(seen))


def many(ahead: float = 0.45) -> list[Sheet]:
    where = [(y, z) for y in (-0.22, 0.0, 0.22) for z in (-0.12, 0.1)]
    return [Sheet((ahead, y, z), 0.5 * (-1) ** n, 0.6 * (n % 3 - 1)) for n, (y, z) in enumerate(where * 2)]


def test_a_lens_is_found_from_drawn_pictures() -> None:
    painter = Painter(BENT, CAMERA, Conditions(blur=0.7, noise=3.0))
    pictures = (painter.picture([sheet]) for sheet in many()[:8])
    views = [view for picture in pictures if (view := board_view(TagDetector().find(picture), BOARD))]
    lens = calibrate_lens(views, BENT.size)
    assert (lens.fx, lens.fy) == pytest.approx((BENT.fx, BENT.fy), rel=0.01)
    assert (lens.cx, lens.cy) == pytest.approx((BENT.cx, BENT.cy), abs=8)
    middle = np.array([[200.0, 150.0], [1100.0, 800.0]])
    assert lens.straighten(middle) == pytest.approx(BENT.straighten(middle), abs=8)
    assert lens.rms < 0.6


def test_a_chessboard_will_do() -> None:
    board = np.kron(np.indices((7, 10)).sum(axis=0) % 2, np.ones((60, 60))) * 200 + 30
    picture = np.full((700, 900), 230, dtype=np.uint8)
    picture[140:560, 150:750] = board
    view = chessboard_view(picture, 9, 6)
    assert view is not None
    ends = sorted(map(tuple, view.pixels[[0, -1]].round(1)))  # whichever end it begins with is the same to a lens
    assert np.array(ends) == pytest.approx(np.array([(209.5, 199.5), (689.5, 499.5)]), abs=0.2)


@pytest.mark.parametrize(
    ("sheets", "words"),
    [
        (many()[:3], "too few"),
        ([Sheet((1.5, 0.01 * n, 0.0), 0.5, 0.1 * n) for n in range(8)], "all corners"),
        ([Sheet((0.4, 0.06 * (n - 4), 0.05 * (n % 3 - 1))) for n in range(9)], "tilt the sheet"),
    ],
)
def test_views_that_tell_too_little_are_refused(sheets: list[Sheet], words: str) -> None:
    random = np.random.default_rng(3)
    views = [corners_of(sheet, LENS) for sheet in sheets]
    rough = [View(view.points, view.pixels + random.normal(0, 0.3, view.pixels.shape)) for view in views]
    with pytest.raises(EyesError, match=words):
        calibrate_lens(rough, LENS.size)


def test_a_sheet_that_was_not_moved_is_one_view() -> None:
    still = corners_of(Sheet((0.5, 0.0, 0.0)), LENS)
    moved = corners_of(Sheet((0.5, 0.1, 0.0)), LENS)
    assert len(new_views([still, still, moved, moved], 1280)) == 2


def test_a_mount_is_found_from_a_sheet_that_lies_before_the_robot() -> None:
    mount = Mount((0.11, 0.02, 1.30), 0.75, 0.04, -0.03)
    painter = Painter(LENS, mount, Conditions())

    class Lying(Sheet):
        def corners(self):
            for id in BOARD.ids:
                right, up, _ = BOARD.corners(id).T
                yield id, np.column_stack([0.60 + up, 0.05 - right, np.full(4, 0.72)])

    view = board_view(TagDetector(decimate=1.0).find(painter.picture([Lying((0, 0, 0))])), BOARD)
    assert view is not None
    found, residual = calibrate_mount(view, LENS, (0.60, 0.05, 0.72))
    assert math.dist(found.position, mount.position) < 0.015
    assert (found.pitch, found.yaw, found.roll) == pytest.approx((0.75, 0.04, -0.03), abs=0.015)
    assert residual < 0.5
    place: Floats = np.array([[0.6, -0.2, 0.8]])
    assert found.to_robot(mount.to_camera(place)) == pytest.approx(place, abs=0.004)


def test_a_lens_outlives_its_file_and_a_broken_file_says_what_to_do(tmp_path) -> None:
    save_lens(tmp_path / "robot.lens.json", BENT)
    assert load_lens(tmp_path / "robot.lens.json") == BENT
    for text in ("", "{}", '{"size": [1280, 960], "fx": "x"}', '{"size": [1,1],"fx":1,"fy":1,"cx":0,"cy":0}'):
        (tmp_path / "broken.json").write_text(text)
        with pytest.raises(EyesError, match="heed eyes calibrate lens"):
            load_lens(tmp_path / "broken.json")
    with pytest.raises(EyesError, match="there is no lens"):
        load_lens(tmp_path / "none.json")


def test_a_lens_serves_smaller_pictures_of_the_same_shape() -> None:
    half = LENS.of(640, 480)
    assert half.fx == pytest.approx(LENS.fx / 2)
    assert half.cx == pytest.approx(319.5)
    with pytest.raises(EyesError, match="another shape"):
        LENS.of(640, 360)
