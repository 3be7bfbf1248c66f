"""Text as it is spoken."""

import pytest

from daemon.speech.spoken_words import content_words, spoken_words, written


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("What's on the table?", "what's on the table"),
        ("it’s 21% of 3.05 m", "it's twenty one percent of three point zero five m"),
        ("1000000 0 19 100 1100 999999", "one zero zero zero zero zero zero zero nineteen one hundred "
         "one thousand one hundred nine hundred ninety nine thousand nine hundred ninety nine"),
        ("red_cup & blue-cup", "red cup and blue cup"),
        ("5 1/2 or 2½ hours, 1/4 of 11/2", "five and a half or two and a half hours quarter of eleven two"),
        ("😀 ... !", ""),
    ],
)  # fmt: skip
def test_text_becomes_the_words_that_a_person_would_say(text: str, spoken: str) -> None:
    assert " ".join(spoken_words(text)) == spoken


def test_the_speaker_is_written_with_a_capital() -> None:
    assert written(["i", "think", "i'm", "in"]) == "I think I'm in"


def test_articles_and_plurals_change_no_command_and_all_else_does() -> None:
    assert content_words("What's the time") == content_words("what is time")
    assert content_words("set a timer for one minutes") == content_words("set timer for 1 minute")
    assert content_words("turn on the lights") != content_words("turn off the lights")


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("where's my banana", "where is my banana"),
        ("I'm here and they're not", "i am here and they are not"),
        ("don't, you can't, it won't", "do not you can not it will not"),
        ("let's say we'll see", "let us say we will see"),
    ],
)
def test_a_contraction_means_what_it_stands_for(short: str, long: str) -> None:
    assert content_words(short) == content_words(long)
