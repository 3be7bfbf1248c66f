"""The model that thinks, and another one in its place while heed runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.brains import Brain
from daemon.config import Config, LlmConfig
from daemon.llm.model import LanguageModel, ModelError
from tests.support.fakes import WordEmbedder


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    config = Config(llm=LlmConfig(brain="imitation"), folder=tmp_path)
    opened = Brain(config, WordEmbedder(), lambda text: None)
    yield opened
    opened.close()


def test_whoever_thinks_with_it_is_handed_the_next_model(brain: Brain) -> None:
    handed: list[LanguageModel] = []
    brain.hand_over = handed.append
    before = brain.model
    assert brain.use(None) == "imitation"
    assert handed == [brain.model]
    assert brain.model is not before


def test_a_model_that_is_refused_is_not_used(brain: Brain) -> None:
    def refuse(model: LanguageModel) -> None:
        raise ModelError("its context is too small")

    brain.hand_over = refuse
    before = brain.model
    with pytest.raises(ModelError, match="too small"):
        brain.use(None)
    assert brain.model is before


def test_without_the_model_of_the_settings_it_says_why(tmp_path: Path) -> None:
    config = Config(llm=LlmConfig(brain="llama:none.gguf"), folder=tmp_path)
    brain = Brain(config, WordEmbedder(), lambda text: None)
    assert "none.gguf" in brain.missing
    assert brain.model.name == "imitation"
    brain.close()
