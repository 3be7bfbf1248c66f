"""One set-up at a time, in whatever terminal or browser, and one that Ctrl-C always ends."""

import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from daemon.service.control import CommandError

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN_SECONDS = 0.01
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


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Raise KeyboardInterrupt once more wherever Python drops it: in the finaliser of an object that goes away just
    then. From the main thread only."""

    def again(dropped: "UnraisableHookArgs") -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)  # not here: what a hook raises is dropped as well
        else:
            sys.__unraisablehook__(dropped)

    alarm, hook = signal.signal(signal.SIGALRM, signal.default_int_handler), sys.unraisablehook
    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.signal(signal.SIGALRM, alarm)
