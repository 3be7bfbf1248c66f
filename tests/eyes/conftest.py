"""Eyes that others are, on a socket of their own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.eyes.other_programs import OutsideEyes
from daemon.memory.place_book import Place, PlaceBook
from tests.eyes.sender import Body, Sender


@pytest.fixture
def body() -> Body:
    return Body()


@pytest.fixture
def eyes(tmp_path: Path, body: Body) -> Iterator[OutsideEyes]:
    book = PlaceBook(tmp_path / "m.sqlite")
    book.keep(Place("sink", "surface", 2.0, 0.0, 0.0, 0.9))
    seeing = OutsideEyes(tmp_path, body.state, book)
    yield seeing
    seeing.close()
    book.close()


@pytest.fixture
def sender(eyes: OutsideEyes, tmp_path: Path) -> Iterator[Sender]:
    one = Sender(tmp_path)
    yield one
    one.close()
