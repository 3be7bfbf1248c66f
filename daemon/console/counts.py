"""How many of something people say."""

import re
from collections.abc import Mapping

from daemon.phrasebook import of_language, phrasebook


def counts_in(text: str) -> list[int]:
    """Return the numbers that a text tells, in its order: two cups, 3 spoons."""
    values = _values()
    words = re.findall(r"\w+", text.lower())
    return [values.get(word) or int(word) for word in words if word in values or _is_short_number(word)]


def _is_short_number(word: str) -> bool:
    return word.isdecimal() and len(word) <= MOST_DIGITS


MOST_DIGITS = 3


@of_language
def _values() -> Mapping[str, int]:
    return {word: int(value) for value, words in phrasebook()["count"].items() for word in words}
