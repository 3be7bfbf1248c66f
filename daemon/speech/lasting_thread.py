"""A thread that does not die in silence."""

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress

log = logging.getLogger(__name__)


class Worker(threading.Thread):
    """Runs `work` once. What it raises is logged and kept: its owner looks at is_alive() and `failure`."""

    def __init__(self, name: str, work: Callable[[], None], nice: int = 0) -> None:
        """`nice` below 0 goes before other threads, where the system allows that."""
        super().__init__(name=name, daemon=True)
        self._work, self._nice = work, nice
        self.failure: Exception | None = None

    def run(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self._nice)
        try:
            self._work()
        except Exception as error:
            self.failure = error
            log.exception("the %s has stopped", self.name)

    @property
    def ended_well(self) -> bool:
        """Return whether the work came to its own end."""
        return self.ident is not None and not self.is_alive() and self.failure is None
