"""models/catalog.toml: well-known model files, for people who look for a first one. None was tried with heed."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from daemon.config import ConfigError

FILE = "catalog.toml"
LLM = "llm"
GIGA = 1_000_000_000


@dataclass(frozen=True)
class KnownModel:
    """An entry."""

    kind: str
    """"llm", "asr" or "tts"."""
    name: str
    repository: str
    """On the Hugging Face hub, as OWNER/NAME."""
    file: str
    memory_bytes: int
    """Roughly, when it runs."""
    licence: str
    """As its publisher states it."""
    fits: str
    """For which machines."""
    tried: bool
    """Whether somebody ran heed with it."""


def read_catalog(folder: Path) -> list[KnownModel]:
    """The entries in a models folder, none where it has no catalogue. Raises ConfigError for a broken one."""
    try:
        entries = tomllib.loads((folder / FILE).read_text(encoding="utf-8"))["model"]
        return [
            KnownModel(
                entry["kind"],
                entry["name"],
                entry["from"],
                entry["file"],
                int(entry["memory_gb"] * GIGA),
                entry["licence"],
                entry["fits"],
                entry["tried"],
            )
            for entry in entries
        ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{folder / FILE} cannot be read ({error}); delete it or take heed's own") from error
