"""Whether words name a time."""

import pytest

from daemon.console.reminder_time import is_by_the_clock, names_a_time


@pytest.mark.parametrize(
    "words", ["at 7am", "bring it at 7 am", "seven am sharp", "3 pm", "half past six", "at twelve"]
)
def test_a_time_by_the_clock(words: str) -> None:
    assert names_a_time(words)
    assert is_by_the_clock(words)


@pytest.mark.parametrize("words", ["I am so thirsty", "good morning", "twelve cups, please", "where am I"])
def test_no_time(words: str) -> None:
    assert not names_a_time(words)
    assert not is_by_the_clock(words)


def test_a_day_is_a_time_but_none_by_the_clock() -> None:
    assert names_a_time("take it out on Monday")
    assert not is_by_the_clock("take it out on Monday")
