"""What a bench of the ear counts: wrong words, and what became of a sentence."""

from bench.voice.clips import Clip
from bench.voice.replay import Heard
from daemon.speech.spoken_words import content_words


def word_errors(wanted: list[str], got: list[str]) -> int:
    """Return how many words are to insert, delete or replace."""
    row = list(range(len(got) + 1))
    for i, word in enumerate(wanted, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(got, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]


def executed(heard: Heard, clip: Clip) -> bool:
    """Return whether its meaning was executed, and nothing else."""
    return [content_words(text) for text in heard.executed] == [content_words(clip.text)]


def asked(heard: Heard) -> bool:
    """Return whether heed asked back."""
    return bool(heard.taken) and not heard.executed


def wrong(heard: Heard, clip: Clip) -> bool:
    """Return whether something else was executed."""
    return any(content_words(text) != content_words(clip.text) for text in heard.executed)
