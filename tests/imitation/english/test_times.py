"""Times and events in a person's words."""

from datetime import UTC, datetime

import pytest

from daemon.imitation.english.time_phrases import read_later, read_when

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""A Friday."""


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("in two minutes", "11-20 12:02"),
        ("in half an hour", "11-20 12:30"),
        ("in a quarter of an hour", "11-20 12:15"),
        ("noon", "11-21 12:00"),
        ("in 90 seconds", "11-20 12:01"),
        ("in an hour and a half", "11-20 13:30"),
        ("at eight", "11-20 20:00"),
        ("at one", "11-20 13:00"),
        ("at eight in the morning", "11-21 08:00"),
        ("at half past seven in the evening", "11-20 19:30"),
        ("at seven fifteen in the evening", "11-20 19:15"),
        ("at ten to seven in the evening", "11-20 18:50"),
        ("at six forty five pm", "11-20 18:45"),
        ("at a quarter to nine", "11-20 20:45"),
        ("at 20:15", "11-20 20:15"),
        ("at 7 pm", "11-20 19:00"),
        ("at noon", "11-21 12:00"),
        ("tomorrow at nine in the morning", "11-21 09:00"),
        ("tomorrow morning", "11-21 08:00"),
        ("tonight", "11-20 20:00"),
        ("tonight at ten", "11-20 22:00"),
        ("every evening at eight", "11-20 20:00"),
        ("every day at seven o'clock in the morning", "11-21 07:00"),
        ("every monday at 10:00", "11-23 10:00"),
        ("every weekday morning at six", "11-23 06:00"),
        ("every morning", "11-21 08:00"),
    ],
)
def test_a_time_is_the_next_one(words: str, due: str) -> None:
    when = read_when(words)
    assert when is not None
    moment = when.next(NOON)
    assert moment is not None
    assert f"{moment:%m-%d %H:%M}" == due


def test_what_is_repeated_comes_again() -> None:
    when = read_when("every evening at eight")
    assert when is not None
    first = when.next(NOON)
    assert first is not None
    assert f"{when.next(first):%m-%d %H:%M}" == "11-21 20:00"


@pytest.mark.parametrize(
    ("text", "words", "what"),
    [
        ("in two minutes bring me the tea", "in two minutes", "bring me the tea"),
        ("Bring me the tea in two minutes, please", "in two minutes", "Bring me the tea"),
        ("bring me the tea in two minutes", "in two minutes", "bring me the tea"),
        ("when I come back, give me the juice", "when I come back", "give me the juice"),
        ("Please give me the juice when I'm back.", "when I'm back", "give me the juice"),
        ("every evening at eight bring me the water", "every evening at eight", "bring me the water"),
        ("remind me in ten minutes to take the medicine", "in ten minutes", "remind me to take the medicine"),
        ("remind me to take the medicine at eight", "at eight", "remind me to take the medicine"),
        ("as soon as I leave close the fridge", "as soon as I leave", "close the fridge"),
        ("close the fridge when it is open", None, None),
        ("put the milk on the table", None, None),
        ("what did I say in two minutes", None, None),
        ("bring me two cups", None, None),
        ("go to the table", None, None),
        ("when I say tea bring me the tea", None, None),
        ("always bring me the cup in the morning", None, None),
    ],
)
def test_a_sentence_about_later_is_told_from_one_about_now(text: str, words: str | None, what: str | None) -> None:
    read = read_later(text)
    assert (read[0].words, read[1]) == (words, what) if read else words is None


@pytest.mark.parametrize("words", ["at ten past noon", "at twenty to midnight", "at half to seven", "at seven half"])
def test_what_no_clock_says_is_no_time(words: str) -> None:
    assert read_when(words) is None


@pytest.mark.parametrize(
    ("text", "what", "minute"),
    [
        ("at eight ten glasses have to be on the table", "ten glasses have to be on the table", 0),
        ("at eight ten, bring me the tea", "bring me the tea", 10),
        ("bring me the tea at eight ten", "bring me the tea", 10),
    ],
)
def test_a_number_of_things_is_no_minute(text: str, what: str, minute: int) -> None:
    later = read_later(text)
    assert later is not None
    assert later[1] == what
    assert later[0].at is not None
    assert later[0].at.minute == minute
