"""How many of something people say."""

import pytest

from daemon import phrasebook
from daemon.console.counts import counts_in


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Two cups, 3 spoons and one bowl", [2, 3, 1]),
        ("the cups and a bowl", []),
        ("twofold, cup_2 and number 12345", []),
        ("0 or twelve", [0, 12]),
    ],
)
def test_numbers_are_found_in_their_order(text: str, counts: list[int]) -> None:
    assert counts_in(text) == counts


def test_they_are_found_in_the_language_in_use() -> None:
    phrasebook.use_language("de")
    try:
        assert counts_in("zwei Becher, a bowl and three spoons") == [2, 3]
    finally:
        phrasebook.use_language("en")
