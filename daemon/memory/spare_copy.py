"""A spare copy of memory.sqlite beside it, for the day on which a dying disk or another program spoils the first.

It is made anew after each change of the lessons, so every lesson that was confirmed is in two files. What was said and
done since then is in the first alone.
"""

import logging
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

log = logging.getLogger(__name__)


def spare_of(path: Path) -> Path:
    """Return where the copy of this database lies."""
    return path.with_name(path.name + ".spare")


def keep_spare(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the database as it is now. A copy that cannot be made is logged, and the earlier one stays."""
    new = path.with_name(path.name + ".spare-new")
    try:
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, whole without others beside it
        _sync(new)
        new.replace(spare_of(path))
        _sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        log.warning("there is no new copy of %s: %s", path, error)
        new.unlink(missing_ok=True)


def restore_spare(path: Path) -> bool:
    """Put the copy where the database was; False where there is none. The copy itself stays."""
    spare = spare_of(path)
    if not spare.exists():
        return False
    shutil.copyfile(spare, path)
    _sync(path)
    return True


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
