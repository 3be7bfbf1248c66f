"""A part of memory.sqlite with a connection of its own: what the books of places, reminders and tasks share."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from daemon.memory.memory_file import open_database, transaction


class MemoryBook:
    """Some tables of one memory.sqlite. Any thread may call; a change is on the disk when its call returns."""

    def __init__(self, path: Path) -> None:
        """Raises MemoryFileError."""
        self._database = open_database(path)
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close the connection; nothing may be called any more."""
        with self._lock:
            self._database.close()

    def _rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        with self._lock:
            return list(self._database.query(sql, list(values)))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """All or nothing of what is done within."""
        with self._lock, transaction(self._database):
            yield


def timestamp(moment: datetime | None = None) -> str:
    """Return a moment, or now, as the tables have it: ISO 8601, UTC, to the second."""
    return (moment or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
