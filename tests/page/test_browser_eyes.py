"""The page in a real browser while a robot sees MuJoCo's pixels: what is recognised is drawn (make test-page)."""

import ctypes.util
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.body.pixel_trials import taught_places
from daemon.memory.place_book import PlaceBook
from tests.page.browser import Browser, is_installed
from tests.page.running_heed import Heed
from tests.support.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not is_installed(), reason="apt-get install chromium chromium-driver"),
    pytest.mark.skipif(
        find_spec("mujoco") is None or ctypes.util.find_library("EGL") is None,
        reason="the extra `sim` is not installed, or nothing renders here",
    ),
]
PATIENCE = 240.0
"""Seconds: rendering, a browser and a heed beside others."""
GREEN = """
const picture = document.getElementById('picture'), canvas = document.createElement('canvas')
canvas.width = picture.naturalWidth; canvas.height = picture.naturalHeight
const pen = canvas.getContext('2d')
pen.drawImage(picture, 0, 0)
const data = pen.getImageData(0, 0, canvas.width, canvas.height).data
let green = 0
for (let at = 0; at < data.length; at += 4) green += data[at + 1] > 130 && data[at] < 90 && data[at + 2] < 90
return green
"""
"""How many pixels of the picture have the colour of what was recognised."""


@pytest.fixture(scope="module")
def page() -> Iterator[Browser]:
    with tempfile.TemporaryDirectory(prefix="heed-") as name:
        folder = Path(name)
        with closing(PlaceBook(folder / "memory.sqlite")) as book:
            for place in taught_places():
                book.keep(place)
        heed, browser = Heed(folder, 'eyes = "pixels"'), Browser()
        try:
            browser.open(heed.link)
            until(lambda: browser.text("#doing").startswith("waits"), PATIENCE)
            yield browser
            if "PICTURES" in os.environ:
                browser.picture(Path(os.environ["PICTURES"]) / "eyes.png")
        finally:
            browser.close()
            heed.close()


def labels(page: Browser) -> list[str]:
    return page.texts("#scene text")


def go(page: Browser, place: str) -> None:
    walks = len(page.texts("#walks tbody tr"))
    page.type("#text", f"go to the {place}")
    until(lambda: len(page.texts("#walks tbody tr")) > walks, PATIENCE)
    until(lambda: page.text("#doing").startswith("waits"), PATIENCE)


def test_what_is_seen_and_what_is_remembered_are_on_the_map_and_drawn_into_the_picture(page: Browser) -> None:
    go(page, "counter")
    until(lambda: "water" in labels(page), PATIENCE)
    until(lambda: any(text.startswith("tags: ± ") and "ago" in text for text in labels(page)), PATIENCE)
    assert page.texts("#scene .sure") == [""]
    until(lambda: not page.run("return document.getElementById('room').hidden"), PATIENCE)
    page.click("#room summary")
    until(lambda: page.run("return document.getElementById('picture').naturalWidth") == 640, PATIENCE)
    until(lambda: page.run(GREEN) > 100, PATIENCE)
    go(page, "table")
    until(lambda: any(text.startswith("water, ") and text.endswith("ago") for text in labels(page)), PATIENCE)
    assert page.complaints() == []
