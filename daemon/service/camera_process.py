"""heed-eyes as a child of the daemon: started, watched, started again. Without it heed is blind, and nothing else."""

import logging
import time
from importlib.util import find_spec
from pathlib import Path

from daemon.service.child_process import ChildProcess

log = logging.getLogger(__name__)

PACKAGES = {"cv2": "opencv-python-headless", "pyapriltags": "pyapriltags"}
INSTALL = 'python -m pip install "heed[eyes]"'
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before an ended heed-eyes is started again; each time twice as long, up to the second."""
WELL = 60.0
"""Seconds after which one that lives is well, and the next pause short again."""
END_SECONDS = 2.0
HUNG = 20.0
"""Seconds without a word from it after which it hangs; it tells something every second, and takes a few to start."""
MOST_MEMORY = 1.5e9
"""Bytes that it may hold. With tags it held 114 MB; a detector takes more, and labels are read elsewhere."""


def missing_packages() -> list[str]:
    """Return the packages of the extra "eyes" that are not installed, by their names in a registry."""
    return [name for module, name in PACKAGES.items() if find_spec(module) is None]


class CameraProcess:
    """heed-eyes. It reaches heed over eyes.sock, as every sender, and ends when heed has ended."""

    def __init__(
        self,
        robot: Path,
        runtime: Path,
        device: str = "",
        models: Path | None = None,
        most_memory: float = MOST_MEMORY,
    ) -> None:
        """`robot` is a file with the section [eyes]; `device` goes before the one that it names."""
        self._most_memory = most_memory
        command = ["-m", "camera", "--robot", str(robot), "--runtime", str(runtime)]
        command += ["--device", device] if device else []
        command += ["--models", str(models)] if models else []
        self._child = ChildProcess(command, END_SECONDS)
        self._started_at = 0.0
        self._pause = FIRST_PAUSE
        self._missing = " and ".join(missing_packages())

    @property
    def pid(self) -> int | None:
        return self._child.pid

    def start(self) -> None:
        """Start it; without its packages it is left alone."""
        if self._missing:
            log.error("the camera is not used: %s not installed; %s", self._missing, INSTALL)
            return
        self._started_at = time.monotonic()
        self._child.start()

    def mend(self, silent: float = 0.0) -> bool:
        """Start it again where it has ended, and return whether that was done; after a pause that grows.

        One that lives and has said nothing for `silent` seconds hangs, from HUNG on, and is ended; so is one that
        leaks.
        """
        if not self._child.started:
            return False
        lived = time.monotonic() - self._started_at
        if self._child.status is None:
            if min(silent, lived) > HUNG:
                self._end(f"hangs: it has said nothing for {silent:.0f} s")
            elif (held := self._child.memory) > self._most_memory:
                self._end(f"leaks: it holds {held / 1e6:.0f} MB")
            return False
        if lived > WELL:
            self._pause = FIRST_PAUSE
        if lived < self._pause:
            return False
        log.error("heed-eyes has ended with status %s; it is started again", self._child.status)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self.start()
        return True

    def _end(self, why: str) -> None:
        log.error("heed-eyes %s, and is ended", why)
        self._child.kill()

    def trouble(self) -> str:
        """Return in words why it does not run; "" while it does."""
        if self._missing:
            return f"{self._missing} not installed: {INSTALL}"
        if (status := self._child.status) is not None:
            return f"heed-eyes has ended with status {status}; its messages in the log say why"
        return ""

    def close(self) -> None:
        """End it."""
        self._child.close()
