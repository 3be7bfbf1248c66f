"""The file memory.sqlite: how it is opened, brought up to date, changed, and put aside where it is damaged."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sqlite_utils import Database

from daemon.memory.schema import MIGRATIONS


class MemoryFileError(RuntimeError):
    """memory.sqlite cannot be used, for example because it is damaged. The file was left as it is."""


class DamagedMemoryError(MemoryFileError):
    """The file's content cannot be read as a database."""


class UnwritableMemoryError(MemoryFileError):
    """The disk takes nothing: it is full, read-only or broken, or the file belongs to somebody else."""


def put_aside(path: Path) -> Path:
    """Rename a damaged database with all that belongs to it, so that nothing of it is lost; returns its new name."""
    date = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{date}")
    number = 2
    while aside.exists():
        aside, number = path.with_name(f"{path.name}.damaged-{date}-{number}"), number + 1
    for ending in ("-wal", "-shm", ""):  # the database itself last: without it the others mean nothing
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside


def open_database(path: Path, read_only: bool = False) -> Database:
    """Open memory.sqlite, and unless read_only make it when it is missing and bring an old one up to date.

    The connection may be shared by threads that lock it. Every commit is on the disk when it returns.
    Raises MemoryFileError, saying what to do, for a file that is missing when read_only, not heed's, damaged,
    newer than this heed, or not permitted; nothing is written to such a file.
    """
    with _explained(path):
        database = _connect(path, read_only)
        try:
            _require_usable(database, path, read_only)
            database.execute("PRAGMA foreign_keys = ON")
            if not read_only:
                database.execute("PRAGMA journal_mode = WAL")  # others may read while we write
                database.execute("PRAGMA synchronous = FULL")  # a commit survives a power cut
                migrate(database)
        except BaseException:
            database.close()
            raise
        return database


def migrate(database: Database, to_version: int | None = None) -> None:
    """Run the migrations that the file has not seen yet, each in a transaction of its own."""
    for version, statements in enumerate(MIGRATIONS[:to_version], start=1):
        with transaction(database):
            if _version(database) < version:
                for statement in statements:
                    if isinstance(statement, str):
                        database.execute(statement)
                    else:
                        statement(database)
                database.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                database.execute(f"PRAGMA user_version = {version}")


@contextmanager
def transaction(database: Database) -> Iterator[None]:
    """All or nothing, also against other processes; they wait up to five seconds for each other."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        database.rollback()
        raise


_APPLICATION_ID = 0x68656564
"""The letters "heed" in the file's header."""


def _connect(path: Path, read_only: bool) -> Database:
    if not read_only:
        path.parent.mkdir(parents=True, exist_ok=True)
    elif not path.exists():
        raise MemoryFileError(f"There is no memory at {path} yet; heed makes it when it first starts")
    address = path.resolve().as_uri() + ("?mode=ro" if read_only else "")
    connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
    return Database(connection, execute_plugins=False)


def _require_usable(database: Database, path: Path, read_only: bool) -> None:
    version = _version(database)
    made_by = _value(database, "PRAGMA application_id")
    empty = not version and not made_by and not _value(database, "SELECT count(*) FROM sqlite_master")
    if not empty and made_by != _APPLICATION_ID:
        raise MemoryFileError(f"{path} is a database of another program; {_ADVICE}")
    if version > len(MIGRATIONS):
        raise MemoryFileError(
            f"{path} was written by a newer heed (version {version}, we know {len(MIGRATIONS)}); "
            "update heed, or name another file under [memory] in config.toml"
        )
    if read_only and version < len(MIGRATIONS):
        raise MemoryFileError(f"{path} was written by an older heed; start heed once, which brings it up to date")
    damage = str(_value(database, "PRAGMA quick_check(1)"))
    if damage != "ok":
        raise sqlite3.DatabaseError(damage.splitlines()[-1])


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        locked = getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")
        raise (MemoryFileError if locked else UnwritableMemoryError)(
            f"{path} cannot be opened ({error}); check that heed's user may read and write the file "
            "and its folder, that the disk has room, and that no other program holds the file"
        ) from error
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: sqlite3.Error) -> DamagedMemoryError:
    """Return what to tell about a file in which SQLite found this."""
    return DamagedMemoryError(
        f"{path} is damaged or no database ({error}) and was left as it is; "
        f"`sqlite3 {path} .recover | sqlite3 rescued.sqlite` may save what is in it; {_ADVICE}"
    )


_ADVICE = (
    "move it away together with its -wal file, and heed starts with a fresh memory, "
    "or name another file under [memory] in config.toml"
)


def _version(database: Database) -> int:
    return int(_value(database, "PRAGMA user_version"))


def _value(database: Database, sql: str) -> int | str:
    value: int | str = database.execute(sql).fetchone()[0]
    return value
