"""The sets of cases: fresh ones are those that were measured, and every set is told of in the README beside them."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
README = (DATA / "README.md").read_text(encoding="utf-8")
RANGE = re.compile(r"`([a-z_]+)(\d*)\.json` to `\1(\d+)\.json`")
"""For example: `teaching2.json` to `teaching10.json`."""


@pytest.mark.parametrize("file", sorted(DATA.glob("fresh/*")), ids=lambda file: file.name)
def test_a_fresh_set_is_the_one_that_was_measured(file: Path) -> None:
    assert f"| `{file.name}` |" in README
    assert sha256(file.read_bytes()).hexdigest() in README


def test_every_set_is_told_of() -> None:
    assert {file.name for file in DATA.glob("*/*")} == set(told_of())


def told_of() -> Iterator[str]:
    yield from re.findall(r"`([a-z_]+\d*(?:\.answers)?\.jsonl?)`", README)
    for letters, first, last in RANGE.findall(README):
        yield from (f"{letters}{number}.json" for number in range(max(2, int(first or 1)), int(last) + 1))
