"""Watches the parts of a running heed: mends the body, and says when only a fresh start helps."""

import logging
import threading
from collections.abc import Callable, Mapping

from daemon.service.body import RobotBody
from hw.state import HardwareError

log = logging.getLogger(__name__)

WATCH_SECONDS = 0.5
"""Between two looks at whether every part still lives."""

Trouble = Callable[[], object]
"""Tells what is wrong with a part that cannot be mended while heed runs; nothing (None, False, "") while it is well."""


class Health:
    """Looks at every part twice a second until it is told to end, or finds trouble."""

    def __init__(
        self,
        body: RobotBody,
        troubles: Mapping[str, Trouble],
        on_restart: Callable[[str], None],
        on_trouble: Callable[[str], None],
        on_stop: Callable[[str], None],
    ) -> None:
        """Called by run()'s thread: `on_restart` with the name of what was started again, `on_trouble` with what is
        wrong, `on_stop` with the reason for a stop that is latched from now on, whoever caused it."""
        self.failed = False
        """Whether there was trouble."""
        self._body = body
        self._troubles = troubles
        self._on_restart = on_restart
        self._on_trouble = on_trouble
        self._on_stop = on_stop
        self._stopped: str | None = None

    def run(self, ended: threading.Event) -> None:
        """Watch until `ended`."""
        while not ended.wait(WATCH_SECONDS):
            self._mend_body()
            if trouble := self._trouble():
                if not ended.is_set():
                    log.critical("%s; heed ends, to be started afresh", trouble)
                    self.failed = True
                    self._on_trouble(trouble)
                return

    def _mend_body(self) -> None:
        try:
            self._body.end_forgotten_hold()
            for name in self._body.restart_what_died():
                self._on_restart(name)
            self._body.localise()
            stopped = self._body.state().stopped
        except (HardwareError, OSError, RuntimeError):
            log.exception("the body cannot be started again; trying once more")
            return
        if stopped and not self._stopped:
            self._on_stop(stopped)
        self._stopped = stopped

    def _trouble(self) -> str:
        found = {name: trouble() for name, trouble in self._troubles.items()}
        return "; ".join(f"{name}: {what}" for name, what in found.items() if what)
