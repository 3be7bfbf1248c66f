"""The locks in requirements/ are complete, and name no place to fetch from."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


def locked(*names: str) -> set[str]:
    texts = [(ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8") for name in names]
    return {name for text in texts for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w.-]", requirement)[0] for requirement in requirements}


def test_what_pyproject_asks_for_is_locked() -> None:
    """If not: `make lock`."""
    project = PYPROJECT["project"]
    extras = (project["optional-dependencies"][extra] for extra in ("echo", "microwakeword", "piper"))
    asked = named(sum(extras, project["dependencies"]))
    assert asked <= locked("run", "llama")
    assert named(PYPROJECT["dependency-groups"]["dev"]) <= locked("dev")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_has_hashes_and_none_an_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    for package in re.split(r"\n(?=\w)", text.strip()):
        assert "--hash=sha256:" in package
