"""What is printed is found again, as large as it says."""

import re

import numpy as np
import pytest

from camera.calibration import Board
from camera.sheet import HEIGHT, WIDTH, Page, Square, as_pdf, as_svg, board_page, tag_pages
from camera.tags import TagDetector
from camera.trouble import EyesError

DOTS = 8
"""Per millimetre."""


def printed(page: Page) -> np.ndarray:
    """What a printer would make of the squares."""
    paper = np.full((int(HEIGHT * DOTS), int(WIDTH * DOTS)), 255, dtype=np.uint8)
    for mark in page:
        if isinstance(mark, Square):
            x, y, cell = (round(value * DOTS) for value in (mark.x, mark.y, mark.side / 8))
            paper[y : y + 8 * cell, x : x + 8 * cell] = np.kron(mark.cells, np.ones((cell, cell), dtype=np.uint8))
    return paper


def test_the_tags_of_a_page_are_found_in_their_size() -> None:
    [page] = tag_pages(range(6), 40.0)
    found = TagDetector().find(printed(page))
    assert [tag.id for tag in found] == list(range(6))
    assert all(tag.side == pytest.approx(40 * DOTS, abs=1) for tag in found)


def test_all_tags_of_the_board_are_where_the_board_says() -> None:
    board = Board()
    found = {tag.id: tag for tag in TagDetector().find(printed(board_page(board)))}
    assert sorted(found) == list(board.ids)
    for id, tag in found.items():
        x, y, _ = board.corners(id).T * 1000
        on_paper = np.column_stack([WIDTH / 2 + x, HEIGHT / 2 - y]) * DOTS - 0.5
        assert tag.corners == pytest.approx(on_paper, abs=1.0)


def test_many_tags_take_many_pages_and_what_fits_no_page_is_refused() -> None:
    assert len(tag_pages(range(100), 40.0)) > 4
    for side in (1.0, 200.0):
        with pytest.raises(EyesError, match="does not fit"):
            tag_pages([0], side)


def test_a_pdf_says_where_its_objects_begin() -> None:
    file = as_pdf(tag_pages(range(30), 40.0))
    start = int(re.search(rb"startxref\n(\d+)", file)[1])
    assert file[start : start + 4] == b"xref"
    begins = [int(number) for number in re.findall(rb"(\d{10}) 00000 n", file)]
    assert all(file[begin:].startswith(b"%d 0 obj" % number) for number, begin in enumerate(begins, start=1))
    assert b"black squares: 40 mm" in file


def test_an_svg_has_the_size_of_the_paper() -> None:
    assert 'width="210mm" height="297mm"' in as_svg(board_page(Board()))
