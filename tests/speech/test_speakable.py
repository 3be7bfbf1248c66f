"""Text as a voice should read it."""

from pathlib import Path

import pytest

from daemon.config import ConfigError
from daemon.speech.speakable import read_lexicon, speakable


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("move_to shelf_2 at 1 m/s", "move to shelf 2 at 1 metre per second"),
        ("21 °C, 3 kg and 1.5 km", "21 degrees Celsius, 3 kilograms and 1.5 kilometres"),
        ("turn by 90°", "turn by 90 degrees"),
        ("50 Hz, 100% & -1 N", "50 hertz, 100 percent and -1 newton"),
        ("3 a day, 2 men, v2, 4 games", "3 a day, 2 men, v2, 4 games"),
        ("Here you are.", "Here you are."),
        ("", ""),
    ],
)
def test_units_and_signs_are_words(text: str, read: str) -> None:
    assert speakable(text) == read


def test_the_owner_decides_how_a_word_sounds(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("# names\n\nROS = ross\nheed=heed\n")
    assert speakable("ROS and ros, not rose", read_lexicon(file)) == "ross and ross, not rose"


@pytest.mark.parametrize("content", [None, "ROS ross\n", "= ross\n"])
def test_a_lexicon_that_cannot_be_read_says_what_to_do(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "words.txt"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ConfigError, match=r"correct the path|write it as"):
        read_lexicon(file)
