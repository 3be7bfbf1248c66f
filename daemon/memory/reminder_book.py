"""What is to be done later, in memory.sqlite: at a time, again and again, or when something happens."""

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from daemon.memory.schema import open_database, transaction


class ReminderState(StrEnum):
    WAITING = "waiting"
    DONE = "done"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Entry:
    """One thing that somebody wants later."""

    id: int
    words: str
    """When, as it was said: "every evening at eight"."""
    request: str
    """What, as it was said: "bring me the tea"."""
    due_at: datetime | None
    """None where it waits for something to happen."""


class ReminderBook:
    """The entries of one memory.sqlite. Any thread may call."""

    def __init__(self, path: Path) -> None:
        """Raises MemoryFileError."""
        self._database = open_database(path)
        self._lock = threading.RLock()

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def add(self, words: str, request: str, due_at: datetime | None) -> Entry:
        """On the disk when this returns."""
        with self._lock, transaction(self._database):
            cursor = self._database.execute(
                "INSERT INTO later (made_at, words, request, due_at) VALUES (?, ?, ?, ?)",
                (datetime.now(UTC).isoformat(timespec="seconds"), words, request, _text(due_at)),
            )
        return Entry(int(cursor.lastrowid or 0), words, request, due_at)

    def waiting(self) -> list[Entry]:
        """What is still to be done, in the order in which it was said."""
        with self._lock:
            rows = list(self._database.query(
                "SELECT id, words, request, due_at FROM later WHERE state = 'waiting' ORDER BY id"
            ))  # fmt: skip
        return [Entry(**{**row, "due_at": _moment(row["due_at"])}) for row in rows]

    def put_off(self, entry: Entry, due_at: datetime) -> None:
        """It is due again, then."""
        with self._lock, transaction(self._database):
            self._database.execute("UPDATE later SET due_at = ? WHERE id = ?", (_text(due_at), entry.id))

    def end(self, entry: Entry, state: ReminderState) -> None:
        with self._lock, transaction(self._database):
            self._database.execute("UPDATE later SET state = ? WHERE id = ?", (str(state), entry.id))


def _text(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds") if moment else ""


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
