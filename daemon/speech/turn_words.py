"""Tells by the words whether somebody has finished, goes on, or only listens. The words are in phrasebooks/."""

from daemon.phrasebook import of_language, phrasebook
from daemon.speech.spoken_words import spoken_words

Turn = dict[str, frozenset[str]]


def closed_answer(text: str) -> bool:
    """Return whether a text is an answer after which nobody goes on."""
    return _bare(text) in _turn()["closed"]


def unfinished(text: str) -> bool:
    """Return whether a text ends in a word after which everybody goes on."""
    return _bare(text).rpartition(" ")[2] in _turn()["unfinished"]


def back_channel(text: str) -> bool:
    """Return whether a text is what people say to show that they listen."""
    return _bare(text) in _turn()["listening"]


def ghost(text: str) -> bool:
    """Return whether a text is what a recogniser likes to hear in noise."""
    return _bare(text) in _turn()["ghosts"]


def fillers() -> frozenset[str]:
    """Return words that change no wish."""
    return _turn()["fillers"]


def weighty() -> frozenset[str]:
    """Return small words of which each makes another wish of it."""
    return _turn()["weighty"]


@of_language
def _turn() -> Turn:
    return {kind: frozenset(phrases) for kind, phrases in phrasebook()["turn"].items()}


def _bare(text: str) -> str:
    return " ".join(spoken_words(text))
