"""What is said in one breath, taken apart: "No, not there. Put it on the rack, and from now on ..." """

import re

_CUE = (
    r"(?:please )?(?:from now on|next time|in (?:the )?future|from today|(?:every|each) time|whenever|always|never|"
    r"when(?:ever)? (?:i|we) (?:say|ask|want|call|need)|don't (?:you )?ever|do not ever|(?:please )?remember|"
    r"keep in mind|bear in mind|make a note)\b"
)
"""With these a lesson begins, or the wish to keep one."""
_STOP = r"(?<=[.!?;])(?<!\bmr\.)(?<!\bmrs\.)(?<!\bms\.)(?<!\bdr\.)\s+"
_END = re.compile(
    rf"{_STOP}|(?<=\w)\s*[-–—]\s+|,?\s+(?:and|but|so)\s+(?={_CUE})|,?\s+and\s+(?:now|then)\s+(?=\w)|,\s+so\s+(?=\w)"
    r"|,?\s+so,?\s+(?:yeah,?\s+|yes,?\s+)?(?=(?:could|can|would|will|please)\b)",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The parts of an utterance that say something each, in order; commas alone part nothing."""
    return [part for part in (piece.strip(" ,;") for piece in _END.split(text)) if re.search(r"\w", part)]


def whole_sentences(text: str) -> list[str]:
    """The sentences of an utterance as they stand, so that a condition keeps all its consequences."""
    return [part for part in (piece.strip(" ,;") for piece in _WHOLE.split(text)) if re.search(r"\w", part)]


_WHOLE = re.compile(rf"{_STOP}|(?<=\w)\s+[-–—]\s+", re.IGNORECASE)
