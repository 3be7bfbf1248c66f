"""How words sound: looked up, guessed, or honestly unknown."""

import logging
from pathlib import Path

import pytest

from daemon.speech.pronunciation import dictionary, from_ipa


@pytest.fixture
def cmudict(tmp_path: Path) -> Path:
    file = tmp_path / "cmudict"
    file.write_text("cup K AH P\nread R EH D\nread(2) R IY D\n", encoding="utf-8")
    return file


def test_known_words_keep_all_their_pronunciations(cmudict: Path) -> None:
    assert dictionary(["read", "cup"], cmudict) == "cup K AH P\nread R EH D\nread(2) R IY D\n"


def test_a_new_name_is_guessed(cmudict: Path) -> None:
    assert "zorbulon Z AO R B Y UH L AH N" in dictionary(["zorbulon"], cmudict)


def test_each_of_several_new_names_gets_its_own_guess(cmudict: Path) -> None:
    assert dictionary(["blick", "snop"], cmudict) == "blick B L IH K\nsnop S N AA P\n"


def test_a_word_that_nobody_can_say_is_left_out_and_logged(cmudict: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert dictionary(["cup", "ⴰⴱ"], cmudict) == "cup K AH P\n"
    assert "will not be heard" in caplog.text


def test_sounds_of_espeak_become_sounds_of_the_recogniser() -> None:
    assert from_ipa("lædɚ") == "L AE D ER"
    assert from_ipa("tʃiːz") == "CH IY Z"
    assert from_ipa("?") == ""
