"""Lines of talk, written by strangers: overheard/ is said between people, said/ to a robot."""

from collections.abc import Iterable
from pathlib import Path

from daemon.speech.addressee import as_heard
from training.corpus.dialogues import HELD_OUT, read_voice, voices

SAID, TALK = Path(__file__).with_name("said"), Path(__file__).with_name("overheard")
LIMIT, UNSEEN = "held_out", "unseen"
"""Of the files of overheard/: one sets a limit, and nothing is learned from either."""


def overheard() -> list[str]:
    """Return all lines that may be learned from."""
    names = sorted(file.stem for file in TALK.glob("*.txt"))
    return [line for name in names if name not in (LIMIT, UNSEEN) for line in lines(name)]


def wishes() -> list[str]:
    """Return all that is said to robots beside the corpus: wishes for timers, lights, answers."""
    return [line for file in sorted(SAID.glob("*.txt")) for line in read(file)]


def begun(held: bool, talk: bool = False) -> list[str]:
    """Return how the dialogues of the corpus begin, of the held-out voices or of the others; `talk`: mere talk."""
    files = [file for file in voices() if (file.stem in HELD_OUT) is held]
    dialogues = [dialogue for file in files for dialogue in read_voice(file) if (dialogue.kind == "talk") is talk]
    return heard(dialogue.turns[0].say for dialogue in dialogues)


def lines(name: str) -> list[str]:
    """Return those of one file of overheard/."""
    return read(TALK / f"{name}.txt")


def read(file: Path) -> list[str]:
    """Return the lines of a file."""
    return heard(file.read_text(encoding="utf-8").splitlines())


def heard(sentences: Iterable[str]) -> list[str]:
    """Return them as recognisers write them, each once."""
    return list(dict.fromkeys(text for sentence in sentences if (text := as_heard(sentence))))
