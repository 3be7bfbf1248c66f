"""Settings: defaults that work, and errors that name the nearest right word."""

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from daemon.config import Config, ConfigError, load_config

ROOT = Path(__file__).parents[1]


def test_a_missing_file_means_all_defaults(tmp_path: Path) -> None:
    config = load_config(tmp_path / "config.toml")
    assert config == Config(folder=tmp_path)


def test_the_shipped_file_is_read_and_changes_nothing() -> None:
    assert load_config(ROOT / "config.toml") == Config(folder=ROOT)


def test_every_line_of_the_shipped_file_shows_the_default(tmp_path: Path) -> None:
    shown = re.sub(r"^# (?=\w+ = )", "", (ROOT / "config.toml").read_text(), flags=re.MULTILINE)
    (tmp_path / "config.toml").write_text(shown)
    assert load_config(tmp_path / "config.toml") == Config(folder=tmp_path)


def test_every_setting_is_shown_in_the_shipped_file() -> None:
    shown = tomllib.loads(re.sub(r"^# (?=\w+ = )", "", (ROOT / "config.toml").read_text(), flags=re.MULTILINE))
    sections = {field.name: getattr(Config(), field.name) for field in dataclasses.fields(Config)}
    sections = {name: section for name, section in sections.items() if dataclasses.is_dataclass(section)}
    settings = {(name, field.name) for name, section in sections.items() for field in dataclasses.fields(section)}
    assert settings - {(name, key) for name, section in shown.items() for key in section} == set()


def test_values_are_taken(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[memory]\nexamples = 4\ndecay = 1\n")
    config = load_config(tmp_path / "config.toml")
    assert (config.memory.examples, config.memory.decay) == (4, 1.0)


@pytest.mark.parametrize("section", [field.name for field in dataclasses.fields(Config) if field.name != "folder"])
def test_every_setting_says_what_it_is_for(section: str) -> None:
    kind = type(getattr(Config(), section))
    source = Path(ROOT / "daemon" / "config.py").read_text()
    body = source[source.index(f"class {kind.__name__}") :]
    for field in dataclasses.fields(kind):
        assert re.search(rf'    {field.name}: .*\n    """', body), f"{section}.{field.name} has no sentence under it"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[speach]", "did you mean speech?"),
        ("[memory]\nexample = 3", "did you mean examples?"),
        ("[memory]\nexamples = '3'", "must be of type int"),
        ("[memory]\nexamples = true", "must be of type int"),
        ("memory = 3", "stands outside any section"),
        ("[memory", "cannot be read"),
        ("[zzz]", "known are"),
    ],
)
def test_a_mistake_is_answered_with_what_is_right(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(ConfigError, match=re.escape(complaint)):
        load_config(tmp_path / "config.toml")
