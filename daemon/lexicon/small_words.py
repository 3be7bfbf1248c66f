"""Words that name nothing: articles, pronouns, prepositions, politeness. Read from small_words.txt."""

from functools import cache
from importlib.resources import files


@cache
def small_words(section: str) -> frozenset[str]:
    """Return the words, or the phrases where "|" parts them, of a section of small_words.txt."""
    sections: dict[str, set[str]] = {}
    for line in files("daemon.lexicon").joinpath("small_words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words = sections.setdefault(line.strip("[]"), set())
        elif line and not line.startswith("#"):
            words.update(part.strip() for part in line.split("|" if "|" in line else None))
    return frozenset(sections[section])
