"""Text as a voice should read it: units and signs in words, names without underscores, and the owner's own spellings.

English. The owner's spellings are read from a file. Numbers are left to the voice, which all read them well.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from daemon.config import ConfigError

_UNITS = {
    "mm": "millimetre", "cm": "centimetre", "m": "metre", "km": "kilometre", "g": "gram", "kg": "kilogram",
    "ml": "millilitre", "l": "litre", "s": "second", "ms": "millisecond", "min": "minute", "h": "hour",
    "V": "volt", "A": "ampere", "W": "watt", "Hz": "hertz", "N": "newton", "Nm": "newton metre", "L": "litre",
    "°": "degree", "°C": "degree Celsius", "deg": "degree", "rad": "radian",
}  # fmt: skip
_PER = {"s": "second", "h": "hour", "min": "minute", "kg": "kilogram", "m": "metre"}
_SAME_IN_PLURAL = ("hertz",)
_SIGNS = {
    "%": " percent",
    "€": " euros",
    "&": " and ",
    "±": "plus or minus ",
    "→": " to ",
    "≤": "at most ",
    "≥": "at least ",
}
_QUANTITY = re.compile(
    rf"(?<![\w.])(-?\d+(?:[.,]\d+)?)\s?({'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})"
    rf"(?:/({'|'.join(_PER)}))?(?![\w°])"
)


def speakable(text: str, lexicon: Mapping[str, str] | None = None) -> str:
    """Return what to give to a synthesiser; `lexicon` maps lower-case words to what is to be read instead.

    >>> speakable("move_to shelf_2: 0.5 m at 1 m/s, 20 %")
    'move to shelf 2: 0.5 metres at 1 metre per second, 20 percent'
    """
    text = _QUANTITY.sub(_quantity, text)
    for sign, words in _SIGNS.items():
        text = re.sub(rf"\s*{sign}" if words[0] == " " else sign, words, text)
    text = re.sub(r"(?<=\w)_(?=\w)", " ", text)
    if lexicon:
        text = re.sub(r"\w[\w']*", lambda found: lexicon.get(found[0].lower(), found[0]), text)
    return re.sub(r"[ \t]+", " ", text)


def read_lexicon(file: Path) -> dict[str, str]:
    """Lines "word = what to read"; empty lines and those that begin with # are nothing.

    Raises ConfigError for a file that is missing or a line without "=".
    """
    lexicon: dict[str, str] = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"lexicon in [speech] cannot be read: {error}; correct the path, or leave it out") from error
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            word, sign, spelling = line.partition("=")
            if not (sign and word.strip()):
                raise ConfigError(f"{file}, line {number}: write it as: heed = heed, not as {line!r}")
            lexicon[word.strip().lower()] = spelling.strip()
    return lexicon


def _quantity(found: re.Match[str]) -> str:
    number, unit, per = found.groups()
    words = _UNITS[unit]
    if number.lstrip("-") != "1" and words not in _SAME_IN_PLURAL:
        first, _, rest = words.partition(" ") if words.startswith("degree") else ("", "", words)
        words = f"{first}s {rest}".strip() if first else f"{rest}s"
    return f"{number} {words}" + (f" per {_PER[per]}" if per else "")
