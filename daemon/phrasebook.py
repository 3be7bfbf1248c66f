"""What people say in so many words, as data: one table of phrases for one language, which a translator can fill."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Phrases = Mapping[str, Any]


@cache
def phrasebook() -> Phrases:
    """Return the table, section by section."""
    return tomllib.loads(files("daemon").joinpath("phrasebook.toml").read_text(encoding="utf-8"))


def plain(text: str) -> str:
    """Return the words of a text in small letters, apostrophes kept, without other punctuation."""
    return " ".join(re.sub(r"[^\w\s']", " ", text.lower().replace("’", "'")).split())


def any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of the phrases as whole words in a plain text, the longest first."""
    longest_first = sorted(phrases, key=len, reverse=True)
    return re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, longest_first))})(?![\w'])")
