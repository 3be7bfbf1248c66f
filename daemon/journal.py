"""Log lines as systemd's journal wants them: each with its priority in front, and never more than one line."""

import logging
import os

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


class JournalFormatter(logging.Formatter):
    """A traceback's lines follow as lines of their own, with the same priority."""

    def format(self, record: logging.LogRecord) -> str:
        priority = PRIORITIES.get(record.levelno, 5)
        return "\n".join(f"<{priority}>{line}" for line in super().format(record).splitlines() or [""])
