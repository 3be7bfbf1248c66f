"""What is to be done later, in memory.sqlite: at a time, again and again, or when something happens."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from daemon.memory.memory_book import MemoryBook, timestamp


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


class ReminderBook(MemoryBook):
    """The entries of one memory.sqlite."""

    def add(self, words: str, request: str, due_at: datetime | None) -> Entry:
        """Add it; it is on the disk when this returns."""
        with self._changing():
            cursor = self._database.execute(
                "INSERT INTO later (made_at, words, request, due_at) VALUES (?, ?, ?, ?)",
                (timestamp(), words, request, _text(due_at)),
            )
        return Entry(int(cursor.lastrowid or 0), words, request, due_at)

    def waiting(self) -> list[Entry]:
        """Return what is still to be done, in the order in which it was said."""
        rows = self._rows("SELECT id, words, request, due_at FROM later WHERE state = 'waiting' ORDER BY id")
        return [Entry(**{**row, "due_at": _moment(row["due_at"])}) for row in rows]

    def put_off(self, entry: Entry, due_at: datetime) -> None:
        """Put it off: it is due again, then."""
        with self._changing():
            self._database.execute("UPDATE later SET due_at = ? WHERE id = ?", (_text(due_at), entry.id))

    def end(self, entry: Entry, state: ReminderState) -> None:
        with self._changing():
            self._database.execute("UPDATE later SET state = ? WHERE id = ?", (str(state), entry.id))


def _text(moment: datetime | None) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds") if moment else ""


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
