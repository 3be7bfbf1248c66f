"""models/catalog.toml, as `heed models list` shows it."""

import tomllib
from pathlib import Path

import pytest

from daemon.config import ConfigError
from daemon.llm.catalog import read_catalog

FOLDER = Path(__file__).parent.parent / "models"
FIELDS = {"kind", "name", "from", "file", "size_gb", "memory_gb", "licence", "fits", "tried"}


def test_every_model_of_the_catalogue_is_described_completely() -> None:
    models = tomllib.loads((FOLDER / "catalog.toml").read_text(encoding="utf-8"))["model"]
    assert {model["kind"] for model in models} == {"llm", "asr", "tts"}
    for model in models:
        assert set(model) == FIELDS, model["name"]
        assert 0 < model["size_gb"] <= model["memory_gb"]
    assert len(read_catalog(FOLDER)) == len(models)


def test_no_model_is_said_to_have_been_tried() -> None:
    """Whoever tries one changes the catalogue, and this test."""
    assert not any(model.tried for model in read_catalog(FOLDER))


def test_a_folder_without_a_catalogue_has_none(tmp_path: Path) -> None:
    assert read_catalog(tmp_path) == []


@pytest.mark.parametrize("text", ["[[model]", "[[model]]\nname = 1", "model = 3", ""])
def test_a_broken_catalogue_says_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "catalog.toml").write_text(text)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_catalog(tmp_path)
