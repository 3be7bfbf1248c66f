"""Labels that were read because somebody asked: which of them name the thing that is looked for. Pure."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rapidfuzz import fuzz

from daemon.eyes.messages import Label, Labels, Objects, Seen

ALIKE = 85.0
"""Of 100, by which words that were read are those of a name: one letter of seven may be misread."""
SOURCE = "label"


def saying(thing: str, labels: Sequence[Label]) -> Iterator[Label]:
    """Yield the first label of each thing whose words, taken together, say the name that is looked for."""
    wanted = thing.replace("_", " ").lower()
    ordered = sorted(labels, key=lambda label: label.on)
    for on, group in groupby(ordered, key=lambda label: label.on):
        words = list(group)
        together = [" ".join(label.text for label in words)] if on else []
        said = next((label for label in words if _says(label.text, wanted)), None)
        if said or any(_says(text, wanted) for text in together):
            yield said or words[0]


def _says(text: str, wanted: str) -> bool:
    """Return whether all words of a name are among those that were read."""
    read = text.split()
    return all(any(fuzz.ratio(word, other) >= ALIKE for other in read) for word in wanted.split())


def name_of(thing: str) -> str:
    """Return what people call a thing as a name of one."""
    return thing.strip().lower().replace(" ", "_")


def sighted(label: Label, thing: str, read: Labels) -> Objects | None:
    """Return a thing of which nothing but its label tells as something that was seen; None where that has no place.

    A picture is seconds old once it is read, so that the thing is remembered, and no hand reaches for it.
    """
    if label.on or label.position is None:
        return None
    seen = Seen(name_of(thing), name_of(thing), label.position, label.sigma)
    return Objects(read.at, read.frame, SOURCE, (seen,))
