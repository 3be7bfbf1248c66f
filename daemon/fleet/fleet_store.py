"""Where a robot keeps what it knows of the fleet: fleet.sqlite, beside memory.sqlite, which stays a robot's own."""

import json
import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from daemon.fleet.lesson_ledger import Entry, Ledger, LedgerError, from_json, to_json

_TABLES = """
CREATE TABLE IF NOT EXISTS entry (name TEXT PRIMARY KEY, entry TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS here (
    name TEXT PRIMARY KEY, -- of the entry
    lesson INTEGER, -- its number in memory.sqlite; empty when it was declined or lost
    identity TEXT NOT NULL, -- a hash of that lesson: another one with this number is of another memory.sqlite
    status TEXT NOT NULL -- active, forgotten, superseded, declined or lost: as both files had it last
);
"""


@dataclass(frozen=True)
class Here:
    """What became of a lesson on this robot."""

    name: str
    lesson: int | None
    identity: str
    status: str


class Shelf:
    """The file. Every change is on the disk when the call returns."""

    def __init__(self, path: Path) -> None:
        """Raises sqlite3.Error for a file that cannot be used; delete it: the others know what stood in it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.executescript(_TABLES)

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def ledger(self) -> Ledger:
        """All entries; one that cannot be read any more is left out."""
        ledger = Ledger()
        for (text,) in self._database.execute("SELECT entry FROM entry"):
            try:
                ledger.take(from_json(json.loads(text)))
            except LedgerError:
                continue
        return ledger

    def keep(self, entries: Iterable[Entry]) -> None:
        rows = [(entry.lesson.name, json.dumps(to_json(entry))) for entry in entries]
        with self._lock, self._database:
            self._database.execute("BEGIN")
            self._database.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?)", rows)
            self._database.execute("COMMIT")

    def here(self) -> list[Here]:
        return [Here(*row) for row in self._database.execute("SELECT name, lesson, identity, status FROM here")]

    def note(self, here: Here) -> None:
        values = (here.name, here.lesson, here.identity, here.status)
        with self._lock:
            self._database.execute("INSERT OR REPLACE INTO here VALUES (?, ?, ?, ?)", values)

    def drop(self, here: Here) -> None:
        with self._lock:
            self._database.execute("DELETE FROM here WHERE name = ?", (here.name,))
