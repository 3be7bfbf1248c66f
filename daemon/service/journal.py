"""Log lines as systemd's journal wants them: each with its priority in front, and never more than one line."""

import logging
import os
import sys

PRIORITIES = {
    logging.DEBUG: 7,
    logging.INFO: 6,
    logging.WARNING: 4,
    logging.ERROR: 3,
    logging.CRITICAL: 2,
}
"""sd-daemon(3). `journalctl -p warning` then shows what is wrong, and nothing else."""


def set_up_logging(level: str) -> None:
    """Log to standard error: for the journal when it reads there, else for a person."""
    logging.basicConfig(level=level.upper(), format="%(name)s: %(message)s")
    if "JOURNAL_STREAM" in os.environ:
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JournalFormatter("%(name)s: %(message)s"))


def keep_standard_error() -> None:
    """Write to a copy of standard error from now on.

    Whenever sounddevice looks for devices, which it does each half second while there is no microphone, it turns the
    original to /dev/null for as long as that takes. What was logged meanwhile was lost.
    """
    sys.stderr = os.fdopen(os.dup(standard_error()), "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(sys.stderr)
    _kept.append(sys.stderr.fileno())


def standard_error() -> int:
    """The file descriptor to give to children as their standard error."""
    return _kept[-1] if _kept else 2


_kept: list[int] = []


class JournalFormatter(logging.Formatter):
    """A traceback's lines follow as lines of their own, with the same priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = PRIORITIES.get(record.levelno, 5)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines() or [""])
