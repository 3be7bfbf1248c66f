"""Names of things, as heed takes them from outside: one to four plain words in small letters (docs/eyes.md)."""

import re

LONGEST = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[ _-][a-z0-9]+){0,3}")


def is_name(text: str) -> bool:
    """Return whether heed would take this name; a test holds it against daemon/eyes/message_reading.py."""
    return len(text) <= LONGEST and _NAME.fullmatch(text) is not None


def plain(text: str) -> str:
    """Return printed words as a name is written: "ORANGE JUICE!" is "orange juice"."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))
