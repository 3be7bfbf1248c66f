"""Log lines for the journal."""

import logging
import sys

from daemon.journal import JournalFormatter


def record(level: int, text: str) -> logging.LogRecord:
    return logging.LogRecord("heed", level, "", 0, text, None, None)


def test_every_line_has_its_priority() -> None:
    formatter = JournalFormatter("%(name)s: %(message)s")
    assert formatter.format(record(logging.INFO, "all is well")) == "<6>heed: all is well"
    assert formatter.format(record(logging.ERROR, "two\nlines")) == "<3>heed: two\n<3>lines"
    assert formatter.format(record(logging.INFO, "")) == "<6>heed: "


def test_a_traceback_keeps_the_priority_of_its_error() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        failed = logging.LogRecord("heed", logging.ERROR, "", 0, "it failed", None, sys.exc_info())
    lines = JournalFormatter("%(message)s").format(failed).splitlines()
    assert lines[0] == "<3>it failed"
    assert all(line.startswith("<3>") for line in lines)
    assert lines[-1] == "<3>ValueError: broken"
