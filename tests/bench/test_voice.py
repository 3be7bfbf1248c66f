"""What the bench of the ear counts."""

from pathlib import Path

import numpy as np
import pytest

from bench.report import BenchError
from bench.voice.clips import in_room, offset, read_clips, sensible
from bench.voice.counting import word_errors
from bench.voice.stops import _after
from bench.voice.unexpected import KITCHEN, kitchen_sentences
from daemon.speech.spoken_words import spoken_words
from sim.scene import Scene as SimulatedScene
from skills.scene import Scene

RATE = 16000


def test_words_are_counted_as_in_every_word_error_rate() -> None:
    assert word_errors(["turn", "on", "the", "light"], ["turn", "off", "the"]) == 2
    assert word_errors([], ["yes"]) == 1
    assert word_errors(["yes"], []) == 1


def test_a_scene_has_names_numbers_and_opposites() -> None:
    said = sensible(["turn on the Bed Light", "set a timer for 5 minutes"], ["Bed Light", "TV"])
    assert {"turn on the tv", "turn off the bed light", "set a timer for six minutes"} <= said


def test_a_word_ends_where_it_is_loud_last() -> None:
    sound = np.zeros(RATE, np.int16)
    sound[4000:8000] = 10000
    assert offset(sound) == 8000
    noisy = in_room(sound, np.random.default_rng(0).normal(0, 100, 3 * RATE).astype(np.int16), 20)
    assert 500 < noisy[:4000].std() < 1500


def test_what_came_during_the_word_took_no_time_and_what_came_much_later_is_not_counted() -> None:
    assert _after(RATE, [10.9], 10.0) == 0.0
    assert _after(RATE, [11.2, 11.4], 10.0) == pytest.approx(200)
    assert _after(RATE, [14.0], 10.0) is None


def test_a_heed_in_its_kitchen_expects_examples_and_things_of_the_scene() -> None:
    expected = kitchen_sentences(Scene.from_observation(SimulatedScene.load(KITCHEN).observe()))
    assert "where is the juice" in {" ".join(spoken_words(sentence)) for sentence in expected}
    assert len(expected) > 300


def test_a_folder_without_clips_is_told(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="--data DIR"):
        read_clips(tmp_path)
