"""How sure a model is: first the arithmetic, then the real llama.cpp with models that are sure, or are not."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from daemon.config import LlmConfig
from daemon.llm.answer_confidence import Confidence
from daemon.llm.llama import LlamaModel
from daemon.llm.model import NameScope, Prompt
from tests.llm.tiny_gguf import make_scripted_gguf, make_tiny_gguf

PROMPT = Prompt("You write Python for a robot.\n", (), ">>>")
FOLLOWS = {">>>": " grasp('", " grasp('": "cupboad", "cupboad": "')\n"}


def test_the_least_likely_token_counts() -> None:
    confidence = Confidence()
    assert confidence.least == 1.0
    for weights in ([1, 3], [1, 1, 2], [1, 99]):
        logits = np.log(np.array(weights, np.float32))
        confidence.weigh(logits, int(logits.argmax()), b"x")
    assert math.isclose(confidence.least, 0.5, rel_tol=1e-5)
    confidence.weigh(np.log(np.array([1, 9], np.float32)), 0, b"x")
    assert math.isclose(confidence.least, 0.1, rel_tol=1e-5)


def weighed(*tokens: tuple[bytes, int]) -> float:
    """How sure a model is that gives to each of these tokens this many chances in a hundred."""
    confidence = Confidence()
    for piece, chances in tokens:
        confidence.weigh(np.log(np.array([chances, 100 - chances], np.float32)), 0, piece)
    return round(confidence.least, 3)


def test_of_an_answer_that_does_something_only_that_counts() -> None:
    assert weighed((b" bring('cup')", 80), (b"\n", 95), (b"say('Here", 90), (b" it is.')\n", 20), (b">>>", 60)) == 0.8
    assert weighed((b"say('Yes.", 90), (b"')\nput('cup', 'shelf", 30), (b"')\n", 99)) == 0.3
    assert weighed((b" say('Hello", 90), (b" there.')\n", 20), (b">>>", 60)) == 0.2


def test_logits_of_any_size_are_fine() -> None:
    confidence = Confidence()
    confidence.weigh(np.array([1e4, -1e4], np.float32), 0, b"x")
    assert confidence.least == 1.0
    confidence.weigh(np.array([1e4, -1e4], np.float32), 1, b"x")
    assert confidence.least == 0.0


@pytest.fixture
def start() -> Iterator[Callable[..., LlamaModel]]:
    """Starts models and closes them after the test."""
    models: list[LlamaModel] = []

    def start(file: Path, **settings: float) -> LlamaModel:
        models.append(LlamaModel(file, LlmConfig(**{"threads": 1, "confidence": 0.5} | settings)))  # type: ignore[arg-type]
        return models[-1]

    yield start
    for model in models:
        model.close()


def test_a_model_tells_how_sure_it_was(start: Callable[..., LlamaModel], tmp_path: Path) -> None:
    sure = start(make_scripted_gguf(tmp_path / "sure.gguf", FOLLOWS))
    unsure = start(make_scripted_gguf(tmp_path / "unsure.gguf", FOLLOWS, sure=False))
    assert sure.complete(PROMPT) == unsure.complete(PROMPT) == " grasp('cupboad')\n"
    assert sure.confidence is not None
    assert unsure.confidence is not None
    assert sure.confidence > 0.999
    assert 0.85 < unsure.confidence < 0.95


def test_what_a_mask_ruled_out_makes_it_unsure(start: Callable[..., LlamaModel], tmp_path: Path) -> None:
    model = start(make_scripted_gguf(tmp_path / "sure.gguf", FOLLOWS))
    scope = NameScope(frozenset({("grasp", 0, "thing")}), {"thing": ("cup",)})
    assert model.complete(Prompt(PROMPT.base, (), ">>>", lambda: scope)) == " grasp('cup'"
    assert model.confidence is not None
    assert model.confidence < 0.01


def test_where_nobody_wants_to_know_it_is_not_computed_and_the_text_is_the_same(
    start: Callable[..., LlamaModel], tmp_path: Path
) -> None:
    file = make_tiny_gguf(tmp_path / "tiny.gguf")
    weighing, silent = start(file), start(file, confidence=0.0)
    assert weighing.complete(PROMPT, stop=[], max_tokens=60) == silent.complete(PROMPT, stop=[], max_tokens=60)
    assert silent.confidence is None
    assert weighing.confidence is not None
