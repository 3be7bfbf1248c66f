"""What time it is, by the clock."""

from datetime import datetime

import pytest

from daemon.imitation.english.clock_questions import told_by_clock

NOW = datetime(2026, 11, 22, 14, 5)


@pytest.mark.parametrize(
    "asked",
    ["what time is it", "What's the time, please?", "could you tell me what time it is", "do you have the time?",
     "tell me the time", "what time is it now"],
)  # fmt: skip
def test_the_time_is_told(asked: str) -> None:
    assert told_by_clock(asked, NOW) == "It is 14:05."


@pytest.mark.parametrize(
    "asked", ["what day is it", "what's the date today?", "which day is it", "what is the date", "what is today's date"]
)
def test_the_day_is_told(asked: str) -> None:
    assert told_by_clock(asked, NOW) == "Today is Sunday, 22 November 2026."


@pytest.mark.parametrize(
    "other", ["what time did I ask for the tea", "it is time to go", "what is the timer", "bring me the clock"]
)
def test_nothing_else_is_a_question_for_the_clock(other: str) -> None:
    assert told_by_clock(other, NOW) == ""
