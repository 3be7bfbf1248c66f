"""One set-up at a time, in whatever terminal or browser."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daemon.service.control import CommandError

UNDER_WAY = "another set-up is under way, on the page or in a terminal: end that first"


@contextmanager
def alone(runtime_directory: Path) -> Iterator[None]:
    """Be the only set-up in this directory. Raises CommandError where another one is under way, or nobody may be."""
    try:
        runtime_directory.mkdir(mode=0o750, parents=True, exist_ok=True)
        lock = os.open(runtime_directory / "setup.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise CommandError(f"nothing can be set up: {error}", "do it as the user whose robot it is") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(UNDER_WAY) from None
        yield
    finally:
        os.close(lock)
