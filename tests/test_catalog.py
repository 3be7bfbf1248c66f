"""models/catalog.toml, as `heed models` reads it."""

import tomllib
from pathlib import Path

CATALOG = Path(__file__).parent.parent / "models" / "catalog.toml"
FIELDS = {"kind", "name", "from", "file", "size_gb", "memory_gb", "licence", "fits", "tried"}


def test_every_model_of_the_catalogue_is_described_completely() -> None:
    models = tomllib.loads(CATALOG.read_text(encoding="utf-8"))["model"]
    assert {model["kind"] for model in models} == {"llm", "asr", "tts"}
    for model in models:
        assert set(model) == FIELDS, model["name"]
        assert 0 < model["size_gb"] <= model["memory_gb"]
