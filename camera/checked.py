"""Values of a robot description's section [eyes], checked: ValueError names what is wrong, and what may stand there."""

import difflib
import math
from collections.abc import Iterable, Mapping
from typing import Any

from camera.names import is_name

TAGS = 587
"""Of the family 36h11."""
SMALLEST, LARGEST = 0.005, 2.0
"""Metres of a black square: what is beyond is millimetres by mistake."""
WIDEST = 3.0
"""Metres from a thing's foot, and from the robot, within which tags and cameras sit."""
FARTHEST = 100.0
"""Metres on the map."""


def tag_id(entry: Mapping[str, Any]) -> int:
    id = entry.get("id")
    if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id < TAGS:
        raise ValueError(f"a tag's id is a whole number from 0 to {TAGS - 1}, not {id!r}")
    return id


def angle(value: Any, what: str) -> float:
    """Radians."""
    return number(value, what, -2 * math.pi, 2 * math.pi)


def name(value: Any, what: str) -> str:
    if not isinstance(value, str) or not is_name(value):
        raise ValueError(f"{what} is {value!r}; it is one to four plain words in small letters")
    return value


def size(value: Any, what: str) -> float:
    return number(value, f"{what} (of the black square, metres)", SMALLEST, LARGEST)


def point(value: Any, what: str, farthest: float = WIDEST) -> tuple[float, float, float]:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError(f"{what} is a list of three numbers, metres, not {value!r}")
    x, y, z = (number(each, what, -farthest, farthest) for each in value)
    return x, y, z


def number(value: Any, what: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{what} is a number from {low:g} to {high:g}, not {value!r}")
    return float(value)


def whole(table: Mapping[str, Any], key: str, usual: int) -> int:
    value = table.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not 64 <= value <= 8192:
        raise ValueError(f"[eyes] {key} is a whole number of pixels from 64 to 8192, not {value!r}")
    return value


def entries(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{what} is a list: write it with two brackets, once for each tag")
    return value


def needed(entry: Mapping[str, Any], names: Iterable[str], lacks: str) -> None:
    """Every key has to be there; `lacks` says what may stand there, with %s for the name."""
    for name in names:
        if name not in entry:
            raise ValueError(lacks % name)


def keys(table: Any, known: tuple[str, ...], what: str) -> None:
    if not isinstance(table, Mapping):
        raise ValueError(f"{what} is a table of keys, not {table!r}")
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            raise ValueError(f"{what} has no key {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{what} is words in quotes, not {value!r}")
    return value


def one_of(value: Any, known: tuple[str, ...], what: str) -> str:
    if value not in known:
        raise ValueError(f"{what} is {' or '.join(known)}, not {value!r}")
    return str(value)


def pair(value: Any, what: str, low: float, high: float) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{what} is a list of two numbers, not {value!r}")
    return number(value[0], what, low, high), number(value[1], what, low, high)
