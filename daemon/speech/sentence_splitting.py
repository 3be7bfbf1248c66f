"""Text cut into the sentences that are spoken one by one. Pure functions."""

import re
from itertools import pairwise

_ABBREVIATION = re.compile(r"\b(?:mr|mrs|ms|dr|st|prof|vs|etc|approx|e\.g|i\.e|no)\.$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+|(?<=[。！？])")
_CLAUSE_END = re.compile(r"(?<=[,;:])\s+")
_LONG = 60
"""Characters: 4 s, of which a Piper voice on a small computer needs one to be made."""
_SHORTEST_CLAUSE = 12
_LONGEST = 240
"""Characters: what a person hears in about 15 s; longer sentences are cut, so that the first sound comes soon."""


def sentences(text: str) -> list[str]:
    """Cut text where a speaker would breathe. Nothing but white space gets lost.

    A long first sentence is cut after its first clause, too, so that something sounds soon.

    >>> sentences("Dr. Who has 3.5 apples. Nice! ")
    ['Dr. Who has 3.5 apples.', 'Nice!']
    """
    parts: list[str] = []
    for part in _split_keeping(_SENTENCE_END, text):
        if parts and _ABBREVIATION.search(parts[-1].strip()):
            parts[-1] += part
        else:
            parts.append(part)
    pieces = [piece for part in parts for piece in _pieces(" ".join(part.split()))]
    return [*_first_clause(pieces[0]), *pieces[1:]] if pieces else []


def _first_clause(sentence: str) -> list[str]:
    """The sentence, or where it is long its first clause and the rest."""
    clause = _CLAUSE_END.search(sentence, _SHORTEST_CLAUSE) if len(sentence) > _LONG else None
    return [sentence[: clause.start()], sentence[clause.end() :]] if clause else [sentence]


def _split_keeping(separator: re.Pattern[str], text: str) -> list[str]:
    cuts = [0, *(match.end() for match in separator.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(cuts) if text[a:b].strip()]


def _pieces(sentence: str) -> list[str]:
    pieces = []
    while len(sentence) > _LONGEST:
        cut = max(sentence.rfind(mark, 1, _LONGEST) for mark in (", ", "; ", ": ", " - "))
        cut = cut + 1 if cut > 0 else sentence.rfind(" ", 1, _LONGEST)
        cut = cut if cut > 0 else _LONGEST
        pieces.append(sentence[:cut].strip())
        sentence = sentence[cut:].strip()
    return [*pieces, sentence] if sentence else pieces
