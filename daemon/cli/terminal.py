"""Shows each step of the conversation on a terminal: heard, statement, result, said."""

import sys
import threading

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
RESULT_COLUMNS = 300
"""Characters of a result that are shown; the model sees more."""


class Terminal:
    """An Observer that prints. A terminal that went away is not an error: the robot goes on without it."""

    def __init__(self) -> None:
        self._out = sys.stdout
        self._colour = COLOURS if sys.stdout.isatty() else PLAIN
        self._lock = threading.Lock()

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

    def _print(self, kind: str, text: str) -> None:
        with self._lock:
            try:
                print(f"{self._colour[kind]}{text}{self._colour['end']}", file=self._out, flush=True)
            except (OSError, ValueError):
                self._out = open("/dev/null", "w")  # noqa: SIM115 - lives as long as the daemon
