"""Shows each step of the conversation on a terminal: heard, statement, result, said."""

import shutil
import sys
import threading
from typing import TextIO

from daemon.trigger import Utterance

PLAIN = {"heard": "", "statement": "", "result": "", "said": "", "note": "", "end": ""}
COLOURS = {
    "heard": "\x1b[1;36m",
    "statement": "\x1b[33m",
    "result": "\x1b[2m",
    "said": "\x1b[1;32m",
    "note": "\x1b[2m",
    "end": "\x1b[0m",
}
CLEAR_LINE = "\r\x1b[K"
RESULT_COLUMNS = 300
"""Characters of a result that are shown; the model sees more."""


class Terminal:
    """An Observer that prints. A terminal that went away is not an error: the robot goes on without it."""

    def __init__(self, out: TextIO | None = None) -> None:
        """Print to `out`; None is the standard output."""
        self._out = out or sys.stdout
        self.is_watched = self._out.isatty()
        """Whether a person sees it, and not a file or a pipe."""
        self._colour = COLOURS if self.is_watched else PLAIN
        self._lock = threading.Lock()
        self._rewritten = ""
        """What takes away the line that is rewritten; "" while there is none."""

    def note(self, text: str) -> None:
        """Show something about heed itself."""
        self._print("note", f"heed: {text}")

    def heard(self, utterance: Utterance) -> None:
        self._print("heard", f"\nheard: {utterance.text}")

    def statement(self, statement: str) -> None:
        self._print("statement", ">>> " + statement.replace("\n", "\n... "))

    def result(self, result: str) -> None:
        if result:
            shown = result if len(result) <= RESULT_COLUMNS else result[:RESULT_COLUMNS] + "..."
            self._print("result", shown)

    def said(self, text: str) -> None:
        self._print("said", f"says:  {text}")

    def words(self, text: str, confidence: float) -> None:
        """Show what somebody has said so far, in one line that is written anew; "" takes it away."""
        if not self.is_watched:
            return
        room = shutil.get_terminal_size().columns - len("hears:  (0.00)") - 1
        line = f"hears: {text[-room:]} ({confidence:.2f})" if text else ""
        with self._lock:
            if line or self._rewritten:
                self._write(f"{self._colour['note']}{line}{self._colour['end']}", end="")
            self._rewritten = CLEAR_LINE if line else ""

    def _print(self, kind: str, text: str) -> None:
        with self._lock:
            self._write(f"{self._colour[kind]}{text}{self._colour['end']}", end="\n")
            self._rewritten = ""

    def _write(self, text: str, end: str) -> None:
        try:
            print(f"{self._rewritten}{text}", file=self._out, end=end, flush=True)
        except (OSError, ValueError):
            self._out = open("/dev/null", "w")  # noqa: SIM115 - lives as long as the daemon
