"""What kind of correction a sentence is (the sentences are ours, not those of a bench)."""

import pytest

from bench.support.correction_kinds import Level, Refers, level_of, refers_to


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("open the cupboard before you put it in", Level.PLAN),
        ("I prefer the upper drawer", Level.PLAN),
        ("two centimetres further down", Level.SKILL),
        ("tilt your wrist slightly", Level.SKILL),
    ],
)
def test_a_correction_changes_the_plan_or_one_motion(said, level):
    assert level_of(said) is level


@pytest.mark.parametrize(
    ("said", "refers"),
    [
        ("a touch further", Refers.LAST),
        ("that was too high", Refers.LAST),
        ("proceed with the task", Refers.INITIAL),
        ("it slipped, try again", Refers.FAILURE),
        ("five centimetres forward", Refers.NONE),
    ],
)
def test_a_correction_refers_to_what_its_words_say(said, refers):
    assert refers_to(said) is refers
