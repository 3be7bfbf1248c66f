"""The model that is shipped: it loads like any other file, and writes statements through the real llama.cpp.

What it is worth is measured (models/heed-small/README.md), not tested.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.config import LlmConfig
from daemon.llm.llama import LlamaModel
from daemon.llm.models import find_model
from training.judge import judge

FOLDER = Path(__file__).parents[2] / "models" / "heed-small"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaModel]:
    file = find_model(str(FOLDER / "heed-small.gguf"), FOLDER)
    model = LlamaModel(file, LlmConfig(threads=1), tmp_path_factory.mktemp("kv"))
    yield model
    model.close()


def test_it_acts_in_a_simulated_world(model: LlamaModel) -> None:
    ((_, verdicts),) = judge(model, 1, ("seen",))
    for verdict in verdicts:
        statements = [step.statement for step in verdict.transcript[1:]]
        assert statements[:3] == ["list_objects()", "list_locations()", "other_names()"]
        assert len(statements) > 3


def test_it_fits_into_git() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 20_000_000
