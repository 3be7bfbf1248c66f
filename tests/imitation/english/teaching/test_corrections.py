"""What a correction asks for (the sentences are ours, not those of a bench)."""

import pytest

from daemon.imitation.english.teaching.corrections import REMEMBER, read_correction
from daemon.imitation.english.teaching.routines import edited


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("wrong, on the table, and never do that again", f"put the cup on the table; {REMEMBER}"),
        ("no, on the shelf", "put the cup on the shelf"),
        ("no, bring me the spoon, and remember that", f"bring me the spoon; {REMEMBER}"),
        ("put it into the sink instead, and remember that", f"put it into the sink instead; {REMEMBER}"),
    ],
)
def test_what_is_to_be_done_now_comes_before_what_is_to_be_remembered(said, meaning):
    correction = read_correction(said)
    assert correction is not None
    assert correction.meaning("cup") == meaning


@pytest.mark.parametrize("said", ["bring me the cup", "no problem", "where is the cup?", "thank you"])
def test_an_ordinary_sentence_is_no_correction(said):
    assert read_correction(said) is None


@pytest.mark.parametrize(
    ("change", "result"),
    [
        ("", "2 apple slices and 3 pear slices on a plate"),
        (" but with one apple slice", "1 apple slice and 3 pear slices on a plate"),
        (" without pear", "2 apple slices on a plate"),
        (", and one bowl", "2 apple slices, 3 pear slices and 1 bowl on a plate"),
    ],
)
def test_a_routine_is_changed_for_once_by_what_is_said_behind_its_name(change, result):
    assert edited("2 apple slices and 3 pear slices on a plate", change) == result


def test_what_nobody_counted_is_left_out_too():
    assert edited("the milk, the bowl and the spoon", ", but without the bowl") == "the milk and the spoon"
    assert edited("the milk and the bowl", " please") == "the milk and the bowl"
