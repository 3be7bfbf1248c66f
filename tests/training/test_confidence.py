"""What a threshold is worth: rows that can be counted by hand, and real statements of our small model."""

from pathlib import Path

from daemon.config import LlmConfig
from daemon.llm.llama import LlamaModel
from training.confidence import Guess, guesses, table

HEED_SMALL = Path(__file__).parents[2] / "models" / "heed-small" / "heed-small.gguf"


def test_each_row_counts_what_is_as_sure_as_that() -> None:
    found = [Guess(0.6, False, True, False), Guess(0.96, True, True, False), Guess(0.97, True, False, False)]
    rows = {row["confidence"]: row for row in table([*found, Guess(0.2, False, False, True)])}
    assert (rows[0.0]["right"], rows[0.0]["right_of_moves"], rows[0.0]["no_statement"]) == (0.5, 0.5, 1)
    assert (rows[0.95]["share"], rows[0.95]["right"], rows[0.95]["share_of_moves"]) == (0.5, 1.0, 0.5)
    assert rows[0.5]["wrong_moves"] == 1
    assert rows[0.999]["right"] is None


def test_what_the_small_model_is_sure_of_is_right_more_often() -> None:
    model = LlamaModel(HEED_SMALL, LlmConfig(threads=1, confidence=1.0))
    try:
        found = list(guesses(model, 1))
    finally:
        model.close()
    sure = [guess.right for guess in found if guess.confidence >= 0.95]
    assert len(found) > 30
    assert sum(sure) / len(sure) > sum(guess.right for guess in found) / len(found)
