"""When a rule of some times only holds: by the clock, or by what somebody says."""

from datetime import datetime

import pytest

from daemon.memory.recurring_times import holds

SUNDAY = "2026-11-22 "


@pytest.mark.parametrize(
    ("time", "clock", "then"),
    [
        ("", "03:00", True),
        ("in the evening", "19:30", True),
        ("in the evening", "09:00", False),
        ("at night", "02:00", True),
        ("on Sundays", "09:00", True),
        ("on Mondays", "09:00", False),
        ("on Saturdays at night", "02:00", True),
        ("on Sundays at night", "02:00", False),
        ("on Sundays in the morning", "13:00", False),
        ("at the weekend", "13:00", True),
        ("on weekdays", "13:00", False),
        ("after dinner", "20:00", False),
        ("when the moon is full", "23:00", False),
    ],
)
def test_the_clock_tells(time: str, clock: str, then: bool) -> None:
    assert holds(time, datetime.fromisoformat(SUNDAY + clock)) is then


@pytest.mark.parametrize(
    ("time", "said", "then"),
    [
        ("in the evening", "good evening, my coffee please", True),
        ("in the evening", "good morning! my coffee please", False),
        ("in the evening", "it's already evening, bring me the coffee", True),
        ("in the morning", "it's evening, bring me the coffee", False),
        ("at night", "the book for tonight, please", True),
        ("in the morning", "bring me the evening paper", True),
        ("after dinner", "after dinner I would like the coffee", True),
    ],
)
def test_what_is_said_goes_before_the_clock(time: str, said: str, then: bool) -> None:
    assert holds(time, datetime.fromisoformat(SUNDAY + "09:00"), said) is then
