"""Sentences that are said aloud, held beside the same ones typed."""

import argparse
from pathlib import Path

import pytest

from bench.report import Options
from bench.suites.talk import Came
from bench.voice import spoken
from tests.speech.conftest import require_sound_server

TEA, JUICE, STILL = (
    {"say": ["Bring me the tea."], "id": "a1", "moved": {"tea": "person"}},
    {"say": ["The juice, please."], "id": "a2", "moved": {"juice": "person"}},
    {"say": ["Where is the cup?"], "id": "a3", "moved": {}, "said": "shelf"},
)


def test_what_only_the_ear_does_is_told_apart_from_what_the_mind_does() -> None:
    typed = [
        Came({"tea": "person"}, True, "Here is the tea.", (), 0),
        Came({}, False, "Which juice?", (), 0),
        Came({}, False, "It is on the shelf.", (), 0),
    ]
    said = [
        (Came({}, False, "Did you mean: bring me the tea?", (), 0), "ring me the tea"),
        (Came({}, False, "Which juice?", (), 0), "the juice please"),
        (Came({"cup": "person"}, True, "Here is the cup.", (), 0), "bear is the cup"),
    ]
    found = spoken.figures([TEA, JUICE, STILL], typed, said)
    assert found["typed.right"] == pytest.approx(2 / 3)
    assert found["spoken.of_typed"] == found["spoken.right"] == 0
    assert found["asked_by_ear"] == found["heard_word_for_word"] == pytest.approx(1 / 3)
    assert found["done_wrong_by_ear"] == found["spoken.wrong_deeds"] == 1


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_sentence_is_said_to_a_whole_heed(tmp_path: Path) -> None:
    require_sound_server()
    file = tmp_path / "one.json"
    file.write_text('{"cases": [{"id": "a1", "say": ["Go to the fridge."], "moved": {}, "at": "fridge"}]}')
    found = spoken.run(Options(data=file, quiet=True, own=argparse.Namespace(show=False))).figures
    assert found["spoken.right"] == found["typed.right"] == found["heard_word_for_word"] == 1
