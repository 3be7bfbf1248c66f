"""`heed bench eyes` in a minute's tenth: the drawn pictures are good enough for the figures to mean something."""

import argparse

import pytest

from bench.body.eyes import run
from bench.report import Options


@pytest.mark.whole
def test_tags_in_drawn_pictures_are_found_to_the_millimetre_and_none_is_invented() -> None:
    report = run(Options(quiet=True, own=argparse.Namespace(pictures=6, fetches=0)))
    figures = {name: value or 0.0 for name, value in report.figures.items()}
    assert figures["found"] > 0.8
    assert figures["grip_error_mm_p50"] < 2.0
    assert figures["grip_error_mm_p95"] < 8.0
    assert figures["false_detections"] == 0
    assert report.cases > 20
