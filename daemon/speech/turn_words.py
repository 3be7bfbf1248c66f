"""Words that tell whether somebody has finished, goes on, or only shows that they listen. Pure text."""

CLOSED = frozenset({
    "yes", "yeah", "yep", "yes please", "yes please do", "please do", "sure", "okay", "ok", "right", "correct", "no",
    "nope", "no thanks", "no thank you", "never mind", "nevermind", "that's right", "that's wrong", "the first",
    "the second", "both", "all right",
})  # fmt: skip
"""Answers after which nobody goes on."""
UNFINISHED = frozenset({
    "and", "or", "but", "the", "a", "an", "to", "of", "with", "from", "for", "in", "on", "um", "uh", "my", "then",
})  # fmt: skip
"""Words after which everybody goes on."""
BACK_CHANNEL = frozenset(
    {"mhm", "mm", "hm", "uh huh", "okay", "ok", "yeah", "yes", "right", "aha", "i see", "all right"}
)
"""What people say to show that they listen."""


def closed_answer(text: str) -> bool:
    return _bare(text) in CLOSED


def unfinished(text: str) -> bool:
    return _bare(text).rpartition(" ")[2] in UNFINISHED


def back_channel(text: str) -> bool:
    return _bare(text) in BACK_CHANNEL


def _bare(text: str) -> str:
    return " ".join(text.lower().translate({ord(c): " " for c in ".,!?;:"}).split())
