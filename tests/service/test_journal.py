"""Log lines for the journal."""

import logging
import subprocess
import sys

from daemon.service.journal import JournalFormatter


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


def test_what_is_logged_while_standard_error_is_turned_away_is_not_lost() -> None:
    program = (
        "import logging, os, subprocess, sys\n"
        "from daemon.service.journal import keep_standard_error, set_up_logging, standard_error\n"
        "set_up_logging('INFO'); keep_standard_error()\n"
        "os.dup2(os.open(os.devnull, os.O_WRONLY), 2)\n"
        "logging.info('logged'); print('printed', file=sys.stderr)\n"
        "subprocess.run(['sh', '-c', 'echo by a child >&2'], stderr=standard_error())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert [line.rpartition(":")[2].strip() for line in done.stderr.splitlines()] == ["logged", "printed", "by a child"]
