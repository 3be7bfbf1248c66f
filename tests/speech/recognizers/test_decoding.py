"""How far one text is ahead of the others."""

import math

import pytest

from daemon.speech.recognizers.decoding import margin


def test_another_meaning_is_farther_away_than_an_article() -> None:
    found = [("open the door", 2.9), ("open door", 2.8), ("open the doors", 2.7), ("close the door", 2.5)]
    assert margin("open the door", found) == pytest.approx(0.4)
    assert margin("close the door", found) < 0.0
    assert margin("open door", found[:3]) == math.inf
