import numpy as np
import pytest

from daemon.llm.agreement import Agreement, Comparison, measured_tokens

SURE = np.array([5.0, 0.0, 0.0], np.float32)
OTHER = np.array([0.0, 5.0, 0.0], np.float32)


def test_the_same_logits_agree_wholly_whatever_their_offset():
    comparison = Comparison()
    comparison.add([SURE, OTHER], [SURE + 3, OTHER])
    result = comparison.result()
    assert (result.tokens, result.share) == (2, 1.0)
    assert result.divergence == pytest.approx(0, abs=1e-6)
    assert result.passed


def test_one_in_ten_is_too_much():
    comparison = Comparison()
    comparison.add([SURE] * 10, [SURE] * 9 + [OTHER])
    assert comparison.result().share == 0.9
    assert not comparison.result().passed


def test_the_same_choice_with_other_certainty_is_not_enough():
    comparison = Comparison()
    comparison.add([SURE] * 10, [SURE / 10] * 10)
    assert comparison.result().share == 1
    assert not comparison.result().passed


def test_no_comparison_proves_nothing():
    assert not Comparison().result().passed


def test_a_result_survives_as_bytes():
    assert Agreement.unpacked(Agreement(7, 0.99, 0.01).packed()) == Agreement(7, 0.99, 0.01)


def test_what_the_model_writes_is_measured_and_what_it_is_told_is_not():
    pieces = [
        b"# Example\n",
        b">>>",
        b" say",
        b"(1)",
        b"\n",
        b"'succ",
        b"ess'\n",
        b">>>",
        b" x\n",
        b"...",
        b" y",
        b"\n",
    ]
    predicted = [pieces[i + 1] for i in measured_tokens(pieces)]
    assert predicted == [b" say", b"(1)", b"\n", b" x\n", b" y", b"\n"]


def test_text_without_statements_is_measured_as_a_whole():
    assert measured_tokens([b"a", b"b", b"c"]) == [0, 1]
