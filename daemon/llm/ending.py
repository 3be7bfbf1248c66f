"""Decides where a completion ends. Pure arithmetic on bytes: no model, no tokens."""

import codeop
import re
import string
import warnings
from collections.abc import Sequence

from daemon.llm.model import PROMPT_SIGN

CONTINUATION = "..."
LOOP, LOOPS = range(4, 81), 6
"""Words of so many bytes, so many times one behind the other: a model that has lost its way writes on like that until
its room is full."""
WORDS = string.ascii_letters.encode()
_FIRST_SIGN = re.compile(rb"((?:\s|#[^\n]*\n|```[^\n]*\n)*)" + PROMPT_SIGN.encode())
"""The prompt's sign in front of the first statement, where a model begins as a console does."""


class Ending:
    """Is fed the bytes of each token until it says that the completion is over.

    Over means: a `stop` string appeared, or, with `statement`, a newline completed a Python statement; or it goes round
    and round, which no answer does. Where the prompt's sign is a stop string, one in front of the first statement ends
    nothing, and is left out.
    """

    def __init__(self, stop: Sequence[str], *, statement: bool) -> None:
        self._stop = [text.encode() for text in stop if text]
        self._longest = max(map(len, self._stop), default=1)
        self._statement = statement
        self._content = bytearray()
        self._signs = PROMPT_SIGN in stop
        """Whether a sign in front of the first statement may still come."""

    @property
    def text(self) -> str:
        """Return what came before the end; a stop string is not part of it, the newline after a statement is."""
        return self._content.decode("utf-8", "replace")

    @property
    def lines(self) -> str:
        """The whole lines of what came so far."""
        return self.text[: self.text.rfind("\n") + 1]

    def feed(self, piece: bytes) -> bool:
        """Take the next bytes; True when the completion is over."""
        searched = max(len(self._content) - self._longest + 1, 0)
        self._content += piece
        if self._signs and (sign := _FIRST_SIGN.match(self._content)):
            self._content[: sign.end()] = sign[1]
            self._signs, searched = False, 0
        ends = [end for stop in self._stop if (end := self._content.find(stop, searched)) >= 0]
        if self._statement and b"\n" in piece and (lines := statement_lines(self.text)) is not None:
            ends.append(sum(map(len, bytes(self._content).split(b"\n")[:lines])) + lines)
        if ends:
            del self._content[min(ends) :]
        return bool(ends) or self._loops()

    def _loops(self) -> bool:
        tail = bytes(self._content[-LOOP.stop * LOOPS :])
        again = [tail[-size:] for size in LOOP if size * LOOPS <= len(tail) and tail.endswith(tail[-size:] * LOOPS)]
        return any(byte in WORDS for text in again for byte in text)


def statement_lines(text: str) -> int | None:
    """Return how many lines the first Python statement has; None when it goes on or is not Python.

    Continuation lines may begin with "..." as a console shows them. A block ends with a blank line, or, where
    its lines begin with "...", before the first that does not. Comments alone are no statement.
    """
    *lines, _unfinished = text.split("\n")
    source: list[str] = []
    for count, line in enumerate(lines):
        if count > 1 and lines[count - 1].startswith(CONTINUATION) and not line.startswith(CONTINUATION):
            return count
        source.append(_without_dots(line) if source else line.strip())
        if _is_complete(source):
            return count + 1
    return None


def _without_dots(line: str) -> str:
    return line.removeprefix(CONTINUATION).removeprefix(" ") if line.startswith(CONTINUATION) else line


def _is_complete(lines: list[str]) -> bool:
    if all(not line.strip() or line.strip().startswith("#") for line in lines):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return codeop.compile_command("\n".join(lines), "<statement>", "single") is not None
        except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
            return False
